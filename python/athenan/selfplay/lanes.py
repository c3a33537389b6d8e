"""Self-play in lanes: for CPU cores, where no thread should wait for another.

A lane is a pool that one thread at a time advances and evaluates. There are as many lanes as
threads, so that all cores work without meeting; whoever shares the threads, as learning does, takes
one for a while, and the lanes share the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from time import perf_counter

import numpy as np

from athenan._core import MatchRecord, Pool
from athenan.evaluators.cpu import CpuEvaluator
from athenan.selfplay.work import Work


@dataclass
class _Lane:
    pool: Pool
    waiting: int = 0
    """States that wait for values."""
    advancing: bool = False

    @property
    def at_rest(self) -> bool:
        return not (self.advancing or self.waiting or self.pool.queued)


class Lanes:
    """Pools of one thread each that share an evaluator and some threads."""

    def __init__(
        self, pools: Sequence[Pool], evaluator: CpuEvaluator, threads: ThreadPoolExecutor
    ) -> None:
        self.evaluator = evaluator
        self.work = Work()
        self._lanes = [_Lane(pool) for pool in pools]
        self._threads = threads
        self._advanced: SimpleQueue[tuple[int, Future[Work]]] = SimpleQueue()
        self._next = 0

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        """Queue a match, in the lane whose turn it is."""
        self._lanes[self._next].pool.add(index, seed, list(opening), progress=progress)

    def skip(self) -> None:
        """Pass the turn to the next lane."""
        self._next = (self._next + 1) % len(self._lanes)

    @property
    def at_rest(self) -> bool:
        """Every match added so far has ended."""
        return all(lane.at_rest for lane in self._lanes)

    @property
    def tree_bytes(self) -> int:
        """The memory of the trees of all matches."""
        return sum(lane.pool.tree_bytes for lane in self._lanes)

    def step(self) -> list[MatchRecord]:
        """Let all lanes go on and wait for the first; it has the turn then.

        Return the matches that ended there. New ones should be added before the next step.
        """
        for number, lane in enumerate(self._lanes):
            if not (lane.advancing or lane.at_rest):
                self._start(number, lane)
        if not any(lane.advancing for lane in self._lanes):
            return []
        self._next, future = self._advanced.get()
        lane = self._lanes[self._next]
        lane.advancing = False
        self.work += future.result()
        return lane.pool.take_finished()

    def finish(self) -> None:
        """Wait for the lanes under way: the evaluator is free for others."""
        for lane in self._lanes:
            if lane.advancing:
                number, future = self._advanced.get()
                self._lanes[number].advancing = False
                future.result()

    def _start(self, number: int, lane: _Lane) -> None:
        lane.advancing = True
        future = self._threads.submit(self._advance, lane)
        future.add_done_callback(lambda done: self._advanced.put((number, done)))

    def _advance(self, lane: _Lane) -> Work:
        """Give the waiting states their values, then let all matches of the lane go on."""
        evaluated, started = lane.waiting, perf_counter()
        if evaluated:
            answer = self.evaluator.on_this_thread(lane.pool.batch(0))
            values, policies = answer if isinstance(answer, tuple) else (answer, None)
            lane.pool.resume(0, np.ascontiguousarray(values, np.float32), policies)
        before, valued = lane.pool.spent, perf_counter()
        lane.waiting = lane.pool.collect()
        advanced, after = perf_counter(), lane.pool.spent
        return Work.of_batch(evaluated, valued - started, advanced - valued, before, after)
