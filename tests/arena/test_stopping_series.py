"""Series end promptly, whatever ends them, and leave no thread behind."""

from __future__ import annotations

import threading
import time

import athenan
import pytest
from athenan.arena import balanced_openings, distinct_openings, play_matches, player
from processes import PROMPTLY, seconds_after_interrupt, start

HEX = athenan.make_game("hex:size=11")
SLOW = ["mcts:seconds=5", "mcts:iterations=10000000", "ubfm:expansions=10000000"]


@pytest.mark.parametrize("text", SLOW)
def test_ctrl_c(text: str) -> None:
    slow = f"player({text!r}, hex11)"
    work = f"list(play_matches(hex11, {slow}, {slow}, 100))"
    assert seconds_after_interrupt(work, delay=0.6) < PROMPTLY


@pytest.mark.parametrize("text", SLOW)
def test_a_stop_from_another_thread(text: str) -> None:
    before, stop, slow = threading.active_count(), athenan.Stop(), player(text, HEX)
    requested = []

    def request() -> None:
        requested.append(time.perf_counter())
        stop.request()

    timer = threading.Timer(0.4, request)
    timer.start()
    with pytest.raises(athenan.Stopped):
        list(play_matches(HEX, slow, slow, 100, stop=stop))
    assert time.perf_counter() - requested[0] < PROMPTLY
    timer.join()
    assert threading.active_count() == before


def test_a_stop_between_two_matches() -> None:
    game = athenan.make_game("tic_tac_toe")
    quick, stop = player("mcts:iterations=2", game), athenan.Stop()
    series = play_matches(game, quick, quick, 10**5, stop=stop, openings=distinct_openings(game, 9))
    next(series)
    stop.request()
    with pytest.raises(athenan.Stopped):
        list(series)


@pytest.mark.parametrize("text", ["mcts:iterations=5000", "mcts:seconds=0.01", "ubfm:expansions=9"])
def test_closing_the_iterator(text: str) -> None:
    game = athenan.make_game("hex:size=4")
    before, slow = threading.active_count(), player(text, game)
    played = play_matches(game, slow, slow, 10**4, openings=distinct_openings(game, 9))
    next(played)
    started = time.perf_counter()
    played.close()
    assert time.perf_counter() - started < PROMPTLY
    assert threading.active_count() == before


ABANDONED = """
import athenan
from athenan.arena import distinct_openings, play_matches, player
game = athenan.make_game("hex:size=4")
slow = player("mcts:iterations=5000", game)
for match in play_matches(game, slow, slow, 10**5, openings=distinct_openings(game, 9)):
    raise KeyboardInterrupt  # the traceback keeps the series alive
"""


def test_a_program_may_end_in_the_middle_of_a_series() -> None:
    program = start("-c", ABANDONED)
    _, problems = program.communicate(timeout=30)
    assert program.returncode not in (0, None)
    assert problems.strip().endswith("KeyboardInterrupt")


def test_the_judge_of_openings_can_be_stopped() -> None:
    before, stop = threading.active_count(), athenan.Stop()
    timer = threading.Timer(0.5, stop.request)
    timer.start()
    started = time.perf_counter()
    with pytest.raises(athenan.Stopped):
        balanced_openings(athenan.make_game("arimaa"), 50, stop=stop)
    assert time.perf_counter() - started < 0.5 + 2 * PROMPTLY
    timer.join()
    assert threading.active_count() == before
