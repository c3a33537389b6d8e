"""How many matches at a time: few at first, many if learning can follow."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from athenan.learning.events import MatchLearned
from athenan.learning.learner import PhaseReport
from athenan.learning.pace import Pace
from athenan.learning.sizing import Measured
from athenan.learning.training import Training
from small_runs import small_config

FEW, MANY = 8, 32


class Clocks:
    """Time that passes for a pace: learning works and self-play waits a part of it."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self.now = (0.0, 0.0, 0.0)

    def generation(self, busy: float, idle: float) -> int:
        """Let as many matches be learned as are played at a time."""
        for _ in range(self.pace.matches):
            step = (1.0, busy, idle)
            self.now = (self.now[0] + step[0], self.now[1] + step[1], self.now[2] + step[2])
            self.pace.learned(*self.now)
        return self.pace.matches


def test_the_number_doubles_while_learning_has_time() -> None:
    clocks = Clocks(Pace(8, 8, 50))
    assert [clocks.generation(0.3, 0.0) for _ in range(4)] == [16, 32, 50, 50]


def test_a_busy_learner_gets_no_more_matches() -> None:
    clocks = Clocks(Pace(8, 8, 50))
    assert [clocks.generation(busy, 0.2) for busy in (0.5, 0.95, 0.95, 0.5)] == [16, 16, 16, 32]


def test_the_number_halves_while_selfplay_waits() -> None:
    clocks = Clocks(Pace(50, 8, 50))
    assert [clocks.generation(1.0, 0.9) for _ in range(4)] == [25, 12, 8, 8]


def test_only_the_last_generation_counts() -> None:
    clocks = Clocks(Pace(8, 8, 50))
    for _ in range(5):
        clocks.generation(1.0, 0.5)
    assert clocks.generation(0.5, 0.0) == 16


def test_time_before_the_first_generation_does_not_count() -> None:
    """Neither that of earlier sessions nor that of pre-training."""
    clocks = Clocks(Pace(8, 8, 50))
    clocks.now = (1000.0, 0.0, 0.0)
    clocks.pace.begin(*clocks.now)
    assert clocks.generation(1.0, 0.5) == 8


@pytest.mark.parametrize(("first", "few"), [(100, 8), (3, 8)])
def test_there_are_never_more_than_the_most(first: int, few: int) -> None:
    assert Pace(first, few, 5).matches == min(first, 5)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Training]]:
    """Trainings whose measurement at the start finds that many matches are best."""
    found = Measured(MANY, 1.0, 1.0, 0.5, 0)
    monkeypatch.setattr("athenan.learning.training.best_measured", lambda *_, **__: found)
    trainings: list[Training] = []
    yield trainings
    for training in trainings:
        training.close()


def training_of(made: list[Training], **selfplay: Any) -> Training:
    settings = {"selfplay": {"matches": 0, **selfplay}, "stop": {"matches": 12 * MANY}}
    made.append(Training(small_config(settings, {"checkpoints": {"every_matches": 0}})))
    return made[-1]


def numbers_played(training: Training, learning_seconds: float = 0.0) -> list[int]:
    """How many matches were under way when each match had been learned."""
    learn = training.learner.learn

    def slow(*arguments: Any) -> Any:
        time.sleep(learning_seconds)
        return learn(*arguments)

    training.learner.learn = slow  # type: ignore[method-assign]
    found = []
    for event in training.events():
        if isinstance(event, MatchLearned):
            found.append(training.playing)
            if len(found) == 8 * MANY:
                training.stop_soon()
    return found


def as_on_a_gpu(training: Training) -> Training:
    """Let learning count as if it had a device of its own."""
    phases = training._phases
    assert phases is not None
    training.learning_clocks = lambda: (phases.worked, phases.waited)  # type: ignore[method-assign]
    return training


def test_many_matches_are_played_once_learning_follows(made: list[Training]) -> None:
    training = as_on_a_gpu(training_of(made, search="descent:expansions=100"))
    training.learner.learn = lambda *_: PhaseReport(1, 1, 0.5)  # type: ignore[method-assign]
    played = numbers_played(training)
    assert played[0] <= FEW
    assert max(played) == MANY


@pytest.mark.parametrize("earlier", [0.0, 1000.0])
def test_few_matches_are_played_while_learning_cannot_follow(
    earlier: float, made: list[Training]
) -> None:
    training = as_on_a_gpu(training_of(made, search="descent:expansions=2"))
    training.counters.seconds = earlier
    assert max(numbers_played(training, learning_seconds=0.01)) == FEW


def test_a_cpu_takes_few_matches_at_first_only(made: list[Training]) -> None:
    played = numbers_played(training_of(made), learning_seconds=0.002)
    assert played[0] <= FEW
    assert played[-1] == MANY


def test_a_number_that_is_given_holds_from_the_start(made: list[Training]) -> None:
    training = training_of(made, matches=MANY)
    assert set(numbers_played(training, learning_seconds=0.002)[: 4 * MANY]) == {MANY}


def test_a_resumed_process_goes_on_with_its_unfinished_matches(made: list[Training]) -> None:
    before = training_of(made)
    numbers_played(before)
    assert len(before.counters.unfinished) >= MANY > FEW
    after = training_of(made)
    after.restore(*before.state())
    next(after.events())
    assert after.pace.matches == MANY
