"""What an evaluator is, and two that need no network."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from athenan._core import hash_values

Planes = NDArray[np.int8]
Values = NDArray[np.float32]
Policies = NDArray[np.float32]
Answer = Values | tuple[Values, Policies]
Evaluator = Callable[[Planes], Answer]


def constant_evaluator(value: float = 0.0) -> Evaluator:
    """Give every state the same value: a search with it knows only what it proves."""

    def evaluate(planes: Planes) -> Values:
        return np.full(len(planes), value, np.float32)

    return evaluate


def hash_evaluator(seed: int = 1) -> Evaluator:
    """Give each state a fixed value in [-1, 1) that looks random: for tests and benchmarks."""

    def evaluate(planes: Planes) -> Values:
        return hash_values(planes, seed)

    return evaluate
