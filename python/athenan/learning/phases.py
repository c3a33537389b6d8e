"""Between learning and self-play: phases one way, new weights the other way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from athenan._core import Stopped
from athenan.networks.network import Network
from athenan.selfplay.source import Source

T = TypeVar("T")
SHARE = 0.025  # of the time that new weights may cost many matches at a time
MAX_AGE = 1 / 16  # of the matches at a time: learned by then, new weights come at any cost


class Phases(Generic[T]):
    """A queue of phases, of which one at a time is being worked on.

    Beside self-play, on threads that others use too; or, without any, when its result is taken.
    """

    def __init__(self, threads: ThreadPoolExecutor | None) -> None:
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
        if start and self._threads is not None:
            self._threads.submit(self._work, self._threads)

    @property
    def waiting(self) -> int:
        """How many have not begun."""
        return len(self._waiting)

    def finished(self, max_missing: int) -> Iterator[T]:
        """Yield the results there are; wait for more while more than `max_missing` are missing.

        Phases that were stopped have none.
        """
        beside = self._threads is not None
        while self._results and not (
            beside and len(self._results) <= max_missing and not self._results[0].done()
        ):
            started = monotonic()
            if not beside:
                self._work_on_next()
            with suppress(Stopped):
                result = self._results.popleft().result()
                self.stalled += monotonic() - started
                yield result

    def rest(self) -> None:
        """Wait for all phases on threads; `finished` yields them later."""
        if self._threads is not None:
            wait(self._results)

    def _work(self, threads: ThreadPoolExecutor) -> None:
        with self._lock:
            if not self._waiting:
                self._active = False
                return
        self._work_on_next()
        with suppress(RuntimeError):  # the threads have been shut down
            threads.submit(self._work, threads)

    def _work_on_next(self) -> None:
        phase, result = self._waiting.popleft()
        started = monotonic()
        try:
            result.set_result(phase())
        except BaseException as problem:
            result.set_exception(problem)
        self.busy += monotonic() - started


class WeightSync:
    """Gives self-play the weights of the network that learns.

    Either after every match, or when it is worth it: many matches at a time on a CPU play on with
    older weights while new ones would cost more than their share of the time; but not for long by
    the measure of what is learned.
    """

    def __init__(self, source: Source, after_every_match: bool) -> None:
        self._source = source
        self._pause = 0.0 if after_every_match else 1 / SHARE
        self._due = 0.0
        self._learned = 0

    def learned(self, networks: Sequence[Network], concurrency: int) -> None:
        """Note that a match was learned, and hand over the weights if it is time."""
        self._learned += 1
        start = monotonic()
        if start >= self._due or self._learned >= MAX_AGE * concurrency:
            self._source.take_weights(*networks)
            end = monotonic()
            self._due = end + self._pause * (end - start)
            self._learned = 0
