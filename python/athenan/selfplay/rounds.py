"""Self-play in rounds: pools take turns, so that the network and the C++ threads both work.

With one pool a round is: all matches advance, the network evaluates, and so on. With two, the
threads advance one pool while the network evaluates the batch of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from athenan._core import MatchRecord, Pool
from athenan.evaluators.evaluator import Answer, Planes
from athenan.evaluators.network import NetworkEvaluator, Ticket
from athenan.selfplay.work import Work


@dataclass(frozen=True)
class _Answered:
    """The ticket of a batch that was evaluated at once."""

    answer: Answer

    def result(self) -> Answer:
        return self.answer


@dataclass
class _Turn:
    pool: Pool
    ticket: Ticket | None = None


class Rounds:
    """Pools that share one evaluator."""

    def __init__(self, pools: Sequence[Pool], evaluator: NetworkEvaluator) -> None:
        self.evaluator = evaluator
        self.work = Work()
        self._turns = [_Turn(pool) for pool in pools]
        self._next = 0

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        """Queue a match, in the pool whose turn it is."""
        self._turns[self._next].pool.add(index, seed, list(opening), progress=progress)

    def skip(self) -> None:
        """Pass the turn to the next pool."""
        self._next = (self._next + 1) % len(self._turns)

    @property
    def at_rest(self) -> bool:
        """Every match added so far has ended."""
        return all(turn.ticket is None and not turn.pool.queued for turn in self._turns)

    @property
    def tree_bytes(self) -> int:
        """The memory of the trees of all matches."""
        return sum(turn.pool.tree_bytes for turn in self._turns)

    def step(self) -> list[MatchRecord]:
        """Take the values of one pool, advance it, send off its next batch.

        Return the matches that ended. New matches should be added before the turn is passed on.
        """
        turn = self._turns[self._next]
        started = perf_counter()
        if turn.ticket is not None:
            answer = turn.ticket.result()
            values, policies = answer if isinstance(answer, tuple) else (answer, None)
            turn.pool.resume(0, np.ascontiguousarray(values, np.float32), policies)
            turn.ticket = None
        before, waited = turn.pool.spent, perf_counter()
        waiting = turn.pool.collect()
        advanced = perf_counter()
        if waiting:
            turn.ticket = self._send(turn.pool.batch(0))
        network_seconds = waited - started + perf_counter() - advanced
        after = turn.pool.spent
        self.work += Work.of_batch(waiting, network_seconds, advanced - waited, before, after)
        return turn.pool.take_finished()

    def finish(self) -> None:
        """Wait for the batches under way and drop them: the evaluator is free for others."""
        for turn in self._turns:
            if turn.ticket is not None:
                turn.ticket.result()

    def _send(self, planes: Planes) -> Ticket:
        """Begin to evaluate; with nothing else to do meanwhile, this thread takes its share."""
        if len(self._turns) == 1:
            return _Answered(self.evaluator(planes))
        return self.evaluator.submit(planes)
