"""Rules of our own in the plainest Python, for what no other package plays.

They share nothing with the engine, not even the representation: boards are dictionaries of the
stones, lines are read as text, chains are found by walking.
"""

import re
from collections.abc import Iterator
from functools import cache

from crossplay.open_spiel import go_points

Point = tuple[int, int]  # column and row, counted from 1
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def points(names: list[str]) -> dict[str, Point]:
    """Locate the points of a square board that are named row by row."""
    size = round(len(names) ** 0.5)
    return {name: (i % size + 1, i // size + 1) for i, name in enumerate(names)}


class PlainGo:
    """Go with positional superko: all boards of the match are kept as they were."""

    def __init__(self, size: int, komi: float) -> None:
        self.point_of = points(go_points(size))
        self.size, self.komi = size, komi
        self.stones: dict[Point, int] = {}
        self.boards = [self.stones]
        self.passes = 0
        self.played = 0
        self.to_move = 0

    def neighbours(self, point: Point) -> Iterator[Point]:
        column, row = point
        for there in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            if min(there) >= 1 and max(there) <= self.size:
                yield there

    def region(self, stones: dict[Point, int], start: Point) -> tuple[set[Point], set[int | None]]:
        """Return the connected points that look like the given one, and what they touch."""
        found, touched, waiting = {start}, set(), [start]
        while waiting:
            for there in self.neighbours(waiting.pop()):
                if stones.get(there) != stones.get(start):
                    touched.add(stones.get(there))
                elif there not in found:
                    found.add(there)
                    waiting.append(there)
        return found, touched

    def after(self, point: Point) -> dict[Point, int] | None:
        """Return the board after a stone there, unless it is illegal."""
        if point in self.stones:
            return None
        stones = {**self.stones, point: self.to_move}
        for there in self.neighbours(point):
            if stones.get(there) == 1 - self.to_move:
                chain, touched = self.region(stones, there)
                if None not in touched:
                    stones = {p: owner for p, owner in stones.items() if p not in chain}
        if None not in self.region(stones, point)[1] or stones in self.boards:
            return None
        return stones

    def moves(self) -> list[str]:
        return [name for name, point in self.point_of.items() if self.after(point)] + ["pass"]

    def play(self, move: str) -> None:
        if move == "pass":
            self.passes += 1
        else:
            stones = self.after(self.point_of[move])
            assert stones
            self.passes = 0
            self.stones = stones
            self.boards.append(stones)
        self.played += 1
        self.to_move = 1 - self.to_move

    @property
    def lead(self) -> float:
        owners = {0: 0, 1: 0}
        for point in self.point_of.values():
            stone = self.stones.get(point)
            holders = self.region(self.stones, point)[1] if stone is None else {stone}
            if len(holders) == 1 and (holder := holders.pop()) is not None:
                owners[holder] += 1
        return owners[0] - owners[1] - self.komi

    @property
    def outcome(self) -> int | None:
        if self.passes < 2 and self.played < 2 * self.size**2:
            return None
        return (self.lead > 0) - (self.lead < 0)


@cache
def lines_through(point: Point, size: int) -> list[list[Point]]:
    """List the points of the row, the column and the diagonals of a point, in order."""
    column, row = point
    found = []
    for dx, dy in DIRECTIONS:
        line = [(column + k * dx, row + k * dy) for k in range(-size, size)]
        found.append([there for there in line if min(there) >= 1 and max(there) <= size])
    return found


class PlainInARow:
    """Stones in a row. What wins is a pattern of the text of a line, such as "x{6,}"."""

    def __init__(
        self, names: list[str], wins: str, stones_per_turn: int = 1, outer_opening: bool = False
    ) -> None:
        self.point_of = points(names)
        self.size = round(len(names) ** 0.5)
        self.pattern = rf"(?<!x){wins}(?!x)"
        self.stones_per_turn, self.outer_opening = stones_per_turn, outer_opening
        self.stones: dict[Point, int] = {}
        self.to_move, self.left = 0, 1
        self.outcome: int | None = None

    def is_open(self, point: Point) -> bool:
        if self.outer_opening and not self.stones:
            return min(point) <= 2 or max(point) >= self.size - 1
        return point not in self.stones

    def moves(self) -> list[str]:
        return [name for name, point in self.point_of.items() if self.is_open(point)]

    def lines(self, point: Point) -> Iterator[str]:
        """Write the four lines through a point, x for a stone of its owner."""
        owner = self.stones[point]
        for line in lines_through(point, self.size):
            yield "".join("x" if self.stones.get(there) == owner else "." for there in line)

    def play(self, move: str) -> None:
        point = self.point_of[move]
        self.stones[point] = self.to_move
        if any(re.search(self.pattern, line) for line in self.lines(point)):
            self.outcome = 1 - 2 * self.to_move
        elif len(self.stones) == self.size**2:
            self.outcome = 0
        self.left -= 1
        if self.left == 0:
            self.to_move, self.left = 1 - self.to_move, self.stones_per_turn
