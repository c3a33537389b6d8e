"""How long a turn may take: what a protocol says of it, and when the answer is due."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

from athenan._core import State
from athenan.arena.clocks import LAG, SHORTEST, seconds_of_turn


@dataclass(frozen=True)
class Limits:
    """What a protocol allows for one turn. A missing value is no limit."""

    seconds: float = 0
    """For this turn; beside a clock, its upper limit."""
    nodes: int = 0
    """Expansions, for each ply."""
    depth: int = 0
    """For each ply, of a search that deepens step by step."""
    infinite: bool = False
    """Until a stop command, even when the outcome is proven."""
    left: float | None = None
    """Seconds on the clock of the player to move."""
    increment: float = 0
    """Seconds added to it after each turn."""
    turns_to_go: int = 0
    """Turns within the time left; 0: all to come."""
    byoyomi: float = 0
    """Seconds for each turn beside the time left."""
    asked: float = field(default_factory=perf_counter, compare=False)
    """When the turn began, by perf_counter."""

    def deadline(self, state: State) -> float | None:
        """Return when the answer is due, by perf_counter; None if no clock runs."""
        allowed = [self.seconds] if self.seconds else []
        if self.left is not None:
            left = max(self.left, 0)
            allowed.append(
                seconds_of_turn(state, left, self.increment, self.byoyomi, self.turns_to_go)
            )
        if self.infinite or not allowed:
            return None
        return self.asked + max(min(allowed) - LAG, SHORTEST)
