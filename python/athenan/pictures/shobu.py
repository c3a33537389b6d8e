"""Shobu's four boards: two dark and two light, the near pair below the far pair."""

from __future__ import annotations

from collections.abc import Iterator

from athenan._core import MovePath
from athenan.pictures.diagram import Cell, Diagram
from athenan.pictures.layout import MARGIN, Layout, labels
from athenan.pictures.squares import CREAM, RULE
from athenan.pictures.svg import Box, Point, line, rectangle, text

SIZE = 4
GAP = 0.9  # between boards
DARK = "#b08a62"
BOARDS = (("d", "l"), ("D", "L"))
"""The names of the boards as they lie: dark and light of the second player, then of the first."""


def four_boards(diagram: Diagram) -> Layout:
    """Return the boards side by side, with the rope between home boards as a wider gap."""
    centres = {cell: Point(*(_place(n) for n in reversed(cell))) for cell in diagram.symbols}
    ground = [part for row in range(2) for column in range(2) for part in _board(row, column)]
    extent = _place(2 * SIZE - 1)
    coordinates = labels(
        diagram,
        lambda row: Point(-0.9, _place(row)),
        lambda column: Point(_place(column), extent + 0.86),
    )
    beside, below = 0.5 + MARGIN + 0.65, 0.5 + MARGIN + 0.5
    box = Box(-beside, -1.2, extent + beside + 0.5 + MARGIN, extent + 1.2 + below)
    return Layout(centres, box, (*ground, *coordinates))


def both_stones(path: MovePath, mover: int) -> list[list[Cell]]:
    """Return the ways of the passive and of the aggressive stone, on the boards that its kind says:
    the passive one is at home, so `dark and far light` starts on the dark board of the mover.
    """
    passive, _, aggressive_side, _ = path.kind.split()
    column, home = int(passive == "light"), 1 - mover
    boards = ((home, column), (home if aggressive_side == "home" else mover, 1 - column))
    ends = (path.cells[:2], path.cells[2:])
    return [
        [(SIZE * board_row + row, SIZE * board_column + column) for row, column in way]
        for (board_row, board_column), way in zip(boards, ends, strict=True)
    ]


def _place(index: int) -> float:
    return index + GAP * (index // SIZE)


def _board(row: int, column: int) -> Iterator[str]:
    corner = Point(_place(SIZE * column) - 0.5, _place(SIZE * row) - 0.5)
    colour = CREAM if column else DARK
    yield rectangle(corner, SIZE, SIZE, fill=colour, stroke=RULE, stroke_width=0.05)
    for step in range(1, SIZE):
        yield line(corner.moved(0, step), corner.moved(SIZE, step), stroke=RULE, stroke_width=0.03)
        yield line(corner.moved(step, 0), corner.moved(step, SIZE), stroke=RULE, stroke_width=0.03)
    yield text(
        corner.moved(SIZE / 2, -0.3), BOARDS[row][column], 0.36, font_weight="bold", class_="ink"
    )
