"""Self-play in rounds: pools take turns, so that the network and the C++ threads both work.

With one pool a round is: all matches advance, the network evaluates, and so on. With two, the
threads advance one pool while the network evaluates the batch of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from athenan._core import MatchRecord, Pool, Stop, Stopped
from athenan.evaluators.evaluator import Evaluation
from athenan.evaluators.network import NetworkEvaluator, Ticket
from athenan.selfplay.source import Deal, Source, answer, ask
from athenan.selfplay.work import Work

if TYPE_CHECKING:
    from athenan.networks.network import Network


@dataclass(frozen=True)
class _Answered:
    """The ticket of a batch that was evaluated at once."""

    answer: Evaluation

    def result(self) -> Evaluation:
        return self.answer


class Rounds(Source):
    """Pools that share one evaluator."""

    def __init__(self, pools: Sequence[Pool], evaluator: NetworkEvaluator) -> None:
        self._evaluator = evaluator
        self._pools = list(pools)
        self._tickets: list[Ticket | None] = [None] * len(pools)
        self._deal = Deal(len(pools))
        self._work = Work()

    @property
    def work(self) -> Work:
        """What was done so far, unfinished matches included."""
        return self._work

    @property
    def at_rest(self) -> bool:
        """Whether every match added so far has ended."""
        return self._deal.at_rest

    @property
    def tree_bytes(self) -> int:
        """The memory of the trees of all matches."""
        return sum(pool.tree_bytes for pool in self._pools)

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        """Queue a match."""
        self._pools[self._deal.deal()].add(index, seed, list(opening), progress=progress)

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        """Take the values of one pool, advance it, send off its next batch."""
        turn = self._deal.turn
        pool, ticket = self._pools[turn], self._tickets[turn]
        started = perf_counter()
        if ticket is not None:
            answer(pool, ticket.result())
            self._tickets[turn] = None
        before, waited = pool.spent, perf_counter()
        try:
            waiting = pool.collect(stop)
        except Stopped:
            return []
        advanced = perf_counter()
        if waiting:
            self._tickets[turn] = self._send(pool)
        network_seconds = waited - started + perf_counter() - advanced
        self._work += Work.of_batch(waiting, network_seconds, advanced - waited, before, pool.spent)
        ended = pool.take_finished()
        self._deal.ended(turn, len(ended))
        return ended

    def take_weights(self, network: Network) -> None:
        """Evaluate with the weights of this network from the next batch on."""
        self._evaluator.update(network)

    def rest(self) -> None:
        """Wait for the batches under way."""
        for ticket in self._tickets:
            if ticket is not None:
                ticket.result()

    def _send(self, pool: Pool) -> Ticket:
        """Begin to evaluate; with nothing else to do meanwhile, this thread takes its share."""
        if len(self._pools) == 1:
            return _Answered(ask(pool, self._evaluator.evaluate))
        return ask(pool, self._evaluator.submit)
