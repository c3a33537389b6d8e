"""Self-play in rounds: pools take turns, so that the network and the C++ threads both work.

With one pool a round is: all matches advance, the network evaluates, and so on. With two, the
threads advance one pool while the network evaluates the batch of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from athenan._core import MatchRecord, Pool
from athenan.evaluators.evaluator import Answer, Planes
from athenan.evaluators.network import NetworkEvaluator, Ticket


@dataclass
class Work:
    """What self-play has done, and where its time went."""

    evaluations: int = 0
    batches: int = 0
    batch_sizes: Counter[int] = field(default_factory=Counter)
    """How many batches there were of each size, by its length in bits."""
    rules_seconds: float = 0.0
    """In the C++ threads: rules, trees, encoding."""
    network_seconds: float = 0.0
    """Waiting for values."""


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
        waited = perf_counter()
        waiting = turn.pool.collect()
        advanced = perf_counter()
        if waiting:
            turn.ticket = self._send(turn.pool.batch(0))
        self.work.network_seconds += waited - started + perf_counter() - advanced
        self.work.rules_seconds += advanced - waited
        self.work.evaluations += waiting
        self.work.batches += waiting > 0
        self.work.batch_sizes[waiting.bit_length()] += waiting > 0
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
