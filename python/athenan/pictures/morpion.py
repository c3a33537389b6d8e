"""The board of Morpion Solitaire: points on squared paper, and the lines drawn through them.

A position does not say in which order its lines were drawn. They are numbered in an order in which
they can be: each line finds four of its points there and adds the fifth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from string import ascii_lowercase

from athenan._core import State
from athenan.pictures.diagram import Cell, Diagram, read_rectangle
from athenan.pictures.layout import Layout, grid_layout, grid_lines
from athenan.pictures.svg import Point, group, line

PAPER_RULE = "#dfe3e8"
STROKE = "#c46a12"
STEPS = {"h": (0, 1), "v": (1, 0), "d": (1, 1), "u": (1, -1)}
"""From a line's first point to the next, as (rows, columns): u rises to the right, so from the
top it falls to the left."""
LENGTH = 5
GIVEN = "o"  # a point of the cross at the beginning

Line = tuple[Cell, Cell]
"""Its ends."""


def read_morpion(state: State) -> Diagram | None:
    """Read the points from the drawing, the lines from the position text."""
    diagram = read_rectangle(state)
    if diagram is None:
        return None
    written = state.position.split()[1:]
    lines = [_line(word) for word in written if word[0].isalpha()]
    begun = {cell for cell, symbol in diagram.symbols.items() if symbol == GIVEN}
    return replace(diagram, lines=tuple(_in_order(lines, begun)))


def points(diagram: Diagram) -> Layout:
    """Return the paper with the lines; points come on top as pieces."""
    paper = grid_lines(diagram, 0.4, stroke=PAPER_RULE, stroke_width=0.03)
    return grid_layout(diagram, [*paper, *_strokes(diagram)])


def numbers(diagram: Diagram) -> dict[Cell, str]:
    """Return the number of each line, at the point that it added."""
    present = {cell for cell, symbol in diagram.symbols.items() if symbol == GIVEN}
    written = {}
    for number, ends in enumerate(diagram.lines, start=1):
        added = [cell for cell in _points(ends) if cell not in present]
        written.update(dict.fromkeys(added[:1], str(number)))
        present.update(added)
    return written


def _in_order(lines: list[Line], present: set[Cell]) -> list[Line]:
    """Return lines in an order in which each one adds a single point."""
    left, ordered = list(lines), list[Line]()
    while left:
        ends = min(left, key=lambda each: sum(cell not in present for cell in _points(each)) or 5)
        left.remove(ends)
        ordered.append(ends)
        present.update(_points(ends))
    return ordered


def _points(ends: Line) -> list[Cell]:
    (top, left), (bottom, right) = ends
    down, across = (bottom - top) // (LENGTH - 1), (right - left) // (LENGTH - 1)
    return [(top + step * down, left + step * across) for step in range(LENGTH)]


def _line(word: str) -> Line:
    """Return the ends of a line such as j5h: the first one, and where it goes."""
    row, column = int(word[1:-1]) - 1, ascii_lowercase.index(word[0])
    down, right = STEPS[word[-1]]
    return (row, column), (row + (LENGTH - 1) * down, column + (LENGTH - 1) * right)


def _strokes(diagram: Diagram) -> Iterator[str]:
    for (top, left), (bottom, right) in diagram.lines:
        stroke = line(Point(left, top), Point(right, bottom), stroke=STROKE, stroke_width=0.09)
        yield group("line", [stroke])
