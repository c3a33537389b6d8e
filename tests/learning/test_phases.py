"""Phases beside self-play: in order, one at a time, and no error is lost."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from athenan._core import Stopped
from athenan.learning.phases import Phases


def test_phases_run_in_order_and_never_two_at_once() -> None:
    begun: list[int] = []
    at_once = threading.Semaphore(1)

    def phase(number: int) -> int:
        assert at_once.acquire(blocking=False), "another phase is being worked on"
        begun.append(number)
        time.sleep(0.001)
        at_once.release()
        return number

    with ThreadPoolExecutor(4) as threads:
        phases: Phases[int] = Phases(threads)
        for number in range(30):
            phases.add(partial(phase, number))
        assert list(phases.finished(0)) == list(range(30))
    assert begun == list(range(30))
    assert phases.waiting == 0


def test_only_the_surplus_is_waited_for() -> None:
    go_on = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        phases: Phases[int] = Phases(threads)
        for number in range(3):
            phases.add(lambda number=number: (go_on.wait(), number)[1])  # type: ignore[misc]
        assert list(phases.finished(3)) == []
        assert phases.waiting >= 2
        go_on.set()
        assert next(iter(phases.finished(2))) == 0


def test_other_work_on_the_same_thread_is_not_shut_out() -> None:
    with ThreadPoolExecutor(1) as threads:
        phases: Phases[None] = Phases(threads)
        for _ in range(50):
            phases.add(partial(time.sleep, 0.002))
        threads.submit(int).result()
        assert phases.waiting > 10
        assert len(list(phases.finished(0))) == 50


def test_an_error_is_raised_where_the_result_is_taken() -> None:
    with ThreadPoolExecutor(2) as threads:
        phases: Phases[float] = Phases(threads)
        phases.add(lambda: 1 / 0)
        phases.add(lambda: 5.0)
        results = phases.finished(0)
        with pytest.raises(ZeroDivisionError):
            next(results)
        assert list(phases.finished(0)) == [5.0]


def test_the_clocks_count_work_and_waiting() -> None:
    with ThreadPoolExecutor(1) as threads:
        phases: Phases[None] = Phases(threads)
        for _ in range(3):
            phases.add(partial(time.sleep, 0.05))
        time.sleep(0.08)
        assert len(list(phases.finished(0))) == 3
    assert 0.15 <= phases.busy < 0.5
    assert 0.02 <= phases.stalled < phases.busy


def test_stopped_phases_have_no_result() -> None:
    def stopped() -> int:
        raise Stopped

    with ThreadPoolExecutor(1) as threads:
        phases: Phases[int] = Phases(threads)
        for phase in (lambda: 1, stopped, lambda: 3, stopped):
            phases.add(phase)
        assert list(phases.finished(0)) == [1, 3]
