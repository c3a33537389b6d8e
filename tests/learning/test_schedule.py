"""When resolved states are forgotten, as in the paper; and what processor time ends."""

import time
from contextlib import ExitStack

import pytest
from athenan import Stop, make_game
from athenan.learning import complete_config, preset
from athenan.learning.schedule import Clock, Counters, Schedule
from athenan.learning.training import Training
from small_runs import small_config


@pytest.mark.parametrize(("name", "hours"), [("paper-hex11", 48), ("paper-othello", 12)])
def test_resolved_states_are_forgotten_at_the_published_intervals(name: str, hours: int) -> None:
    config, clock, counters = complete_config(preset(name)), Clock(Stop()), Counters()
    schedule = Schedule(config, make_game(config.game), clock)
    forgotten = []
    for hour in range(4 * hours):
        clock.set(3600 * hour, 0)
        if schedule.forgets(counters, 0):
            forgotten.append(hour)
    assert forgotten == [hours, 2 * hours, 3 * hours]


def test_resolved_states_are_forgotten_before_they_fill_the_memory() -> None:
    config = complete_config(
        {"game": "hex:size=3", "selfplay": {"resolved_memory": True, "forget_states": 500}}
    )
    schedule, counters = Schedule(config, make_game("hex:size=3"), Clock(Stop())), Counters()
    counters.matches = 7
    assert not schedule.forgets(counters, 499)
    assert schedule.forgets(counters, 500)
    assert counters.forgotten_at_matches == 7


def test_a_training_keeps_no_more_resolved_states_than_it_may() -> None:
    """Of one match, which alone has more than the bound, nothing is left."""
    for bound, left in ((1, False), (10_000_000, True)):
        selfplay = {"resolved_memory": True, "forget_states": bound, "matches": 1}
        settings = {"selfplay": selfplay, "stop": {"matches": 3}}
        training = Training(small_config(settings))
        assert training.study.resolved is not None
        for _ in training.events():
            pass
        assert (len(training.study.resolved) > 0) == left
        training.close()


def test_processor_time_ends_a_training_and_waiting_does_not() -> None:
    config = complete_config({"game": "hex:size=3", "stop": {"cpu_minutes": 0.01}})
    clock, counters = Clock(Stop()), Counters()
    schedule = Schedule(config, make_game(config.game), clock)
    with clock.running():
        time.sleep(0.3)
        assert schedule.progress(0, counters) < 0.3
        with clock.paused():
            work(0.2)
        assert schedule.progress(0, counters) < 0.3
        clock.set(9.0, 0.4)  # of an earlier session
        work(0.25)
        assert schedule.is_over(counters)
        assert schedule.progress(0, counters) == 1


def test_processor_time_ends_a_match_that_takes_longer() -> None:
    """As time on the wall does: its first match would take as long as all others together."""
    settings = {
        "game": "othello",
        "selfplay": {"search": "descent:expansions=1000000", "matches": 1},
        "stop": {"matches": 0, "cpu_minutes": 0.01},
    }
    training = Training(small_config(settings))
    for _ in training.events():
        pass
    training.state()
    assert training.counters.matches == 0
    assert 0.6 <= training.counters.cpu_seconds < 3
    training.close()


def test_a_clock_that_is_halted_while_it_is_read_counts_nothing_twice() -> None:
    halts = ExitStack()
    running: list[Clock] = []

    def elsewhere() -> float:
        if running:  # as another thread does at any moment
            halts.enter_context(running.pop().paused())
        return 0.0

    clock = Clock(Stop(), elsewhere=elsewhere)
    clock.set(100.0, 100.0)
    with clock.running(), halts:
        running.append(clock)
        assert clock.cpu_seconds() == pytest.approx(100, abs=5)
        assert clock.seconds() == pytest.approx(100, abs=5)


def work(seconds: float) -> None:
    start = time.process_time()
    while time.process_time() < start + seconds:
        pass
