"""Between a match and the learner: symmetric copies, replay, minibatches.

The array form of `athenan.reference.replay`. States are packed bytes in one table; a learning phase
is a list of minibatches, each an array of rows of that table. Drawing without replacement is
following a random permutation, which is what makes this form fast and equal to the paper's.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import ceil
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from athenan._core import Game, transform_packed
from athenan.learning.settings import Replay

States = NDArray[np.uint8]
Values = NDArray[np.float32]
Rows = NDArray[np.int64]
Arrays = dict[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Data:
    """The pairs (s, v) to learn: packed states `uint8[n, packed_size]` and values `float32[n]`."""

    states: States
    values: Values

    def __len__(self) -> int:
        return len(self.values)


def with_symmetries(game: Game, data: Data, random: np.random.Generator, threads: int = 0) -> Data:
    """Return D and one copy of each state under a random symmetry other than the identity."""
    others = game.symmetries - 1
    if others == 0 or len(data) == 0:
        return data
    symmetries = random.integers(1, others, len(data), dtype=np.uint8, endpoint=True)
    copies = transform_packed(game, data.states, symmetries, threads)
    return Data(np.concatenate([data.states, copies]), np.concatenate([data.values, data.values]))


class Table:
    """A queue of pairs in two arrays. The pair number i, counted from the first ever added, lies at
    row i modulo the capacity; the capacity doubles when it is reached.
    """

    def __init__(self, packed_size: int) -> None:
        self.states: States = np.empty((1024, packed_size), np.uint8)
        self.values: Values = np.empty(1024, np.float32)
        self.first = 0
        self.end = 0

    def __len__(self) -> int:
        return self.end - self.first

    def append(self, data: Data) -> None:
        """Add pairs at the end."""
        self._make_room(len(self) + len(data))
        rows = self.rows(np.arange(self.end, self.end + len(data)))
        self.states[rows], self.values[rows] = data.states, data.values
        self.end += len(data)

    def drop(self, count: int) -> None:
        """Forget the oldest pairs."""
        self.first += count

    def rows(self, numbers: Rows) -> Rows:
        """Return where pairs lie."""
        return numbers % len(self.values)

    def all(self) -> Data:
        """Return a copy of all pairs, oldest first."""
        rows = self.rows(np.arange(self.first, self.end))
        return Data(self.states[rows], self.values[rows])

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


class ReplayMemory(Protocol):
    """The memory M: takes the data of a match, gives the minibatches of a learning phase."""

    table: Table

    def phase(self, data: Data, batch_size: int, random: np.random.Generator) -> list[Rows]:
        """Add D to M, forget the oldest, and return the rows of each minibatch."""

    def arrays(self) -> Arrays:
        """Return everything, for a checkpoint."""

    def restore(self, arrays: Arrays) -> None:
        """Become what `arrays` describes."""


def make_memory(settings: Replay, game: Game) -> ReplayMemory:
    """Return an empty memory."""
    table = Table(game.packed_size)
    if settings.kind == "stratified":
        return StratifiedMemory(settings.size, settings.duplication, table)
    return ExperienceMemory(settings.size, settings.sampling, settings.unit == "matches", table)


@dataclass
class ExperienceMemory:
    """Experience replay: a phase learns σμ pairs at random (σ|M| where μ counts matches)."""

    mu: int
    sigma: float
    counts_matches: bool
    table: Table
    sizes: deque[int] = field(default_factory=deque)

    def phase(self, data: Data, batch_size: int, random: np.random.Generator) -> list[Rows]:
        """Add D to M, forget the oldest, and return the rows of each minibatch."""
        self.table.append(data)
        if self.counts_matches:
            self.sizes.append(len(data))
            while len(self.sizes) > self.mu:
                self.table.drop(self.sizes.popleft())
        else:
            self.table.drop(max(0, len(self.table) - self.mu))
        known = len(self.table)
        size = round(self.sigma * (known if self.counts_matches else self.mu))
        drawn = random.choice(known, min(known, size), replace=False)
        rows = self.table.rows(self.table.first + drawn)
        return [rows[i : i + batch_size] for i in range(0, len(rows), batch_size)]

    def arrays(self) -> Arrays:
        """Return everything, for a checkpoint."""
        kept = self.table.all()
        return {
            "states": kept.states,
            "values": kept.values,
            "sizes": np.array(self.sizes, np.int64),
        }

    def restore(self, arrays: Arrays) -> None:
        """Become what `arrays` describes."""
        self.table.append(_data_of(arrays))
        self.sizes = deque(arrays["sizes"].tolist())


@dataclass
class MatchInMemory:
    """The pairs of one match: D is what `order` holds from `next` on, D' what lies before."""

    first: int
    size: int
    order: Rows
    next: int = 0

    def take(self, count: int, random: np.random.Generator) -> Rows:
        """Return the numbers of `count` pairs; each one once before any comes again."""
        taken = []
        while count:
            part = self.order[self.next : self.next + count]
            taken.append(part)
            count -= len(part)
            self.next += len(part)
            if self.next == self.size:
                self.order, self.next = random.permutation(self.size), 0
        return self.first + np.concatenate(taken) if taken else np.empty(0, np.int64)


@dataclass
class StratifiedMemory:
    """Stratified experience replay: each of the last μ matches gives its share δ/μ to a phase."""

    mu: int
    delta: float
    table: Table
    matches: deque[MatchInMemory] = field(default_factory=deque)

    def phase(self, data: Data, batch_size: int, random: np.random.Generator) -> list[Rows]:
        """Add D to M, forget the oldest, and return the rows of each minibatch."""
        self.matches.append(MatchInMemory(self.table.end, len(data), random.permutation(len(data))))
        self.table.append(data)
        while len(self.matches) > self.mu:
            self.table.drop(self.matches.popleft().size)
        taken = [match.take(self._quota(match), random) for match in self.matches]
        numbers = np.concatenate(taken)
        g = number_of_minibatches(len(numbers), batch_size)
        rounds = ceil(len(numbers) / g)
        order = [np.empty(0, np.int64), *(random.permutation(g) for _ in range(rounds))]
        groups = np.concatenate(order)[: len(numbers)]
        rows = self.table.rows(numbers)
        return [rows[groups == j] for j in range(g)]

    def _quota(self, match: MatchInMemory) -> int:
        return ceil(self.delta * match.size / self.mu)

    def arrays(self) -> Arrays:
        """Return everything, for a checkpoint."""
        kept = self.table.all()
        orders = [match.order for match in self.matches] or [np.empty(0, np.int64)]
        return {
            "states": kept.states,
            "values": kept.values,
            "sizes": np.array([match.size for match in self.matches], np.int64),
            "next": np.array([match.next for match in self.matches], np.int64),
            "orders": np.concatenate(orders),
        }

    def restore(self, arrays: Arrays) -> None:
        """Become what `arrays` describes."""
        self.table.append(_data_of(arrays))
        first = 0
        for size, taken in zip(arrays["sizes"].tolist(), arrays["next"].tolist(), strict=True):
            order = np.asarray(arrays["orders"][first : first + size], np.int64)
            self.matches.append(MatchInMemory(first, size, order, taken))
            first += size


def number_of_minibatches(n: int, batch_size: int) -> int:
    """Return g: the number of minibatches whose size is nearest to B."""
    g = max(1, n // batch_size)
    if abs(n // g - batch_size) > abs(n // (g + 1) - batch_size):
        g += 1
    return g


def _data_of(arrays: Arrays) -> Data:
    return Data(np.asarray(arrays["states"], np.uint8), np.asarray(arrays["values"], np.float32))
