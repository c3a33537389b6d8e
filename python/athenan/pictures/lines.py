"""Boards whose pieces stand where lines meet: Go and its kin, Xiangqi, Surakarta."""

from __future__ import annotations

from collections.abc import Iterator

from athenan._core import MovePath
from athenan.pictures.diagram import Cell, Diagram
from athenan.pictures.layout import Layout, grid_area, grid_layout, grid_lines
from athenan.pictures.squares import CREAM
from athenan.pictures.svg import Point, Style, circle, line, loop, rectangle

GOBAN = "#eed9ac"
THREAD = "#6b5b3e"
WATER = "#dbe9f2"
THIN: dict[str, Style] = {"stroke": THREAD, "stroke_width": 0.03, "stroke_linecap": "square"}
SMALL_LOOP, LARGE_LOOP = "#0b5a94", "#c46a12"


def crossings(diagram: Diagram, *, outer_lines: int = 0) -> Layout:
    """Return a Go board with its star points; the `outer_lines` along each edge are shaded."""
    ground = [
        grid_area(diagram, 0.6, fill=GOBAN),
        *_shade(diagram, outer_lines),
        *grid_lines(diagram, 0, **THIN),
        *_stars(diagram),
    ]
    return grid_layout(diagram, ground, reach=0.6)


def xiangqi(diagram: Diagram) -> Layout:
    """Return the board of Xiangqi: the river between the fifth rows, and the two palaces."""
    right, bottom = diagram.columns - 1, diagram.rows - 1
    shore = bottom // 2
    ground = [
        grid_area(diagram, 0.65, fill=CREAM),
        rectangle(Point(0, shore), right, 1, fill=WATER),
        *(line(Point(0, row), Point(right, row), **THIN) for row in range(diagram.rows)),
        *(line(Point(edge, 0), Point(edge, bottom), **THIN) for edge in (0, right)),
        *(line(Point(file, 0), Point(file, shore), **THIN) for file in range(1, right)),
        *(line(Point(file, shore + 1), Point(file, bottom), **THIN) for file in range(1, right)),
    ]
    for top in (0, bottom - 2):
        ground += [
            line(Point(3, top), Point(5, top + 2), **THIN),
            line(Point(5, top), Point(3, top + 2), **THIN),
        ]
    return grid_layout(diagram, ground, reach=0.65)


def surakarta(diagram: Diagram) -> Layout:
    """Return the board of Surakarta, each of its two circuits in a colour of its own."""
    last = diagram.columns - 1
    threads = [
        line(start, end, stroke=_circuit(place, last), stroke_width=0.07)
        for place in range(diagram.rows)
        for start, end in (
            (Point(0, place), Point(last, place)),
            (Point(place, 0), Point(place, last)),
        )
    ]
    return grid_layout(diagram, [*_loops(last), *threads], reach=2.1)


def unless_captures(path: MovePath, _: int) -> list[list[Cell]]:
    """Return the way of a move; that of a capture leads round the corners and is left out."""
    return [[cell] for cell in path.cells] if path.kind == "capture" else [path.cells]


def _circuit(place: int, last: int) -> str:
    return (THREAD, SMALL_LOOP, LARGE_LOOP)[min(place, last - place)]


def _loops(last: int) -> Iterator[str]:
    for radius, colour in ((1, SMALL_LOOP), (2, LARGE_LOOP)):
        for x, right in ((0, radius), (last, -radius)):
            for y, down in ((0, radius), (last, -radius)):
                ends = Point(x, y + down), Point(x + right, y)
                clockwise = right == down
                yield loop(*ends, radius, clockwise=clockwise, stroke=colour, stroke_width=0.07)


def _shade(diagram: Diagram, outer_lines: int) -> Iterator[str]:
    """Leave the middle as it is and darken a border of this many lines."""
    if outer_lines:
        yield grid_area(diagram, 0.6, fill="#e0c48c")
        yield grid_area(diagram, 0.5 - outer_lines, fill=GOBAN)


def _stars(diagram: Diagram) -> Iterator[str]:
    """Mark the points that boards of Go mark, so that places are found at a glance."""
    size = diagram.rows
    if size < 7:
        return
    edge = 3 if size > 11 else 2
    rows = [edge, size - 1 - edge]
    middle = size // 2
    marked = {(r, c) for r in rows for c in rows}
    if size % 2:
        marked.add((middle, middle))
    if size > 15 and size % 2:
        marked |= {(middle, c) for c in rows} | {(r, middle) for r in rows}
    for row, column in sorted(marked):
        yield circle(Point(column, row), 0.09, fill=THREAD)
