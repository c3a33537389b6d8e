"""A training that is stopped: in every phase, within moments, and nothing is left half."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from small_runs import small_config
from trainings import matches_of, watched

SLOW_NETWORK = {"filters": 64, "blocks": 4, "margin": "same", "dense": [64]}
SLOW: dict[str, dict[str, Any]] = {
    "pre-training, its matches": {"game": "go", "learning": {"pretraining": 10**9}},
    "pre-training, one minibatch": {
        "game": "hex:size=9",
        "network": SLOW_NETWORK,
        "learning": {"pretraining": 2000, "batch_size": 2000},
    },
    "measuring": {"game": "hex:size=11", "selfplay": {"matches": 0}},
    "self-play": {"game": "go", "selfplay": {"search": "descent:expansions=100000"}},
    "one match at a time": {
        "game": "go",
        "selfplay": {"search": "descent:expansions=100000", "matches": 1},
    },
    "learning beside self-play": {
        "network": SLOW_NETWORK,
        "learning": {"replay": {"duplication": 100}, "batch_size": 16},
    },
    "learning": {
        "network": SLOW_NETWORK,
        "selfplay": {"matches": 1},
        "learning": {"replay": {"duplication": 100}, "batch_size": 16},
    },
}


@pytest.mark.parametrize("change", SLOW.values(), ids=SLOW)
def test_a_request_to_stop_is_honoured_within_moments(
    change: dict[str, Any], made: list[Training]
) -> None:
    training = Training(small_config({"stop": {"matches": 0}}, change))
    made.append(training)
    asked: list[float] = []

    def ask() -> None:
        asked.append(time.monotonic())
        training.stop.request()

    alarm = threading.Timer(1.0, ask)
    alarm.start()
    learned = matches_of(training)
    training.close()
    assert time.monotonic() - asked[0] < 1
    assert training.counters.matches == len(learned)
    assert training.counters.started == len(learned) + len(training.counters.unfinished)


@pytest.mark.parametrize("name", ["pre-training, one minibatch", "learning", "self-play"])
def test_the_end_of_the_time_is_honoured_within_moments(name: str, made: list[Training]) -> None:
    limit = {"stop": {"matches": 0, "minutes": 0.5 / 60}}
    training = Training(small_config(SLOW[name], limit))
    made.append(training)
    matches_of(training)
    assert 0.5 <= training.clock.seconds() < 1.5
    assert training.progress == 1.0


def test_a_phase_that_is_stopped_leaves_its_match_unfinished(made: list[Training]) -> None:
    training = Training(small_config(SLOW["learning"], {"stop": {"matches": 0}}))
    made.append(training)
    source = watched(training)
    for event in training.events():
        if isinstance(event, MatchLearned) and event.at.matches == 2:
            threading.Timer(0.2, training.stop.request).start()
    assert training.study.was_cut
    counters = training.counters
    assert source.ended[counters.matches].index == counters.unfinished[0]
    arrays, values = training.state()
    assert len(arrays["replay.sizes"]) == counters.matches
    assert sum(arrays["replay.sizes"]) == len(arrays["replay.values"]) == counters.generated
    other = Training(training.config)
    made.append(other)
    other.restore(arrays, values)
    again = watched(other)
    for event in other.events():
        if isinstance(event, MatchLearned):
            other.stop.request()
    assert again.added[0][0] == counters.unfinished[0]
