"""Averaged weights: a moving average over the states learned, which the model has."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest
import torch
from athenan import ParameterError
from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from athenan.networks import Network
from small_runs import small_config

AVERAGING: dict[str, Any] = {"learning": {"averaging": 500, "replay": {"duplication": 2}}}
ALONE: dict[str, Any] = {"hardware": {"deterministic": True}, "selfplay": {"matches": 1}}


def flat(network: Network) -> torch.Tensor:
    return torch.cat([each.detach().flatten() for each in network.parameters()]).clone()


def test_the_model_has_the_moving_average_of_the_weights_after_each_phase() -> None:
    training = Training(small_config(ALONE, AVERAGING))
    expected, states = flat(training.network), 0
    for event in training.events():
        if isinstance(event, MatchLearned):
            states += event.learned
            share = max(1 - math.exp(-event.learned / 500), event.learned / states)
            expected += share * (flat(training.network) - expected)
    training.close()
    assert states > 1000
    assert torch.allclose(flat(training.model.network), expected, atol=1e-6)
    assert not torch.allclose(flat(training.network), expected, atol=1e-4)


def test_without_averaging_the_model_has_the_latest_weights() -> None:
    training = Training(small_config(ALONE))
    for _ in training.events():
        pass
    training.close()
    assert torch.equal(flat(training.model.network), flat(training.network))


@pytest.mark.parametrize("averaged", [False, True])
def test_selfplay_takes_the_weights_that_the_settings_name(
    averaged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = Training(small_config(ALONE, AVERAGING, {"selfplay": {"averaged": averaged}}))
    taken: list[torch.Tensor] = []
    source = training.local_source()
    take = source.take_weights

    def taking(*networks: Network) -> None:
        taken.append(flat(networks[0]))
        take(*networks)

    monkeypatch.setattr(source, "take_weights", taking)
    training.source = source
    for _ in training.events():
        pass
    training.close()
    best, latest = flat(training.best_network), flat(training.network)
    assert torch.equal(taken[-1], best if averaged else latest)


def test_a_start_from_another_network_is_the_first_average() -> None:
    training = Training(small_config(ALONE, AVERAGING))
    other = copy.deepcopy(training.network)
    with torch.no_grad():
        for each in other.parameters():
            each.add_(1)
    training.start_from(other)
    assert torch.equal(flat(training.best_network), flat(other))
    training.close()


def test_selfplay_with_averaged_weights_needs_an_average() -> None:
    with pytest.raises(ParameterError, match=r"no weights are averaged: set learning\.averaging"):
        small_config({"selfplay": {"averaged": True}})
