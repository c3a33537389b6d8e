"""Long work ends promptly: by Ctrl-C in a script, by a Stop from another thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import athenan
import pytest
from processes import PROMPTLY, seconds_after_interrupt

HEX = athenan.make_game("hex:size=11").initial_state()
FOUR = athenan.make_game("connect_four").initial_state()


@pytest.mark.parametrize(
    "work",
    [
        "athenan.search(start, athenan.hash_evaluator(), seconds=60)",
        "athenan.search(start, spec='mcts', seconds=60)",
        "athenan.search(start, spec='alphabeta', seconds=60)",
        "athenan.solve(start)",
        "start.perft(12)",
        "start.playouts(10**9)",
    ],
)
def test_ctrl_c_ends_it_at_once(work: str) -> None:
    assert seconds_after_interrupt(work) < PROMPTLY


class Timer:
    """Requests a stop a moment after the start, and tells how long the work went on."""

    def __init__(self) -> None:
        self.stop = athenan.Stop()
        self._requested = 0.0
        threading.Timer(0.2, self._request).start()

    def _request(self) -> None:
        self._requested = time.perf_counter()
        self.stop.request()

    @property
    def seconds(self) -> float:
        assert self.stop.requested
        return time.perf_counter() - self._requested


@pytest.mark.parametrize("spec", ["ubfm-safe", "descent", "alphabeta", "mcts", "uct", "puct"])
def test_a_stop_is_the_end_of_the_budget(spec: str) -> None:
    timer = Timer()
    result = athenan.search(HEX, None, spec, seconds=60, stop=timer.stop)
    assert timer.seconds < PROMPTLY
    assert result.best_move in HEX.legal_moves()
    assert 0.1 < result.spent.seconds < 10
    again = athenan.search(HEX, None, spec, seconds=60, stop=timer.stop)  # requested beforehand
    assert again.best_move in HEX.legal_moves()


WORK: dict[str, Callable[[athenan.Stop], object]] = {
    "solve": lambda stop: athenan.solve(HEX, stop=stop),
    "perft": lambda stop: FOUR.perft(20, stop=stop),
    "playouts": lambda stop: HEX.playouts(10**9, stop=stop),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_other_work_has_no_result_when_stopped(work: Callable[[athenan.Stop], object]) -> None:
    timer = Timer()
    with pytest.raises(athenan.Stopped):
        work(timer.stop)
    assert timer.seconds < PROMPTLY
