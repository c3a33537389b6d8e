"""Self-play in lanes: for CPU cores, where no thread should wait for another.

A lane is a pool that one thread at a time advances and evaluates. There are as many lanes as
threads, so that all cores work without meeting. Other work that shares the threads, such as
learning, takes one for a while, and the lanes share the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from time import perf_counter

from athenan._core import MatchRecord, Pool, Stop, Stopped
from athenan.evaluators.cpu import CpuEvaluator
from athenan.selfplay.source import Pools, answer, ask
from athenan.selfplay.work import Tally


@dataclass
class _Lane:
    pool: Pool
    tally: Tally
    waiting: int = 0
    """States that wait for values."""
    advancing: bool = False


class Lanes(Pools):
    """Pools of one thread each that share an evaluator and some threads."""

    def __init__(
        self, pools: Sequence[Pool], evaluator: CpuEvaluator, threads: ThreadPoolExecutor
    ) -> None:
        super().__init__(pools, evaluator)
        self._evaluate = evaluator.on_this_thread
        self._lanes = [_Lane(*each) for each in zip(pools, self._tallies, strict=True)]
        self._threads = threads
        self._advanced: SimpleQueue[tuple[int, Future[None]]] = SimpleQueue()

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        """Let all lanes go on and wait for the first; return the matches that ended there."""
        for number, lane in enumerate(self._lanes):
            if self._deal.matches[number] and not lane.advancing:
                self._start(number, lane, stop)
        if not any(lane.advancing for lane in self._lanes):
            return []
        return self._ended(self._wait())

    def rest(self) -> None:
        """Wait for the lanes under way."""
        while any(lane.advancing for lane in self._lanes):
            self._wait()

    def _wait(self) -> int:
        """Return the number of the lane that has advanced first."""
        number, future = self._advanced.get()
        self._lanes[number].advancing = False
        future.result()
        return number

    def _start(self, number: int, lane: _Lane, stop: Stop | None) -> None:
        lane.advancing = True
        future = self._threads.submit(self._advance, lane, stop)
        future.add_done_callback(lambda done: self._advanced.put((number, done)))

    def _advance(self, lane: _Lane, stop: Stop | None) -> None:
        """Give the waiting states their values, then let all matches of the lane go on."""
        evaluated, started = lane.waiting, perf_counter()
        if evaluated:
            answer(lane.pool, ask(lane.pool, self._evaluate))
            lane.waiting = 0
        valued = perf_counter()
        with suppress(Stopped):
            lane.waiting = lane.pool.collect(stop)
        lane.tally.count(evaluated, valued - started, perf_counter() - valued)
