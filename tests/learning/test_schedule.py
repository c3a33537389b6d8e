"""When resolved states are forgotten: after so many hours of training, as in the paper."""

import pytest
from athenan import Stop, make_game
from athenan.learning import complete_config, preset
from athenan.learning.schedule import Clock, Counters, Schedule


@pytest.mark.parametrize(("name", "hours"), [("paper-hex11", 48), ("paper-othello", 12)])
def test_resolved_states_are_forgotten_at_the_published_intervals(name: str, hours: int) -> None:
    config, clock, counters = complete_config(preset(name)), Clock(Stop()), Counters()
    schedule = Schedule(config, make_game(config.game), clock)
    forgotten = []
    for hour in range(4 * hours):
        clock.set(3600 * hour)
        if schedule.forgets(counters):
            forgotten.append(hour)
    assert forgotten == [hours, 2 * hours, 3 * hours]
