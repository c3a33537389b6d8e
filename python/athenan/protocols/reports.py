"""What a search has found so far, as protocols tell it: from the view of the player to move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from athenan._core import MoveLabel, Search, State
from athenan.searches import SearchResult

FULL_SCORE = 1000
"""Hundredths of a point or of a pawn that a certain win is worth where values end at 1."""


@dataclass(frozen=True)
class Line:
    """One move of the root and what follows it."""

    move: int
    value: float
    """From the view of the player to move."""
    proven: int | None
    """+1, 0 or -1 for the player to move, if it is proven."""
    count: int
    variation: tuple[int, ...]
    """The move, and those that both prefer after it as far as they are known."""

    @property
    def chance(self) -> float:
        """The probability of a win that the value stands for, from 0 to 1."""
        if self.proven is not None:
            return (self.proven + 1) / 2
        return (max(-1.0, min(1.0, self.value)) + 1) / 2

    @property
    def centipawns(self) -> int:
        """The value as protocols with scores want it."""
        if self.proven == 0 or not math.isfinite(self.value):
            return 0
        return round(self.value * (FULL_SCORE if abs(self.value) <= 1 else 100))

    @property
    def mate(self) -> int | None:
        """The moves to a proven end as far as it is seen, negative for a loss; None without one."""
        if not self.proven:
            return None
        return self.proven * ((len(self.variation) + 1) // 2)


@dataclass(frozen=True)
class Report:
    """What a search has found out about a state."""

    state: State
    labels: Sequence[MoveLabel]
    variation: tuple[int, ...]
    nodes: int
    seconds: float

    @classmethod
    def of_result(cls, state: State, result: SearchResult, seconds: float) -> Report:
        """Return the report of a search that has ended."""
        line = tuple(result.principal_variation)
        if not line or line[0] != result.best_move:
            line = (result.best_move,)
        return cls(state, result.moves, line, result.spent.expansions, seconds)

    @classmethod
    def of_search(cls, state: State, search: Search, seconds: float) -> Report | None:
        """Return the report of a search that goes on; None as long as it knows nothing."""
        if not search.node_count or not (labels := _labels(search)):
            return None
        line = tuple(search.principal_variation)
        return cls(state, labels, line, search.spent.expansions, seconds)

    @cached_property
    def lines(self) -> list[Line]:
        """All moves, the best first."""
        sign = -1 if self.state.to_move else 1
        best = self.variation[0] if self.variation else None
        found = [
            Line(
                each.move,
                sign * each.value,
                sign * each.completion if each.resolved else None,
                each.count,
                self.variation if each.move == best else (each.move,),
            )
            for each in self.labels
        ]
        found.sort(key=lambda each: (each.move == best, *_merit(each)), reverse=True)
        return found

    @property
    def nodes_per_second(self) -> int:
        """Expansions per second."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0


def _merit(line: Line) -> tuple[float, float, int]:
    return (line.proven or 0, line.value if math.isfinite(line.value) else 0.0, line.count)


def _labels(search: Search) -> Sequence[MoveLabel]:
    try:
        return search.root_moves
    except ValueError:  # the root is not expanded yet
        return []
