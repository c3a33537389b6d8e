"""Self-play: sources of matches, and what they share.

A pool advances all its matches on C++ threads until each needs values; the evaluator gives values
to all waiting states in one batch; the pool goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from athenan._core import MatchRecord, Mind, Pool, ResolvedMemory
from athenan.evaluators import Evaluator

__all__ = ["MatchRecord", "Mind", "Pool", "ResolvedMemory", "play"]


def play(pool: Pool, evaluators: Sequence[Evaluator]) -> Iterator[MatchRecord]:
    """Play all matches of the pool and yield their records as they end.

    Matches added to the pool while this runs are played too.
    """
    while True:
        waiting = pool.collect()
        for index in range(pool.evaluators):
            if len(planes := pool.batch(index)):
                found = evaluators[index].evaluate(planes, pool.moves(index))
                pool.resume(index, found.values, found.logits)
        yield from pool.take_finished()  # whoever takes one may add another
        if not waiting and not pool.queued:
            return
