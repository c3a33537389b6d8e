"""The adaptive evaluation f_θ, asked in batches and never twice for the same state."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from athenan._core import State
from athenan.reference.labels import Key, float32

Planes = NDArray[np.int8]
Values = NDArray[np.float32]
Evaluator = Callable[[Planes], Values]
"""From planes [B, C, H, W] to the values of the states, for the first player, [B]."""
PolicyEvaluator = Callable[[Planes], tuple[Values, NDArray[np.float32]]]
"""Also a number for each of all moves, [B, move_count]: logits, or values."""


def encoded(states: Iterable[State]) -> Planes:
    """Return the planes of states as one batch."""
    return np.stack([state.encode() for state in states])


class Evaluations:
    """The values f_θ(s) of one match, kept by key."""

    def __init__(self, evaluate: Evaluator) -> None:
        self.evaluate = evaluate
        self.values: dict[Key, float] = {}

    def add(self, states: Iterable[tuple[Key, State]]) -> int:
        """Evaluate those not known yet in one batch; return their number."""
        unknown = {key: state for key, state in states if key not in self.values}
        if unknown:
            batch = self.evaluate(encoded(unknown.values()))
            self.values.update(zip(unknown, map(float32, batch), strict=True))
        return len(unknown)
