"""UBFM beside Descent in a training: the one chooses the moves, of the other is learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from athenan import ParameterError
from athenan.learning.concurrency import Footprint, Plan
from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from athenan.runs import Run
from small_runs import DETERMINISTIC, Watcher, assert_same_end, at_rest, go_on, small_config, train

BESIDE: dict[str, Any] = {"selfplay": {"chooser": "ubfm:expansions=4"}}


def test_both_searches_think_with_the_network_and_count() -> None:
    """Five expansions and four more, unless a state is resolved before."""
    search = {"game": "hex:size=5", "selfplay": {"search": "ubfm:expansions=5"}}
    config = small_config(search, BESIDE, {"stop": {"matches": 4}})
    training = Training(config)
    learned = [event for event in training.events() if isinstance(event, MatchLearned)]
    training.close()
    for event in learned:
        assert 5 * event.length < event.expansions <= 9 * event.length
    plan = Plan.of(config)
    alone = Footprint.of(small_config(search), plan)
    assert Footprint.of(config, plan).tree == pytest.approx(alone.tree * 9 / 5)
    assert Footprint.of(config, plan).replay == alone.replay


def test_a_run_with_a_chooser_that_was_interrupted_ends_with_the_same_bits(tmp_path: Path) -> None:
    config = small_config(BESIDE, DETERMINISTIC)
    train(tmp_path / "once", config)
    train(tmp_path / "twice", config, Watcher(at_rest(8)))
    go_on(tmp_path / "twice")
    assert_same_end(tmp_path / "once", tmp_path / "twice")
    assert Run(tmp_path / "once").config().selfplay.chooser == "ubfm:expansions=4"


@pytest.mark.parametrize(
    ("selfplay", "sentence"),
    [
        ({"chooser": "ubfm"}, "selfplay.chooser is .*, which has no limit"),
        ({"chooser": "mcts:iterations=9"}, "plays by a network is needed"),
        ({"chooser": "ubfm:expansions=4,terminal=presence"}, "leave out its terminal"),
        ({"chooser": "ubfm:expansions=4", "networks": 2}, "goes with one network"),
    ],
)
def test_a_chooser_that_makes_no_sense_is_refused(selfplay: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        small_config({"selfplay": selfplay})


@pytest.mark.parametrize(
    "clocked", [{"selfplay": {"chooser": "ubfm:seconds=1"}}, {"stop": {"cpu_minutes": 1}}]
)
def test_a_deterministic_run_has_no_clock(clocked: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="cannot depend on the clock: "):
        small_config(DETERMINISTIC, clocked)
