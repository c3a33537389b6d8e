"""Matches between two networks: one pool whose two minds ask an evaluator each."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from athenan._core import MatchRecord, Pool, Stop, Stopped
from athenan.evaluators.network import NetworkEvaluator
from athenan.networks.network import Network
from athenan.selfplay.source import Pools


class Duels(Pools):
    """A pool of two minds. The one plays first in every other match, the other in the rest."""

    def __init__(self, pool: Pool, evaluators: Sequence[NetworkEvaluator]) -> None:
        super().__init__([pool], evaluators[0])
        self.evaluators = list(evaluators)
        """Of the first network and of the second one."""
        self._waiting = [0] * len(evaluators)

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        """Queue a match."""
        pool = self._pools[self._deal.deal()]
        pool.add(index, seed, list(opening), first_mind=index % 2, progress=progress)

    def take_weights(self, *networks: Network) -> None:
        """Evaluate with the weights of both networks from the next batch on."""
        for evaluator, network in zip(self.evaluators, networks, strict=True):
            evaluator.update(network)

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        """Give the waiting states of both networks their values, then let all matches go on."""
        (pool,) = self._pools
        started = perf_counter()
        evaluated = sum(self._waiting)
        for number, evaluator in enumerate(self.evaluators):
            if self._waiting[number]:
                found = evaluator.evaluate(pool.batch(number), pool.moves(number))
                pool.resume(number, found.values, found.logits)
                self._waiting[number] = 0
        valued = perf_counter()
        try:
            pool.collect(stop)
        except Stopped:
            return []
        finally:
            self._tallies[0].count(evaluated, valued - started, perf_counter() - valued)
        self._waiting = [len(pool.batch(number)) for number in range(len(self.evaluators))]
        return self._ended(0)
