"""How strong the machine plays: from a first match to all that it can.

A weaker level looks at fewer positions, and then chooses any of the moves that it finds nearly as
good as the best one: those that rank high enough and whose value is near enough. So it plays
naturally and can be beaten, and never errs just anyhow. The rank is what makes a good model
beatable: its values tell the moves that win from those that lose, and among the former alone every
level would win. What is looked at is counted and not timed: a level is as strong on a slow machine
as on a fast one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from athenan._core import Error, MoveLabel, Random
from athenan.searches import SearchResult

SHORTEST = 0.05  # seconds


@dataclass(frozen=True)
class Level:
    """One strength."""

    name: str
    looks: int
    """At each move, by MCTS, or iterations of a model's search; 0: no such limit."""
    seconds: float
    """Of thinking per move, at most."""
    share: float
    """Of the moves, the best of which it chooses from; one at least."""
    tolerance: float
    """How much worse than the best they may be, as a share of what lies between best and worst."""

    def iterations(self, moves: int, has_model: bool) -> int:
        """Return how many iterations it may search a state with so many moves; 0: no limit.

        One iteration of a model's search values all moves of a position, one of MCTS a single move.
        """
        return self.looks if has_model else self.looks * moves

    def within(self, seconds: float) -> Level:
        """Return full strength with other seconds of thinking per move."""
        if self.looks:
            raise Error(f"seconds are for full strength; {self.name!r} looks {self.looks} times")
        return replace(self, name=f"{self.name}, {seconds:g} s", seconds=seconds)


LEVELS = (
    Level("first time", 2, 0.5, 0.5, 1.0),
    Level("beginner", 4, 0.5, 0.35, 0.7),
    Level("casual", 12, 0.5, 0.2, 0.4),
    Level("club", 50, 1.0, 0.1, 0.1),
    Level("strong", 250, 2.0, 0.0, 0.0),
    Level("full strength", 0, 4.0, 0.0, 0.0),
)
AS_TOLD = Level("", 0, math.inf, 0.0, 0.0)
"""Of players that the owner of the server has named: their own limits."""


def level_of(number: object) -> Level:
    """Return the level of a number from a request."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(LEVELS):
        raise Error(f"there is no level {number!r}; levels are 0 to {len(LEVELS) - 1}")
    return LEVELS[number]


def chosen_move(found: SearchResult, mover: int, level: Level, random: Random) -> int:
    """Return the move that a level plays, given what a search found for it."""
    near = near_best(found.moves, mover, level.share, level.tolerance)
    if level.share == 0 or not near:
        return found.best_move
    return near[random.below(len(near))]


def near_best(
    moves: Sequence[MoveLabel], mover: int, share: float, tolerance: float = 1.0
) -> list[int]:
    """Return the best share of the moves, without those that are worse by more than a tolerance.

    The best one comes first. A proven loss is never among them if there is anything else, nor is a
    move that the search has not tried.

    >>> labels = [MoveLabel(0, 0.8), MoveLabel(1, 0.7), MoveLabel(2, -0.2)]
    >>> near_best(labels, 0, 0.6), near_best(labels, 1, 1.0), near_best(labels, 1, 1.0, 0.5)
    ([0, 1], [2, 1, 0], [2])
    """
    side = 1 if mover == 0 else -1
    alive = [each for each in moves if not (each.resolved and side * each.completion < 0)]
    tried = [each for each in alive if math.isfinite(each.value)]
    candidates = tried or alive or moves
    if not candidates:
        return []
    ranked = sorted(candidates, key=lambda each: (-side * each.completion, -side * each.value))
    best, worst = ranked[0].value, ranked[-1].value
    return [
        each.move
        for each in ranked[: max(1, math.ceil(share * len(moves)))]
        if abs(best - each.value) <= tolerance * abs(best - worst)
    ]
