"""How long a turn may take: what a protocol says of it, and what is made of a clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

from athenan._core import State

MARGIN = 0.006
"""Seconds of each turn that are left for the answer to travel."""
RESERVE = 0.2
"""The part of the time left that no turn but the last of a period may touch."""
SHORTEST = 0.005


@dataclass(frozen=True)
class Limits:
    """What a protocol allows for one turn. Nothing said is no limit."""

    seconds: float = 0
    """For this turn."""
    nodes: int = 0
    """Expansions, for each ply."""
    infinite: bool = False
    """Until somebody says stop: also when the outcome is proven."""
    left: float | None = None
    """Seconds on the clock of the player to move."""
    increment: float = 0
    """Seconds added to it after each turn."""
    turns_to_go: int = 0
    """Turns within the time left; 0: all to come."""
    byoyomi: float = 0
    """Seconds for each turn when no time is left."""
    asked: float = field(default_factory=perf_counter, compare=False)
    """When the turn began, by perf_counter."""

    def deadline(self, state: State) -> float | None:
        """Return when the answer is due, by perf_counter; None if no clock runs."""
        if self.infinite:
            return None
        if self.seconds:
            return self.asked + max(self.seconds - MARGIN, SHORTEST)
        if self.left is None:
            return None
        return self.asked + max(self._share(state) - MARGIN, SHORTEST)

    def _share(self, state: State) -> float:
        """Return the part of a clock that a turn may take."""
        left = max(self.left or 0, 0)
        turns = self.turns_to_go or _turns_left(state)
        kept = left * (1 - RESERVE) if turns > 1 else left
        return min(left / turns + 0.8 * self.increment, kept) + 0.95 * self.byoyomi


def _turns_left(state: State) -> int:
    """Guess how many more turns one player makes, from matches at random."""
    sheet = state.game.datasheet
    length = sheet.typical_length or sheet.max_length
    return max(10, (length - state.ply) // sheet.players)
