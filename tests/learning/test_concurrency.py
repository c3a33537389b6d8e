"""How many matches at a time: few at first, many if learning can follow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from athenan import Game
from athenan.games.measure import Measured
from athenan.learning.concurrency import Footprint, Pace, Plan, Trial, best, trials
from athenan.learning.events import MatchLearned, Sized
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
        for _ in range(self.pace.concurrency):
            step = (1.0, busy, idle)
            self.now = (self.now[0] + step[0], self.now[1] + step[1], self.now[2] + step[2])
            self.pace.learned(*self.now)
        return self.pace.concurrency


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
    assert Pace(first, few, 5).concurrency == min(first, 5)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Training]]:
    """Trainings whose measurement at the start finds that many matches are best."""
    found = [Trial(MANY, 1.0, 1.0, 0.5, 0)]
    monkeypatch.setattr("athenan.learning.training.trials", lambda *_, **__: found)
    trainings: list[Training] = []
    yield trainings
    for training in trainings:
        training.close()


def training_of(made: list[Training], **selfplay: Any) -> Training:
    settings = {"selfplay": {"matches": 0, **selfplay}, "stop": {"matches": 12 * MANY}}
    made.append(Training(small_config(settings, {"checkpoints": {"every_matches": 0}})))
    return made[-1]


def numbers_played(training: Training) -> list[int]:
    """How many matches were under way when each match had been learned."""
    found = []
    for event in training.events():
        if isinstance(event, MatchLearned):
            found.append(event.at.playing)
            if len(found) == 8 * MANY:
                training.stop.request()
    return found


def test_a_cpu_takes_few_matches_at_first_only(made: list[Training]) -> None:
    played = numbers_played(training_of(made))
    assert played[0] <= FEW
    assert max(played) == MANY
    assert min(played[-MANY:]) > FEW


def test_a_number_that_is_given_holds_from_the_start(made: list[Training]) -> None:
    training = training_of(made, matches=MANY)
    assert set(numbers_played(training)[: 4 * MANY]) == {MANY}


def test_a_resumed_process_goes_on_with_its_unfinished_matches(made: list[Training]) -> None:
    before = training_of(made)
    numbers_played(before)
    assert len(before.counters.unfinished) >= MANY > FEW
    after = training_of(made)
    after.restore(*before.state())
    next(event for event in after.events() if isinstance(event, Sized))
    assert after.pace.concurrency == MANY


# Before it begins.


def test_a_plan_looks_at_the_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def count(game: Game, matches: int) -> Measured:
        looked.append(game.id)
        return Measured(matches, 20.0, 4.0)

    monkeypatch.setattr("athenan.learning.concurrency.random_matches", count)
    config = small_config({"selfplay": {"matches": 0}})
    plan = Plan.of(config)
    assert (plan.concurrency, plan.branching, plan.is_open) == (128, 4.0, True)
    training = Training(config, plan=plan)
    list(trials(config, plan, training.evaluator, seconds=0.01))  # type: ignore[arg-type]
    training.close()
    assert looked == ["tic_tac_toe"]


@pytest.mark.parametrize(("branching", "concurrency"), [(1.0, 128), (16.0, 32), (1000.0, 8)])
def test_the_usual_batch_is_filled(
    branching: float, concurrency: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "athenan.learning.concurrency.random_matches",
        lambda _game, matches: Measured(matches, 20.0, branching),
    )
    assert Plan.of(small_config({"selfplay": {"matches": 0}})).concurrency == concurrency
    assert Plan.of(small_config({"selfplay": {"matches": 5}})).concurrency == 5


def test_a_deterministic_run_leaves_nothing_open() -> None:
    config = small_config(
        {"hardware": {"deterministic": True, "threads": 0}, "selfplay": {"matches": 0}}
    )
    plan = Plan.of(config)
    assert not plan.is_open
    fixed = plan.fixed_in(config)
    assert fixed.selfplay.matches == plan.concurrency > 0
    assert fixed.hardware.threads == plan.threads > 0


def test_memory_grows_with_matches_and_budgets() -> None:
    config = small_config()
    plan = Plan.of(config)
    needed = Footprint.of(config, plan)
    assert needed.memory(20) - needed.memory(10) == pytest.approx(10 * needed.tree)
    twice = small_config({"selfplay": {"search": "descent:expansions=10"}})
    assert Footprint.of(twice, plan).tree == pytest.approx(2 * needed.tree)
    assert Footprint.of(twice, plan).replay == pytest.approx(2 * needed.replay, rel=0.01)


@pytest.mark.parametrize(("rates", "chosen"), [((1, 2, 3), 4), ((1, 96, 100), 2), ((9, 5, 1), 1)])
def test_the_fewest_matches_that_are_fast_enough_are_chosen(
    rates: tuple[float, ...], chosen: int
) -> None:
    found = [Trial(n, 1.0, rate, 0.5, 0) for n, rate in zip((1, 2, 4), rates, strict=True)]
    assert best(found).concurrency == chosen
