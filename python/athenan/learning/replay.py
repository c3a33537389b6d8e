"""Between a match and the learner: the replay memory and its minibatches.

The array form of `athenan.reference.replay`. A learning phase is a list of minibatches, each an
array of rows of the table of pairs. Drawing without replacement is following a random permutation,
which is what makes this form fast and equal to the paper's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from math import ceil

import numpy as np
from numpy.typing import NDArray

from athenan.files import Arrays
from athenan.learning.table import Data, ReplayTable, Rows, refuse_unless


class ReplayMemory(ABC):
    """The memory M: takes the data of a match, gives the minibatches of a learning phase."""

    table: ReplayTable

    @abstractmethod
    def phase(self, data: Data, batch_size: int, random: np.random.Generator) -> list[Rows]:
        """Add D to M, forget the oldest, and return the rows of each minibatch."""

    def withdraw(self, data: Data) -> None:
        """Take the newest D out of M: its phase was not finished."""
        self.table.withdraw(len(data))

    def arrays(self) -> Arrays:
        """Return a copy of everything, for a checkpoint."""
        return self.table.all().arrays()

    def restore(self, arrays: Arrays) -> None:
        """Become what `arrays` describes."""
        data = Data.of_arrays(arrays)
        refuse_unless(data.states.shape[1:] == self.table.states.shape[1:])
        refuse_unless((data.moves is None) == (self.table.moves is None))
        self.table.append(data)


@dataclass
class ExperienceMemory(ReplayMemory):
    """Experience replay: a phase learns σμ pairs at random (σ|M| where μ counts matches)."""

    mu: int
    sigma: float
    counts_matches: bool
    table: ReplayTable
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

    def withdraw(self, data: Data) -> None:
        """Take the newest D out of M."""
        super().withdraw(data)
        if self.counts_matches:
            self.sizes.pop()

    def arrays(self) -> Arrays:
        """Return a copy of everything, for a checkpoint."""
        return super().arrays() | {"sizes": np.array(self.sizes, np.int64)}

    def restore(self, arrays: Arrays) -> None:
        """Become what `arrays` describes."""
        super().restore(arrays)
        refuse_unless(are_sizes(arrays["sizes"], len(self.table)) or not self.counts_matches)
        self.sizes = deque(arrays["sizes"].tolist())


@dataclass
class StratifiedMemory(ReplayMemory):
    """Stratified experience replay: each of the last μ matches gives its share δ/μ to a phase.

    The pairs of a match are learned in the order of a permutation, and once all were, of another
    one: D is what the order holds from `next` on, D' what lies before. Matches are rows of arrays,
    oldest first, for there may be thousands of them; the orders lie in one array beside the table,
    in the same rows as the pairs.
    """

    mu: int
    delta: float
    table: ReplayTable
    first: Rows = field(default_factory=lambda: np.empty(0, np.int64))
    """The number of each match's first pair."""
    size: Rows = field(default_factory=lambda: np.empty(0, np.int64))
    next: Rows = field(default_factory=lambda: np.empty(0, np.int64))
    order: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))

    def phase(self, data: Data, batch_size: int, random: np.random.Generator) -> list[Rows]:
        """Add D to M, forget the oldest, and return the rows of each minibatch."""
        self._add(data, random)
        self._forget(len(self.first) - self.mu)
        numbers = self._taken(random)
        g = number_of_minibatches(len(numbers), batch_size)
        rounds = ceil(len(numbers) / g)
        drawn = [np.empty(0, np.int64), *(random.permutation(g) for _ in range(rounds))]
        groups = np.concatenate(drawn)[: len(numbers)]
        by_group = self.table.rows(numbers)[np.argsort(groups, kind="stable")]
        return np.split(by_group, np.cumsum(np.bincount(groups, minlength=g))[:-1])

    def withdraw(self, data: Data) -> None:
        """Take the newest D out of M."""
        super().withdraw(data)
        self.first, self.size, self.next = self.first[:-1], self.size[:-1], self.next[:-1]

    def _add(self, data: Data, random: np.random.Generator) -> None:
        start = self.table.end
        self.table.append(data)
        self._make_room(start)
        self.first = np.append(self.first, start)
        self.size = np.append(self.size, len(data))
        self.next = np.append(self.next, 0)
        self._reorder(len(self.first) - 1, random)

    def _forget(self, surplus: int) -> None:
        if surplus > 0:
            self.table.drop(int(self.size[:surplus].sum()))
            kept = slice(surplus, None)
            self.first, self.size, self.next = self.first[kept], self.size[kept], self.next[kept]

    def _taken(self, random: np.random.Generator) -> Rows:
        """Return the numbers of the pairs that each match gives, oldest match first."""
        quota = np.ceil(self.delta * self.size / self.mu).astype(np.int64)
        ends = np.cumsum(quota)
        through = np.arange(ends[-1]) - np.repeat(ends - quota, quota)
        places = np.repeat(self.first + self.next, quota) + through
        numbers: Rows = np.repeat(self.first, quota) + self.order[self.table.rows(places)]
        ending = (self.next + quota >= self.size) & (quota > 0)
        for match in np.flatnonzero(ending).tolist():
            own = slice(ends[match] - quota[match], ends[match])
            numbers[own] = self._taken_around(match, int(quota[match]), random)
        self.next += np.where(ending, 0, quota)
        return numbers

    def _taken_around(self, match: int, count: int, random: np.random.Generator) -> Rows:
        """Take pairs of a match up to the end of its order and on from the start of another."""
        taken = []
        while count:
            start = self.first[match] + self.next[match]
            left = int(self.size[match] - self.next[match])
            part = self.order[self.table.rows(np.arange(start, start + min(count, left)))]
            taken.append(part)
            count -= len(part)
            self.next[match] += len(part)
            if self.next[match] == self.size[match]:
                self._reorder(match, random)
        return np.asarray(self.first[match] + np.concatenate(taken), np.int64)

    def _reorder(self, match: int, random: np.random.Generator) -> None:
        start, size = self.first[match], int(self.size[match])
        self.order[self.table.rows(np.arange(start, start + size))] = random.permutation(size)
        self.next[match] = 0

    def _make_room(self, end: int) -> None:
        """Lay out the orders of all pairs before `end` anew if the table has grown."""
        capacity, before = len(self.table.values), len(self.order)
        if capacity != before:
            numbers = np.arange(self.table.first, end)
            grown = np.empty(capacity, np.int32)
            grown[numbers % capacity] = self.order[numbers % max(1, before)]
            self.order = grown

    def arrays(self) -> Arrays:
        """Return a copy of everything, for a checkpoint."""
        rows = self.table.rows(np.arange(self.table.first, self.table.end))
        own: Arrays = {"sizes": self.size.copy(), "next": self.next.copy()}
        return super().arrays() | own | {"orders": self.order[rows]}

    def restore(self, arrays: Arrays) -> None:
        """Become what `arrays` describes."""
        super().restore(arrays)
        sizes, following, orders = arrays["sizes"], arrays["next"], arrays["orders"]
        refuse_unless(are_sizes(sizes, len(self.table)) and orders.shape == (len(self.table),))
        refuse_unless(bool(np.all((following >= 0) & (following <= sizes))))
        refuse_unless(bool(np.all((orders >= 0) & (orders < np.repeat(sizes, sizes)))))
        self._make_room(0)
        self.order[: self.table.end] = arrays["orders"]
        self.size = np.array(arrays["sizes"], np.int64)
        self.next = np.array(arrays["next"], np.int64)
        self.first = np.cumsum(self.size) - self.size


def are_sizes(sizes: NDArray[np.int64], pairs: int) -> bool:
    """Tell whether matches of these sizes have this many pairs together."""
    return bool(np.all((sizes >= 0) & (sizes <= pairs))) and int(sizes.sum()) == pairs


def number_of_minibatches(n: int, batch_size: int) -> int:
    """Return g: the number of minibatches whose size is nearest to B."""
    g = max(1, n // batch_size)
    if abs(n // g - batch_size) > abs(n // (g + 1) - batch_size):
        g += 1
    return g
