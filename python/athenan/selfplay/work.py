"""What self-play has done, and where its time went."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from athenan._core import Pool


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

    @classmethod
    def of_pool(cls, pool: Pool) -> Work:
        """Return what a pool has done so far, its batches aside."""
        spent = pool.spent
        return cls(
            expansions=spent.expansions, transpositions=spent.transpositions, plies=pool.plies
        )

    @classmethod
    def of_batch(cls, states: int, network_seconds: float, rules_seconds: float) -> Work:
        """Return the work of evaluating one batch, which may be empty."""
        return cls(
            states,
            int(states > 0),
            Counter({states.bit_length(): 1} if states else {}),
            rules_seconds,
            network_seconds,
        )

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
