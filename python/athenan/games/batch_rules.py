"""Rules that answer for many states at once, with NumPy: games in Python that are fast.

Python costs some microseconds per call, whatever it does. Rules that expand or encode a thousand
states in one call pay that once. `benchmarks/python_games.py` measures the difference.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from athenan._core import Error
from athenan.games.rules import ONGOING, Rules, StateBytes, exactly

States = NDArray[np.uint8]
"""`[N, bytes of a state]`."""

CHUNK = 4096  # states expanded at a time when leaves are counted


class Expanded(NamedTuple):
    """All children of some states, in the order of the states."""

    parents: NDArray[Any]
    """`[M]`: which state each child comes from, in ascending order."""
    moves: NDArray[Any]
    """`[M]`: the move that leads there."""
    children: NDArray[Any]
    """`[M, bytes of a state]`."""
    results: NDArray[Any]
    """`[M]`: +1, 0, -1, or `ONGOING` for a match that is not over."""


def _every(parents: NDArray[Any], count: int) -> bool:
    """Tell whether these are the numbers below `count`, each at least once, in ascending order."""
    if not len(parents) or parents[0] != 0 or parents[-1] != count - 1:
        return False
    steps = parents[1:] - parents[:-1]
    return count == 1 or bool(steps.min() >= 0 and steps.max() <= 1)


class BatchRules(Rules):
    """The rules of one game, over arrays of states.

    Give `datasheet`, `initial`, `to_move`, `result`, `expand_many` and `encode_many`; `moves`,
    `apply` and `encode` follow from the latter two. `examples/batch_dots_and_boxes.py` is a game.

    >>> import athenan
    >>> game = athenan.make_game("examples/batch_dots_and_boxes.py")
    >>> game.perft(1) == len(game.initial_state().legal_moves())
    True
    """

    @abstractmethod
    def expand_many(self, states: States) -> Expanded:
        """Return all children of states, none of which is ended."""

    @abstractmethod
    def encode_many(self, states: States) -> NDArray[Any]:
        """Return the planes [N, C, H, W] of states, integers from -128 to 127."""

    def moves(self, state: StateBytes) -> Iterable[int]:
        """Return the legal moves."""
        return self._expansion(state.tobytes()).moves.tolist()  # type: ignore[no-any-return]

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        """Return the state after a legal move."""
        expanded = self._expansion(state.tobytes())
        child: StateBytes = expanded.children[int(np.flatnonzero(expanded.moves == move)[0])]
        return child

    def encode(self, state: StateBytes) -> NDArray[Any]:
        """Return the planes."""
        planes: NDArray[Any] = self.encode_many(state[None])[0]
        return planes

    # The protocol with the engine.

    _last: tuple[bytes, Expanded] | None = None  # it asks for moves, and then for the children

    def _expansion(self, data: bytes) -> Expanded:
        last = self._last
        if last is not None and last[0] == data:
            return last[1]
        expanded = self._checked_expansion(np.frombuffer(data, np.uint8)[None])
        self._last = data, expanded
        return expanded

    def children_bytes(self, data: bytes) -> tuple[bytes, bytes, bytes]:
        """Return the moves, the children and their results as bytes of uint32, uint8 and int8."""
        expanded = self._expansion(data)
        return (
            expanded.moves.astype(np.uint32).tobytes(),
            expanded.children.tobytes(),
            expanded.results.astype(np.int8).tobytes(),
        )

    def encode_bytes(self, data: bytes, count: int) -> NDArray[np.int8]:
        """Return the planes of many states at once."""
        states = np.frombuffer(data, np.uint8).reshape(count, -1)
        try:
            planes: NDArray[np.int8] = exactly(self.encode_many(states), np.int8)
        except (TypeError, ValueError) as problem:
            raise Error(f"the method encode_many of {self.datasheet().title}: {problem}") from None
        return planes

    def count_leaves(self, data: bytes, depth: int) -> int:
        """Count the sequences of exactly `depth` moves, many states at a time."""
        return self._leaves(np.frombuffer(data, np.uint8)[None], depth)

    def _leaves(self, states: States, depth: int) -> int:
        leaves = 0
        for start in range(0, len(states), CHUNK):
            expanded = self._checked_expansion(states[start : start + CHUNK])
            if depth == 1:
                leaves += len(expanded.moves)
            else:
                leaves += self._leaves(expanded.children[expanded.results == ONGOING], depth - 1)
        return leaves

    def _checked_expansion(self, states: States) -> Expanded:
        """Expand states; what the engine could not take is told."""
        given = self.expand_many(states)
        try:
            parents, moves, children, results = (np.asarray(each) for each in given)
            children = exactly(children, np.uint8)
        except (TypeError, ValueError) as problem:
            raise self._wrong(str(problem)) from None
        shapes = [each.shape for each in (parents, moves, results)]
        if len(set(shapes)) != 1 or children.shape != (*shapes[0], states.shape[1]):
            raise self._wrong(f"arrays of the shapes {[*shapes, children.shape]}")
        if not _every(parents, len(states)):
            raise self._wrong("parents that are not every state, in ascending order")
        if results.dtype.kind not in "iu" or results.min() < -1 or results.max() > ONGOING:
            raise self._wrong("a result that is none of +1, 0, -1 and ONGOING")
        return Expanded(parents, moves, children, results)

    def _wrong(self, what: str) -> Error:
        return Error(f"the method expand_many of {self.datasheet().title} returned {what}")
