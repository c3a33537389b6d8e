"""Batches that end in time: how long an evaluator takes, and what to do when it takes too long."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from athenan.evaluators.evaluator import Evaluation, Evaluator, LegalMoves, Planes, Values

PIECE = 0.008
"""Seconds of the pieces into which a long batch is divided."""
SHORT = 0.02
"""Seconds of a batch that is not worth dividing."""
FORGETTING = 0.9


class Pace:
    """How long an evaluator takes, going by the batches before.

    >>> from athenan.evaluators import constant_evaluator
    >>> pace, planes = Pace(), np.zeros((100, 1, 2, 2), np.int8)
    >>> evaluation, whole = pace.evaluate(constant_evaluator(0.5), planes, None, lambda: False)
    >>> float(evaluation.values.mean()), whole, 0 < pace.expected < 1
    (0.5, True, True)
    """

    def __init__(self) -> None:
        self.expected = 0.0
        """Seconds of the next batch; 0 before the first one."""
        self._per_state = 0.0

    def evaluate(
        self,
        evaluator: Evaluator,
        planes: Planes,
        moves: LegalMoves | None,
        is_late: Callable[[], bool],
    ) -> tuple[Evaluation, bool]:
        """Evaluate a batch, and tell whether it is whole.

        On a CPU a batch that takes long is divided, and given up between two pieces when it is
        late. Of the states that it did not reach nothing is known: they get the mean of the others.
        """
        started = perf_counter()
        divides = moves is None and evaluator.device == "cpu" and self.expected > SHORT
        divides = divides and evaluator.is_divisible
        size = max(1, round(PIECE / self._per_state)) if divides else len(planes)
        first = evaluator.evaluate(planes[:size], moves)
        self._per_state = (perf_counter() - started) / max(1, min(size, len(planes)))
        whole = True
        if size < len(planes):
            values = np.empty(len(planes), np.float32)
            values[:size] = first.values
            whole = self._go_on(evaluator, planes, values, size, is_late)
            first = Evaluation(values)
        taken = perf_counter() - started
        if whole:
            self.expected = max(taken, FORGETTING * self.expected)
        return first, whole

    def _go_on(
        self,
        evaluator: Evaluator,
        planes: Planes,
        values: Values,
        size: int,
        is_late: Callable[[], bool],
    ) -> bool:
        """Evaluate what follows the first piece."""
        for done in range(size, len(planes), size):
            if is_late():
                values[done:] = values[:done].mean()
                return False
            values[done : done + size] = evaluator.evaluate(planes[done : done + size]).values
        return True
