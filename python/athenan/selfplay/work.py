"""What self-play has done, and where its time went."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from athenan._core import Pool

LONGEST_SIZE = 64  # bits of the number of states of a batch


@dataclass(frozen=True)
class Work:
    """Sums over batches; the seconds of several threads add up."""

    evaluations: int = 0
    batches: int = 0
    batch_sizes: Counter[int] = field(default_factory=Counter)
    """How many batches there were of each size, by its length in bits."""
    rules_seconds: float = 0.0
    """In the C++ threads: rules, trees, encoding."""
    network_seconds: float = 0.0
    """Waiting for values."""
    expansions: int = 0
    transpositions: int = 0
    """Children that were in the tree already."""
    plies: int = 0
    """Moves of matches, those under way among them."""

    @property
    def rules_share(self) -> float:
        """Part of the time that went into rules and trees, not into waiting for the network."""
        return self.rules_seconds / max(self.rules_seconds + self.network_seconds, 1e-9)

    def __add__(self, other: Work) -> Work:
        """Return both together."""
        return self._joined(other, operator.add)

    def __sub__(self, earlier: Work) -> Work:
        """Return what was done since then."""
        return self._joined(earlier, operator.sub)

    def _joined(self, other: Work, join: Callable[[Any, Any], Any]) -> Work:
        return Work(*map(join, vars(self).values(), vars(other).values()))


class Tally:
    """Counts what a pool does. One thread at a time may count; any may ask for the work so far.

    A sum of `Work`s after each batch would take as long as a small batch.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._spent, self._plies = pool.spent, pool.plies
        self._sizes = [0] * LONGEST_SIZE
        self._evaluations = self._batches = 0
        self._rules_seconds = self._network_seconds = 0.0

    def count(self, states: int, network_seconds: float, rules_seconds: float) -> None:
        """Count a batch, which may be empty, and what the pool has done."""
        self._spent, self._plies = self._pool.spent, self._pool.plies
        self._evaluations += states
        self._batches += states > 0
        self._sizes[states.bit_length()] += states > 0
        self._network_seconds += network_seconds
        self._rules_seconds += rules_seconds

    @property
    def work(self) -> Work:
        """What was counted so far."""
        return Work(
            self._evaluations,
            self._batches,
            Counter({size: batches for size, batches in enumerate(self._sizes) if batches}),
            self._rules_seconds,
            self._network_seconds,
            self._spent.expansions,
            self._spent.transpositions,
            self._plies,
        )
