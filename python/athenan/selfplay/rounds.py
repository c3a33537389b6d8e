"""Self-play in rounds: pools take turns, so that the network and the C++ threads both work.

With one pool a round is: all matches advance, the network evaluates, and so on. With two, the
threads advance one pool while the network evaluates the batch of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from time import perf_counter

from athenan._core import MatchRecord, Pool, Stop, Stopped
from athenan.evaluators.evaluator import Evaluation
from athenan.evaluators.network import NetworkEvaluator, Ticket
from athenan.selfplay.source import Pools, answer, ask


class Rounds(Pools):
    """Pools that are advanced in turn, each by all threads."""

    def __init__(self, pools: Sequence[Pool], evaluator: NetworkEvaluator) -> None:
        super().__init__(pools, evaluator)
        self._tickets: list[Ticket | None] = [None] * len(pools)

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        """Take the values of one pool, advance it, send off its next batch."""
        turn = self._deal.turn
        pool, ticket = self._pools[turn], self._tickets[turn]
        started = perf_counter()
        if ticket is not None:
            answer(pool, ticket.result())
            self._tickets[turn] = None
        waited = perf_counter()
        try:
            waiting = pool.collect(stop)
        except Stopped:
            return []
        advanced = perf_counter()
        if waiting:
            self._tickets[turn] = self._send(pool)
        network_seconds = waited - started + perf_counter() - advanced
        self._tallies[turn].count(waiting, network_seconds, advanced - waited)
        return self._ended(turn)

    def rest(self) -> None:
        """Wait for the batches under way."""
        for ticket in self._tickets:
            if ticket is not None:
                ticket.result()

    def _send(self, pool: Pool) -> Ticket:
        """Begin to evaluate; with nothing else to do meanwhile, this thread takes its share."""
        if len(self._pools) > 1:
            return ask(pool, self._evaluator.submit)
        answered: Future[Evaluation] = Future()
        answered.set_result(ask(pool, self._evaluator.evaluate))
        return answered
