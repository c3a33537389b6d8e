"""From touch planes to the logits of legal moves.

The second head of a network gives four touch planes for each kind of move, one for each of the
cells that a move may touch in turn. The logit of a move is the sum of what they hold at its cells;
a move without cells, such as a pass, takes the mean of the first plane of its kind. Of a network
that gives values to moves, it is how far the value of a move is from the value of its state.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from athenan.evaluators.evaluator import LegalMoves, Values
from athenan.networks.architecture import TOUCHES

Touches = NDArray[np.float32]
"""`[B, kinds * TOUCHES, H, W]`."""


def move_logits(
    touches: Touches, moves: LegalMoves, start: int = 0, base: Values | None = None
) -> NDArray[np.float32]:
    """Return the logits of the legal moves of the states from `start` on, one per row of touches.

    They are added to the base, a number for each of these states, where there is one. A logit
    depends on nothing but its own state and move, to the last bit.
    """
    states, planes, rows, columns = touches.shape
    offsets = moves.offsets[start : start + states + 1]
    here = slice(int(offsets[0]), int(offsets[-1]))
    cells, kinds, counts = moves.cells[here], moves.kinds[here], np.diff(offsets)
    flat, size = touches.reshape(-1), rows * columns
    first = np.repeat(np.arange(states) * (planes * size), counts)
    if kinds.any():
        first += kinds.astype(np.int64) * (TOUCHES * size)
    logits = np.zeros(len(kinds), np.float32)
    for i, touched in enumerate(cells.T):
        there = touched >= 0
        if there.all():  # of many games each move touches one cell, or two
            logits += flat[first + (i * size) + touched]
        elif there.any():
            logits[there] += flat[first[there] + (i * size) + touched[there]]
    nowhere = cells[:, 0] < 0  # who touches any cell touches a first one
    if nowhere.any():
        means = flat.reshape(states * planes, size)[::TOUCHES].mean(axis=1)
        logits[nowhere] = means[first[nowhere] // (TOUCHES * size)]
    return logits if base is None else logits + np.repeat(base, counts)


def touched_places(
    kinds: NDArray[np.uint8], cells: NDArray[np.int16], shape: tuple[int, int, int]
) -> NDArray[np.int32]:
    """Return from where the logit of each move is summed, `[N, TOUCHES]`: for learning.

    The places are those of the touch planes `shape` of its state, one after the other, followed by
    the mean of the first plane of each kind, and by a zero.
    """
    planes, rows, columns = shape
    means, size = planes * rows * columns, rows * columns
    zero = means + planes // TOUCHES
    first = (kinds.astype(np.int32) * TOUCHES)[:, None] + np.arange(TOUCHES, dtype=np.int32)
    places = np.where(cells >= 0, first * size + cells, zero).astype(np.int32)
    nowhere = (cells < 0).all(axis=1)
    places[nowhere, 0] = means + kinds[nowhere].astype(np.int32)
    return places
