"""Evaluators: what gives values to states.

An evaluator is any callable that takes planes `int8[B, C, H, W]` and returns values `float32[B]`,
always from the first player's point of view. One with a policy returns a pair: the values and the
logits `float32[B, move_count]`. Networks are evaluators; those here need no network.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from athenan._core import hash_values

Planes = NDArray[np.int8]
Values = NDArray[np.float32]
Policies = NDArray[np.float32]
Evaluator = Callable[[Planes], Values | tuple[Values, Policies]]

__all__ = ["Evaluator", "Planes", "Policies", "Values", "constant_evaluator", "hash_evaluator"]


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
