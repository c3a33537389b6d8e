"""Playing many matches together: the loop that feeds evaluators.

A pool advances all its matches on C++ threads until each needs values; the evaluator gives values
to all waiting states in one batch; the pool goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

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
            planes = pool.batch(index)
            if len(planes) == 0:
                continue
            answer = evaluators[index](planes)
            values, policies = answer if isinstance(answer, tuple) else (answer, None)
            pool.resume(index, np.ascontiguousarray(values, np.float32), policies)
        yield from pool.take_finished()  # whoever takes one may add another
        if not waiting and not pool.queued:
            return
