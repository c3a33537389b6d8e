"""How strong the machine plays: from a first match to all that it can.

A weaker level thinks for a shorter time, and then chooses among moves that it finds nearly as good
as the best one. So it plays naturally and can be beaten, and never errs just anyhow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from athenan._core import Error, MoveLabel, Random
from athenan.searches import SearchResult


@dataclass(frozen=True)
class Level:
    """One strength."""

    name: str
    seconds: float
    """Of thinking per move."""
    tolerance: float
    """How much worse a move may be, as a share of what lies between the best and the worst."""


LEVELS = (
    Level("first time", 0.05, 0.5),
    Level("beginner", 0.1, 0.3),
    Level("casual", 0.2, 0.15),
    Level("club", 0.5, 0.05),
    Level("strong", 1.0, 0.0),
    Level("full strength", 4.0, 0.0),
)
AS_TOLD = Level("", math.inf, 0.0)
"""Of players that the owner of the server has named: their own limits."""


def level_of(number: object) -> Level:
    """Return the level of a number from a request."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(LEVELS):
        raise Error(f"there is no level {number!r}; levels are 0 to {len(LEVELS) - 1}")
    return LEVELS[number]


def chosen_move(found: SearchResult, mover: int, level: Level, random: Random) -> int:
    """Return the move that a level plays, given what a search found for it."""
    near = near_best(found.moves, mover, level.tolerance)
    if level.tolerance == 0 or found.best_move not in near:
        return found.best_move
    return near[random.below(len(near))]


def near_best(moves: Sequence[MoveLabel], mover: int, tolerance: float) -> list[int]:
    """Return the moves that are worse than the best by at most a share of the whole range.

    A proven loss is never among them if there is anything else, and while nothing is within reach
    of a proven win the win is played.

    >>> labels = [MoveLabel(0, 0.8), MoveLabel(1, 0.7), MoveLabel(2, -0.2)]
    >>> near_best(labels, 0, 0.2), near_best(labels, 1, 0.2)
    ([0, 1], [2])
    """
    side = 1 if mover == 0 else -1
    alive = [each for each in moves if not (each.resolved and side * each.completion < 0)]
    open_moves = alive or list(moves)
    if not open_moves:
        return []
    values = [side * each.value for each in open_moves]
    best = max(values)
    bound = best - tolerance * (best - min(values))
    return [each.move for each, value in zip(open_moves, values, strict=True) if value >= bound]
