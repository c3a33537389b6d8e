"""What won a match, as cells of the diagram: a row, a connection, the pieces that arrived.

Each function is given the position and the winner, "first" or "second", and returns the ways to
draw: lines from cell to cell, or single cells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from athenan.pictures.diagram import Cell, Diagram

Ways = list[list[Cell]]
Owned = Mapping[Cell, str | None]
"""Whose piece stands on each cell."""
Winning = Callable[[Diagram, Owned, str], Ways]

ALONG = ((0, 1), (1, 0), (1, 1), (1, -1))
RHOMBUS_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
HEXAGON_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))
CORNER, SIDE = 3, 4  # neighbours of a cell at the border of a hexagon


def nothing(_diagram: Diagram, _owned: Owned, _winner: str) -> Ways:
    """Return nothing: of most games no part of the board is what won."""
    return []


def longest_row(_diagram: Diagram, owned: Owned, winner: str) -> Ways:
    """Return the longest straight row of the winner: the one that won is never shorter."""
    mine = _cells_of(owned, winner)
    rows = (_run(cell, step, mine) for cell in mine for step in ALONG)
    return [max(rows, key=len)] if mine else []


def across(diagram: Diagram, owned: Owned, winner: str) -> Ways:
    """Return the shortest connection of Hex: the first player joins top and bottom."""
    mine, last = _cells_of(owned, winner), diagram.rows - 1
    axis = 0 if winner == "first" else 1
    way = _shortest(
        [cell for cell in mine if cell[axis] == 0],
        [cell for cell in mine if cell[axis] == last],
        mine,
        RHOMBUS_STEPS,
    )
    return [way] if way else []


def structure(diagram: Diagram, owned: Owned, winner: str) -> Ways:
    """Return what won at Havannah: a bridge, a fork, or the stones of the group with the ring."""
    board, mine = set(diagram.symbols), _cells_of(owned, winner)
    goals = [[cell] for cell in board if _neighbours(cell, board) == CORNER]
    for wanted, places in ((2, goals), (3, _sides(board))):
        for group in _groups(mine):
            touched = [ends for place in places if (ends := [c for c in place if c in group])]
            if len(touched) >= wanted:
                return _joined(touched[:wanted], group)
    return [[cell] for cell in max(_groups(mine), key=len, default=set())]


def arrived(symbols: str) -> Winning:
    """Return what finds the pieces of these kinds on the far side, of capitals at the top."""

    def found(diagram: Diagram, owned: Owned, winner: str) -> Ways:
        goal = 0 if winner == "first" else diagram.rows - 1
        return [
            [cell]
            for cell in _cells_of(owned, winner)
            if cell[0] == goal and diagram.symbols[cell] in symbols
        ]

    return found


def everything(_diagram: Diagram, owned: Owned, winner: str) -> Ways:
    """Return all pieces of the winner."""
    return [[cell] for cell in _cells_of(owned, winner)]


def _cells_of(owned: Owned, player: str) -> set[Cell]:
    return {cell for cell, owner in owned.items() if owner == player}


def _run(cell: Cell, step: Cell, mine: Collection[Cell]) -> list[Cell]:
    run = []
    while cell in mine:
        run.append(cell)
        cell = cell[0] + step[0], cell[1] + step[1]
    return run


def _around(cell: Cell, steps: Iterable[Cell]) -> Iterator[Cell]:
    return ((cell[0] + down, cell[1] + right) for down, right in steps)


def _neighbours(cell: Cell, board: Collection[Cell]) -> int:
    return sum(near in board for near in _around(cell, HEXAGON_STEPS))


def _sides(board: set[Cell]) -> list[set[Cell]]:
    """Return the sides of a hexagon, its corners left out."""
    return _groups({cell for cell in board if _neighbours(cell, board) == SIDE})


def _groups(cells: set[Cell]) -> list[set[Cell]]:
    """Return the connected groups of cells of a hexagon."""
    left, groups = set(cells), []
    while left:
        group, frontier = set[Cell](), [min(left)]
        while frontier:
            cell = frontier.pop()
            if cell in left:
                left.remove(cell)
                group.add(cell)
                frontier.extend(_around(cell, HEXAGON_STEPS))
        groups.append(group)
    return groups


def _joined(places: list[list[Cell]], group: set[Cell]) -> Ways:
    """Return ways that join all places: each one leads to what is joined already."""
    joined, ways = places[0], []
    for place in places[1:]:
        ways.append(_shortest(place, joined, group, HEXAGON_STEPS))
        joined = [cell for way in ways for cell in way]
    return ways


def _shortest(
    starts: Iterable[Cell], ends: Collection[Cell], allowed: Collection[Cell], steps: Iterable[Cell]
) -> list[Cell]:
    """Return a shortest way over allowed cells; empty if there is none."""
    reached: dict[Cell, Cell | None] = dict.fromkeys(sorted(starts))
    frontier = deque(reached)
    while frontier:
        cell = frontier.popleft()
        if cell in ends:
            return list(_back(cell, reached))
        for near in _around(cell, steps):
            if near in allowed and near not in reached:
                reached[near] = cell
                frontier.append(near)
    return []


def _back(cell: Cell | None, reached: Mapping[Cell, Cell | None]) -> Iterator[Cell]:
    while cell is not None:
        yield cell
        cell = reached[cell]
