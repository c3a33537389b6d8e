"""What the learner is given: minibatches of encoded states, with what to learn of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from athenan._core import Game, describe_moves, encode_packed
from athenan.evaluators.touches import touched_places
from athenan.learning.table import MoveTargets, ReplayTable, Rows
from athenan.networks.architecture import TOUCHES, input_shape

Floats = NDArray[np.float32]


class EncodedMoves(NamedTuple):
    """Moves of some states with their targets, in CSR form."""

    offsets: Rows
    places: NDArray[np.int32]
    """`[N, TOUCHES]`: see `touched_places`."""
    targets: Floats

    def of_states(self, first: int, end: int) -> EncodedMoves:
        """Return those of the states from `first` to `end`."""
        moves = slice(int(self.offsets[first]), int(self.offsets[end]))
        offsets = self.offsets[first : end + 1] - self.offsets[first]
        return EncodedMoves(offsets, self.places[moves], self.targets[moves])

    @property
    def width(self) -> int:
        """The largest number of moves that a state has."""
        return int(np.diff(self.offsets).max(initial=0))

    def fill(
        self, rows: Rows, places: NDArray[np.int32], targets: Floats, counts: NDArray[np.int32]
    ) -> None:
        """Write them into padded arrays `[R, width, ...]`, the state i into row `rows[i]`."""
        own = np.diff(self.offsets)
        row = np.repeat(rows, own)
        column = np.arange(len(self.targets)) - np.repeat(self.offsets[:-1], own)
        places[row, column] = self.places
        targets[row, column] = self.targets
        counts[rows] = own

    def padded(self) -> tuple[NDArray[np.int32], Floats, NDArray[np.int32]]:
        """Return places `[n, width, TOUCHES]`, targets `[n, width]` and the number of moves."""
        states, width = len(self.offsets) - 1, max(1, self.width)
        places = np.zeros((states, width, TOUCHES), np.int32)
        targets = np.zeros((states, width), np.float32)
        counts = np.zeros(states, np.int32)
        self.fill(np.arange(states), places, targets, counts)
        return places, targets, counts


class Encoded(NamedTuple):
    """Some minibatches, one after the other."""

    planes: NDArray[np.int8]
    """`[n, C, H, W]`."""
    values: Floats
    sizes: Rows
    """Of each minibatch."""
    moves: EncodedMoves | None = None
    """Where moves are learned too."""
    wholes: Rows | None = None
    """The sizes of the minibatches, where these are the parts of one of several learners."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def whole_sizes(self) -> Rows:
        """The sizes of the minibatches, those parts included that others learn."""
        return self.sizes if self.wholes is None else self.wholes

    def part_of(self, wholes: Rows) -> Encoded:
        """Return the same as parts of minibatches of these sizes."""
        return Encoded(self.planes, self.values, self.sizes, self.moves, wholes)

    def of_states(self, first: int, end: int) -> Encoded:
        """Return the states from `first` to `end` as one minibatch."""
        moves = None if self.moves is None else self.moves.of_states(first, end)
        size = np.array([end - first], np.int64)
        return Encoded(self.planes[first:end], self.values[first:end], size, moves)

    def minibatches(self) -> Iterator[Encoded]:
        """Yield them one by one."""
        ends = np.cumsum(self.sizes).tolist()
        for index, (first, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            yield self.of_states(first, end).part_of(self.whole_sizes[index : index + 1])

    def shares(self, count: int) -> list[Encoded]:
        """Split the states into parts of nearly equal size."""
        rows = np.array_split(np.arange(len(self)), count)
        return [self.of_states(int(part[0]), int(part[-1]) + 1) for part in rows if len(part)]


class Encoder:
    """Encodes pairs of a table, by C++ threads."""

    def __init__(self, game: Game, *, with_moves: bool) -> None:
        self._game = game
        self._with_moves = with_moves
        _, rows, columns = input_shape(game)
        self._touches = (len(game.datasheet.move_kinds) * TOUCHES, rows, columns)

    def __call__(self, table: ReplayTable, minibatches: list[Rows], threads: int) -> Encoded:
        """Encode some minibatches."""
        rows = np.concatenate(minibatches)
        planes = encode_packed(self._game, table.states, rows, threads)
        sizes = np.array([len(each) for each in minibatches], np.int64)
        moves = self._moves(table, rows, threads) if self._with_moves else None
        return Encoded(planes, table.values[rows], sizes, moves)

    def _moves(self, table: ReplayTable, rows: Rows, threads: int) -> EncodedMoves:
        """Encode the moves; a table without any teaches values alone."""
        none = MoveTargets(
            np.zeros(len(rows) + 1, np.int64), np.empty(0, np.uint32), np.empty(0, np.float32)
        )
        moves = none if table.moves is None else table.moves.at(rows)
        kinds, cells = describe_moves(
            self._game, table.states, rows, moves.offsets, moves.numbers, threads
        )
        return EncodedMoves(
            moves.offsets, touched_places(kinds, cells, self._touches), moves.targets
        )
