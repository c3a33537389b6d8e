"""Boards of hexagons: the rhombus of Hex and the large hexagon of Havannah."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import cos, radians, sin, sqrt
from string import ascii_lowercase

from athenan._core import State
from athenan.pictures.diagram import Cell, Diagram, labelled_rows
from athenan.pictures.layout import MARGIN, Layout, labels
from athenan.pictures.pieces import BLUE, ORANGE
from athenan.pictures.svg import Box, Point, polygon, polyline

RIM = 1 / sqrt(3)  # from the centre of a cell to its corners; cells of a row are 1 apart
STEP = 1.5 * RIM  # from a row to the next
GROUND = "#f5f1e8"
SEAM = "#8f877a"
CORNERS = tuple(Point(RIM * cos(a), RIM * sin(a)) for a in map(radians, range(-90, 270, 60)))
"""From the top clockwise: corners 0 and 1 bound the upper right side, 1 and 2 the right one."""


def rhombus(diagram: Diagram) -> Layout:
    """Return the board of Hex; each side has the colour of the player whom it belongs to."""
    centres = {
        (row, column): Point(column + row / 2, row * STEP) for row, column in diagram.symbols
    }
    last = diagram.rows - 1
    coordinates = labels(
        diagram,
        lambda row: centres[row, 0].moved(-0.98, 0),
        lambda column: centres[0, column].moved(-0.5, -0.95),
    )
    ground = (*_cells(centres.values()), *_edges(centres, last), *coordinates)
    return Layout(centres, _around(centres.values(), 1.35), ground, CORNERS)


def _edges(centres: dict[Cell, Point], last: int) -> Iterator[str]:
    ends = range(last + 1)
    sides = (
        (BLUE.fill, [(0, n) for n in ends], (5, 0, 1)),
        (BLUE.fill, [(last, n) for n in ends], (4, 3, 2)),
        (ORANGE.fill, [(n, 0) for n in ends], (5, 4, 3)),
        (ORANGE.fill, [(n, last) for n in ends], (0, 1, 2)),
    )
    for colour, cells, corners in sides:
        way = [centres[cell].moved(*CORNERS[corner]) for cell in cells for corner in corners]
        yield polyline(way, stroke=colour, stroke_width=0.16, stroke_linejoin="round")


def read_hexagon(state: State) -> Diagram:
    """Read a board of Havannah: rows of different lengths, letters at the ends of its columns."""
    rows = labelled_rows(state)
    size = (len(rows) + 1) // 2
    symbols: dict[Cell, str] = {}
    for row, (_, *drawn) in enumerate(rows):
        skipped = max(0, row + 1 - size)  # below the middle the first columns have ended
        cells = drawn[: len(rows) - abs(row + 1 - size)]
        symbols |= {(row, skipped + place): symbol for place, symbol in enumerate(cells)}
    return Diagram(symbols, tuple(words[0] for words in rows), tuple(ascii_lowercase[: len(rows)]))


def hexagon(diagram: Diagram) -> Layout:
    """Return the board of Havannah; columns run down to the left from their letters."""
    size = (diagram.rows + 1) // 2

    def place(row: int, column: int) -> Point:
        return Point(column - (row + 1 - size) / 2, row * STEP)

    centres = {(row, column): place(row, column) for row, column in diagram.symbols}
    coordinates = labels(
        diagram,
        lambda row: place(row, max(0, row + 1 - size) - 1),
        lambda column: place(max(0, column + 1 - size) - 1, column),
    )
    ground = (*_cells(centres.values()), *coordinates)
    return Layout(centres, _around(centres.values(), 1.3), ground, CORNERS)


def _cells(centres: Iterable[Point]) -> Iterator[str]:
    for centre in centres:
        corners = (centre.moved(*corner) for corner in CORNERS)
        yield polygon(corners, fill=GROUND, stroke=SEAM, stroke_width=0.03)


def _around(centres: Iterable[Point], reach: float) -> Box:
    """Return the box of a board that extends so far to the left and above, for its labels."""
    columns, rows = zip(*centres, strict=True)
    width = max(columns) - min(columns) + reach + 0.6 + MARGIN
    height = max(rows) - min(rows) + reach + RIM + MARGIN
    return Box(min(columns) - reach, min(rows) - reach, width, height)
