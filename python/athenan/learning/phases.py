"""Learning phases beside self-play: one after the other, on threads that others use too."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from athenan._core import Stopped

T = TypeVar("T")


class Phases(Generic[T]):
    """A queue of phases, of which one at a time is being worked on."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self._threads = threads
        self._lock = Lock()
        self._waiting: deque[tuple[Callable[[], T], Future[T]]] = deque()
        self._active = False
        self._results: deque[Future[T]] = deque()
        self.busy = 0.0
        """Seconds of work on phases, so far."""
        self.stalled = 0.0
        """Seconds that `finished` has waited for them."""

    def add(self, phase: Callable[[], T]) -> None:
        """Queue a phase."""
        result: Future[T] = Future()
        self._results.append(result)
        with self._lock:
            self._waiting.append((phase, result))
            start, self._active = not self._active, True
        if start:
            self._threads.submit(self._work)

    @property
    def waiting(self) -> int:
        """How many have not begun."""
        return len(self._waiting)

    def finished(self, max_missing: int) -> Iterator[T]:
        """Yield the results there are; wait for more while more than `max_missing` are missing.

        Phases that were stopped have none.
        """
        while self._results and (self._results[0].done() or len(self._results) > max_missing):
            started = monotonic()
            with suppress(Stopped):
                result = self._results.popleft().result()
                self.stalled += monotonic() - started
                yield result

    def rest(self) -> None:
        """Wait for all phases; `finished` yields them later."""
        wait(self._results)

    def _work(self) -> None:
        with self._lock:
            if not self._waiting:
                self._active = False
                return
            phase, result = self._waiting.popleft()
        started = monotonic()
        try:
            result.set_result(phase())
        except BaseException as problem:
            result.set_exception(problem)
        self.busy += monotonic() - started
        with suppress(RuntimeError):  # the threads have been shut down
            self._threads.submit(self._work)
