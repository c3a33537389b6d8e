"""Matches between two networks: one pool whose two minds ask an evaluator each."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from athenan._core import MatchRecord, Pool, Stop, Stopped
from athenan.evaluators.network import NetworkEvaluator
from athenan.selfplay.source import Pools
from athenan.selfplay.work import Work


class Duels(Pools):
    """A pool of two minds. The one plays first in every other match, the other in the rest.

    `take_weights` is for the first network; the second evaluator gets its weights from who made it.
    """

    def __init__(self, pool: Pool, evaluators: Sequence[NetworkEvaluator]) -> None:
        super().__init__([pool], evaluators[0])
        self._evaluators = list(evaluators)
        self._waiting = [0] * len(self._evaluators)

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        """Queue a match."""
        pool = self._pools[self._deal.deal()]
        pool.add(index, seed, list(opening), first_mind=index % 2, progress=progress)

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        """Give the waiting states of both networks their values, then let all matches go on."""
        (pool,) = self._pools
        started = perf_counter()
        evaluated = sum(self._waiting)
        for number, evaluator in enumerate(self._evaluators):
            if self._waiting[number]:
                found = evaluator.evaluate(pool.batch(number), pool.moves(number))
                pool.resume(number, found.values, found.logits)
                self._waiting[number] = 0
        before, valued = Work.of_pool(pool), perf_counter()
        try:
            pool.collect(stop)
        except Stopped:
            return []
        advanced = perf_counter()
        self._waiting = [len(pool.batch(number)) for number in range(len(self._evaluators))]
        self._work += Work.of_batch(evaluated, valued - started, advanced - valued)
        self._work += Work.of_pool(pool) - before
        return self._ended(0)
