"""The last turn on a board: rings where it touched, lines along its ways, crosses on captures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from math import dist

from athenan._core import State
from athenan.pictures.diagram import Cell, Diagram
from athenan.pictures.layout import Layout
from athenan.pictures.looks import Look
from athenan.pictures.svg import Point, Style, circle, group, line

Ply = tuple[State, int | str]
"""A state, and the move that was played in it: a number, or in the notation of the game."""

PENS: tuple[dict[str, Style], ...] = (
    {"stroke": "#ffffff", "stroke_width": 0.13},
    {"stroke": "#cc2f7b", "stroke_width": 0.07},
)
"""A halo, and the ink on it: marks are seen on pieces and boards of any colour."""
FAINT = 0.35
REACH = 0.43  # of a ring


@dataclass(frozen=True)
class Turn:
    """What the plies of a turn did, in cells of the diagram."""

    touched: dict[Cell, None] = field(default_factory=dict)  # in order, each cell once
    ways: list[list[Cell]] = field(default_factory=list)  # of pieces that moved
    captured: dict[Cell, str] = field(default_factory=dict)  # what stood, or ended, there


def read_turn(plies: Sequence[Ply], look: Look, diagrams: Sequence[Diagram]) -> Turn:
    """Return what a turn did, given the diagrams of its states and of the one after it.

    A game that does not say which cells its moves touch leaves no marks, nor does one whose drawing
    changes its shape.
    """
    turn = Turn()
    if any(one.symbols.keys() != other.symbols.keys() for one, other in pairwise(diagrams)):
        return turn
    for (state, move), (before, after) in zip(plies, pairwise(diagrams), strict=True):
        path = state.move_path(move)
        if path is None:
            continue
        ways = [
            [cell for cell in way if cell in before.symbols]
            for way in look.ways(path, state.to_move)
        ]
        cells = [cell for way in ways for cell in way]
        turn.touched.update(dict.fromkeys(cells))
        turn.ways.extend(way for way in ways if way and look.owner(before.symbols[way[0]]))
        turn.captured.update(_captured(before.symbols, after.symbols, cells, look))
    return turn


def _captured(
    before: Mapping[Cell, str], after: Mapping[Cell, str], cells: Sequence[Cell], look: Look
) -> dict[Cell, str]:
    """Return the pieces that a move took from the board.

    Its owner has fewer pieces than before, and the cell is empty or another's by the move itself:
    pieces that changed sides beside it are still there, and pushed ones are elsewhere.
    """
    if not cells:
        return {}  # a pass, or the swap of sides
    owners = {cell: look.owner(symbol) for cell, symbol in before.items()}
    now = {cell: look.owner(symbol) for cell, symbol in after.items()}
    losers = set(Counter(filter(None, owners.values())) - Counter(filter(None, now.values())))
    origin, target = cells[0], cells[-1]
    taken = {
        cell: before[cell]
        for cell, owner in owners.items()
        if owner in losers
        and owner != now[cell]
        and (now[cell] is None or cell in cells)
        and cell != origin
    }
    if owners[origin] in losers and now[target] is None:  # it moved and is gone: into a trap
        taken[target] = before[origin]
    return taken


def lines_of(turn: Turn, layout: Layout) -> Iterator[str]:
    """Draw the ways of what moved, from ring to ring; pieces lie above them."""
    for way in turn.ways:
        stations = [cell for cell, _ in groupby(way)]  # a piece may wait where it is
        for start, end in pairwise(layout.centres[cell] for cell in stations):
            gap = REACH / dist(start, end)
            near, far = _between(start, end, gap), _between(start, end, 1 - gap)
            yield group("way", (line(near, far, **pen) for pen in PENS))


def _between(start: Point, end: Point, share: float) -> Point:
    return start.moved(share * (end.x - start.x), share * (end.y - start.y))


def marks_of(turn: Turn, layout: Layout, look: Look, diagram: Diagram) -> Iterator[str]:
    """Draw rings and crosses; where a capture left a cell empty, a ghost of the piece."""
    emptied = {cell for cell in turn.captured if look.owner(diagram.symbols[cell]) is None}
    for cell in turn.touched:
        if cell not in emptied:
            yield group("last", _ring(layout.centres[cell]))
    for cell, symbol in turn.captured.items():
        centre = layout.centres[cell]
        if cell in emptied:
            ghost = group("ghost", [look.pieces[symbol].draw(centre)], opacity=FAINT)
            yield group("captured", [ghost, *_cross(centre)])
        else:
            yield group("captured", _cross(centre.moved(0.34, -0.34)))


def _ring(centre: Point) -> Iterator[str]:
    for pen in PENS:
        yield circle(centre, REACH, fill="none", **pen)


def _cross(centre: Point) -> Iterator[str]:
    for pen in PENS:
        yield line(centre.moved(-0.12, -0.12), centre.moved(0.12, 0.12), **pen)
        yield line(centre.moved(-0.12, 0.12), centre.moved(0.12, -0.12), **pen)
