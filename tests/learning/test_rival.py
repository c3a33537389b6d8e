"""Two networks in one self-play: each learns what its own searches found, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from athenan import ParameterError
from athenan._core import Stopped, encode_packed
from athenan.evaluators import network_evaluator
from athenan.learning.events import MatchLearned
from athenan.learning.study import Study
from athenan.learning.training import Training
from athenan.runs import Run
from athenan.runs.checkpoint import latest_readable
from athenan.runs.export import export_run, import_run
from athenan.selfplay.duels import Duels
from numpy.typing import NDArray
from small_runs import DETERMINISTIC, Watcher, assert_same_end, at_rest, go_on, small_config, train

TWO = {"selfplay": {"networks": 2, "matches": 1}, "learning": {"symmetry": False}}


def learned_by(training: Training, study: Study) -> NDArray[np.int8]:
    """The planes of all states in its memory."""
    packed = np.ascontiguousarray(study.memory.arrays()["states"], np.uint8)
    return encode_packed(training.game, packed, np.arange(len(packed)))


def test_each_network_learns_from_its_own_searches() -> None:
    """Root learning: the states of a match go to the network that was to move there, by turns."""
    config = small_config(
        TWO,
        {"stop": {"matches": 2}, "learning": {"data": "root", "replay": {"size": 50}}},
    )
    training = Training(config)
    assert training.rival is not None
    before = [training.network.state_dict(), training.rival.network.state_dict()]
    before = [{name: value.clone() for name, value in each.items()} for each in before]
    learned = [event for event in training.events() if isinstance(event, MatchLearned)]
    start = training.game.encode([training.game.initial_state()])
    kept = [learned_by(training, study) for study in (training.study, training.rival.study)]
    plies = sum(event.length for event in learned)
    for planes in kept:
        assert (planes == start).all(axis=(1, 2, 3)).sum() == 1  # each began one of two matches
    assert sum(map(len, kept)) == plies + 2 * len(learned)  # every position once, ends for both
    for network, old in zip((training.network, training.rival.network), before, strict=True):
        new = network.state_dict()
        assert any(not np.array_equal(new[name].numpy(), old[name].numpy()) for name in old)
    assert any((before[0][name] != before[1][name]).any() for name in before[0])
    assert training.rival.evaluator is not None
    answers = [each(start) for each in (training.evaluator, training.rival.evaluator)]  # type: ignore[misc]
    assert answers[0] != answers[1]
    training.close()


def test_matches_of_two_take_the_weights_of_both() -> None:
    config = small_config(TWO)
    training, other = Training(config), Training(small_config(TWO, {"seed": 9}))
    assert other.rival is not None
    networks = other.network, other.rival.network
    source = training.local_source()
    assert isinstance(source, Duels)
    source.take_weights(*networks)
    planes = training.game.encode(training.game.initial_state().children())
    for evaluator, network in zip(source.evaluators, networks, strict=True):
        with network_evaluator(network, device="cpu") as expected:
            np.testing.assert_allclose(evaluator(planes), expected(planes), rtol=0.05, atol=0.01)
    training.close()
    other.close()


def test_a_run_of_two_that_was_interrupted_ends_with_the_same_bits(tmp_path: Path) -> None:
    config = small_config(TWO, DETERMINISTIC, {"selfplay": {"matches": 4}})
    train(tmp_path / "once", config)
    train(tmp_path / "twice", config, Watcher(at_rest(8)))
    go_on(tmp_path / "twice")
    assert_same_end(tmp_path / "once", tmp_path / "twice")
    arrays = latest_readable(Run(tmp_path / "once").checkpoints)[1]
    assert any(name.startswith("rival.adam.") for name in arrays)

    export_run(Run(tmp_path / "once"), tmp_path / "once.run")
    import_run(tmp_path / "once.run", Run(tmp_path / "elsewhere"))
    arrays = latest_readable(Run(tmp_path / "elsewhere").checkpoints)[1]
    assert any(name.startswith("rival.network.") for name in arrays)
    assert not any("replay." in name for name in arrays)


@pytest.mark.parametrize("part", ["learn_random_ends", "learn_match"])
def test_what_only_the_first_one_has_learned_does_not_count(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        training.stop.request()
        raise Stopped

    training = Training(small_config(TWO, {"learning": {"pretraining": 50}}))
    assert training.rival is not None
    monkeypatch.setattr(training.rival.study, part, stopped)
    for _ in training.events():
        pass
    training.close()
    assert training.study.was_cut


def test_there_are_one_or_two_networks() -> None:
    with pytest.raises(ParameterError, match=r"selfplay\.networks is 3"):
        small_config({"selfplay": {"networks": 3}})
    with pytest.raises(ParameterError, match=r"two networks learn values of states alone"):
        small_config(
            TWO, {"network": {"policy": True}, "learning": {"moves": "policy", "data": "root"}}
        )
