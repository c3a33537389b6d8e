"""What is learned, as arrays: states with their values, and with targets of their moves.

States are packed bytes in one table, with a value each. Where moves are learned too, each state has
any number of them: a second, ragged table holds their numbers and targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from athenan._core import Game, MatchRecord, transform_moves, transform_packed
from athenan.files import Arrays

States = NDArray[np.uint8]
Values = NDArray[np.float32]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class MoveTargets:
    """What to learn of some moves of each of some states, in CSR form.

    The moves of state i are those from `offsets[i]` to `offsets[i + 1]`; a state may have none. The
    targets of a policy are the shares of all legal moves, 1 in all; other targets are values.
    """

    offsets: Rows
    numbers: NDArray[np.uint32]
    targets: Values

    def __len__(self) -> int:
        """Of how many states."""
        return len(self.offsets) - 1

    @property
    def counts(self) -> Rows:
        """How many moves each state has."""
        return np.diff(self.offsets)

    def drawn(self, count: int, random: np.random.Generator) -> MoveTargets:
        """Return at most this many moves of each state, drawn at random, in their order."""
        state = np.repeat(np.arange(len(self)), self.counts)
        order = np.lexsort((random.random(len(state)), state))
        rank = np.arange(len(state)) - np.repeat(self.offsets[:-1], self.counts)
        kept = np.sort(order[rank < count])
        offsets = np.append(0, np.cumsum(np.minimum(self.counts, count)))
        return MoveTargets(offsets, self.numbers[kept], self.targets[kept])

    def followed_by(self, others: MoveTargets) -> MoveTargets:
        """Return these and those of other states."""
        offsets = np.concatenate([self.offsets, self.offsets[-1] + others.offsets[1:]])
        numbers = np.concatenate([self.numbers, others.numbers])
        return MoveTargets(offsets, numbers, np.concatenate([self.targets, others.targets]))

    def repeated(self, times: int) -> MoveTargets:
        """Return these repeated a number of times, one after the other."""
        offsets = np.append(0, np.cumsum(np.tile(self.counts, times)))
        return MoveTargets(offsets, np.tile(self.numbers, times), np.tile(self.targets, times))


@dataclass(frozen=True)
class Data:
    """The pairs (s, v) to learn: packed states `uint8[n, packed_size]` and values `float32[n]`."""

    states: States
    values: Values
    moves: MoveTargets | None = None
    """Where moves are learned too."""

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of_match(cls, record: MatchRecord) -> Data:
        """Return what there is to learn from a match."""
        moves = record.move_targets
        return cls(*record.targets, None if moves is None else MoveTargets(*moves))

    def arrays(self) -> Arrays:
        """Return the arrays by name, for a checkpoint."""
        out: Arrays = {"states": self.states, "values": self.values}
        if self.moves is not None:
            counts = self.moves.counts.astype(np.int32)
            out |= {"moves": self.moves.numbers, "targets": self.moves.targets, "counts": counts}
        return out

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Data:
        """Return what `arrays` gave; arrays that do not fit together are refused."""
        states = np.asarray(arrays["states"], np.uint8)
        values = np.asarray(arrays["values"], np.float32)
        refuse_unless(states.ndim == 2 and states.shape[:1] == values.shape)
        if "counts" not in arrays:
            return cls(states, values)
        counts = np.asarray(arrays["counts"], np.int64)
        numbers = np.asarray(arrays["moves"], np.uint32)
        targets = np.asarray(arrays["targets"], np.float32)
        refuse_unless(counts.shape == values.shape and numbers.shape == targets.shape)
        refuse_unless(bool(np.all((counts >= 0) & (counts <= len(numbers)))))
        refuse_unless(int(counts.sum()) == len(numbers) and bool(np.isfinite(targets).all()))
        return cls(states, values, MoveTargets(np.append(0, np.cumsum(counts)), numbers, targets))


def with_symmetries(
    game: Game,
    data: Data,
    random: np.random.Generator,
    threads: int = 0,
    *,
    every_symmetry: bool = False,
) -> Data:
    """Return D and copies of each state under other symmetries than the identity.

    One copy under a random symmetry, as in the paper, or one under each. The targets of a move are
    those of its image.
    """
    others = game.symmetries - 1
    if others == 0 or len(data) == 0:
        return data
    if every_symmetry:
        symmetries = np.arange(1, others + 1, dtype=np.uint8).repeat(len(data))
    else:
        symmetries = random.integers(1, others, len(data), dtype=np.uint8, endpoint=True)
    copies = len(symmetries) // len(data)
    originals = np.tile(data.states, (copies, 1))
    images = transform_packed(game, originals, symmetries, threads)
    moves = data.moves
    if moves is not None:
        same = moves.repeated(copies)
        numbers = transform_moves(game, originals, same.offsets, same.numbers, symmetries, threads)
        moves = moves.followed_by(MoveTargets(same.offsets, numbers, same.targets))
    states = np.concatenate([data.states, images])
    return Data(states, np.tile(data.values, 1 + copies), moves)


class ReplayTable:
    """A queue of pairs in two arrays. The pair number i, counted from the first ever added, lies at
    row i modulo the capacity; the capacity doubles when it is reached.
    """

    def __init__(self, packed_size: int, *, with_moves: bool = False) -> None:
        self.states: States = np.empty((1024, packed_size), np.uint8)
        self.values: Values = np.empty(1024, np.float32)
        self.moves = MoveTable(len(self.values)) if with_moves else None
        """Where moves are learned too."""
        self.first = 0
        self.end = 0

    def __len__(self) -> int:
        return self.end - self.first

    def append(self, data: Data) -> None:
        """Add pairs at the end."""
        self._make_room(len(self) + len(data))
        rows = self.rows(np.arange(self.end, self.end + len(data)))
        self.states[rows], self.values[rows] = data.states, data.values
        if self.moves is not None:
            assert data.moves is not None
            self.moves.append(rows, data.moves)
        self.end += len(data)

    def drop(self, count: int) -> None:
        """Forget the oldest pairs."""
        if self.moves is not None and count:
            self.moves.drop(self.rows(np.arange(self.first, self.first + count)))
        self.first += count

    def withdraw(self, count: int) -> None:
        """Forget the newest pairs."""
        end = max(self.first, self.end - count)
        if self.moves is not None:
            self.moves.withdraw(self.rows(np.arange(end, self.end)))
        self.end = end

    def rows(self, numbers: Rows) -> Rows:
        """Return where pairs lie."""
        return numbers % len(self.values)

    def all(self) -> Data:
        """Return a copy of all pairs, oldest first."""
        return self.at(self.rows(np.arange(self.first, self.end)))

    def at(self, rows: Rows) -> Data:
        """Return a copy of the pairs at these rows."""
        moves = None if self.moves is None else self.moves.at(rows)
        return Data(self.states[rows], self.values[rows], moves)

    def _make_room(self, needed: int) -> None:
        capacity = len(self.values)
        if needed <= capacity:
            return
        while capacity < needed:
            capacity *= 2
        kept = self.all()
        self.states = np.empty((capacity, self.states.shape[1]), np.uint8)
        self.values = np.empty(capacity, np.float32)
        rows = np.arange(self.first, self.end) % capacity
        self.states[rows], self.values[rows] = kept.states, kept.values
        if kept.moves is not None:
            self.moves = MoveTable(capacity)
            self.moves.append(rows, kept.moves)


class MoveTable:
    """The moves of the pairs of a table: a queue of its own, in two arrays.

    The moves of a pair lie one after the other; where, is noted in the row of the pair.
    """

    def __init__(self, capacity_of_pairs: int) -> None:
        self._numbers = np.empty(4096, np.uint32)
        self._targets = np.empty(4096, np.float32)
        self._starts = np.zeros(capacity_of_pairs, np.int64)
        self._counts = np.zeros(capacity_of_pairs, np.int64)
        self._first = 0
        self._end = 0

    def append(self, rows: Rows, moves: MoveTargets) -> None:
        """Add the moves of further pairs, which lie at these rows."""
        count = len(moves.numbers)
        self._make_room(self._end - self._first + count)
        places = np.arange(self._end, self._end + count) % len(self._numbers)
        self._numbers[places], self._targets[places] = moves.numbers, moves.targets
        self._starts[rows] = self._end + moves.offsets[:-1]
        self._counts[rows] = moves.counts
        self._end += count

    def drop(self, rows: Rows) -> None:
        """Forget the moves of the oldest pairs."""
        self._first += int(self._counts[rows].sum())

    def withdraw(self, rows: Rows) -> None:
        """Forget the moves of the newest pairs."""
        self._end -= int(self._counts[rows].sum())

    def at(self, rows: Rows) -> MoveTargets:
        """Return a copy of the moves of the pairs at these rows."""
        counts = self._counts[rows]
        offsets = np.append(0, np.cumsum(counts))
        through = np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts)
        places = (np.repeat(self._starts[rows], counts) + through) % len(self._numbers)
        return MoveTargets(offsets, self._numbers[places], self._targets[places])

    def _make_room(self, needed: int) -> None:
        """Double the arrays until they suffice: a move goes to the same place of a longer ring."""
        before = len(self._numbers)
        capacity = before
        while capacity < needed:
            capacity *= 2
        if capacity > before:
            kept = np.arange(self._first, self._end)
            for name in ("_numbers", "_targets"):
                old = getattr(self, name)
                grown = np.empty(capacity, old.dtype)
                grown[kept % capacity] = old[kept % before]
                setattr(self, name, grown)


def refuse_unless(fitting: bool) -> None:
    """Refuse arrays that come from elsewhere."""
    if not fitting:
        raise ValueError("the arrays of a replay memory do not fit together")
