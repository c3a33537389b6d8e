"""Boards whose pieces stand where lines meet: Go and its kin, Xiangqi, Surakarta."""

from __future__ import annotations

from collections.abc import Iterator

from athenan._core import MovePath
from athenan.pictures.diagram import Cell, Diagram
from athenan.pictures.layout import Layout, grid_layout
from athenan.pictures.squares import CREAM
from athenan.pictures.svg import Point, circle, line, loop, rectangle

GOBAN = "#eed9ac"
THREAD = "#6b5b3e"
WATER = "#dbe9f2"
THIN = 0.03
SMALL_LOOP, LARGE_LOOP = "#0b5a94", "#c46a12"


def crossings(diagram: Diagram, *, outer_lines: int = 0) -> Layout:
    """Return a Go board with its star points; the `outer_lines` along each edge are shaded."""
    ground = [
        _ground(diagram, 0.6, GOBAN),
        *_shade(diagram, outer_lines),
        *_threads(diagram),
        *_stars(diagram),
    ]
    return grid_layout(diagram, ground, reach=0.6)


def xiangqi(diagram: Diagram) -> Layout:
    """Return the board of Xiangqi: the river between the fifth rows, and the two palaces."""
    right, bottom = diagram.columns - 1, diagram.rows - 1
    shore = bottom // 2
    ground = [
        _ground(diagram, 0.65, CREAM),
        rectangle(Point(0, shore), right, 1, fill=WATER),
        *(_thread(Point(0, row), Point(right, row)) for row in range(diagram.rows)),
        *(_thread(Point(edge, 0), Point(edge, bottom)) for edge in (0, right)),
        *(_thread(Point(file, 0), Point(file, shore)) for file in range(1, right)),
        *(_thread(Point(file, shore + 1), Point(file, bottom)) for file in range(1, right)),
    ]
    for top in (0, bottom - 2):
        ground += [
            _thread(Point(3, top), Point(5, top + 2)),
            _thread(Point(5, top), Point(3, top + 2)),
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
        for right in (False, True):
            for low in (False, True):
                corner = Point(last if right else 0, last if low else 0)
                inward = Point(-radius if right else radius, -radius if low else radius)
                yield loop(
                    corner.moved(0, inward.y),
                    corner.moved(inward.x, 0),
                    radius,
                    clockwise=right == low,
                    stroke=colour,
                    stroke_width=0.07,
                )


def _ground(diagram: Diagram, reach: float, colour: str) -> str:
    width, height = diagram.columns - 1 + 2 * reach, diagram.rows - 1 + 2 * reach
    return rectangle(Point(-reach, -reach), width, height, fill=colour)


def _shade(diagram: Diagram, outer_lines: int) -> Iterator[str]:
    """Leave the middle as it is and darken a border that holds so many lines."""
    if outer_lines:
        width, height = diagram.columns - 1, diagram.rows - 1
        yield rectangle(Point(-0.6, -0.6), width + 1.2, height + 1.2, fill="#e0c48c")
        inset = outer_lines - 0.5
        yield rectangle(Point(inset, inset), width - 2 * inset, height - 2 * inset, fill=GOBAN)


def _threads(diagram: Diagram) -> Iterator[str]:
    right, bottom = diagram.columns - 1, diagram.rows - 1
    for row in range(diagram.rows):
        yield _thread(Point(0, row), Point(right, row))
    for column in range(diagram.columns):
        yield _thread(Point(column, 0), Point(column, bottom))


def _thread(start: Point, end: Point) -> str:
    return line(start, end, stroke=THREAD, stroke_width=THIN, stroke_linecap="square")


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
