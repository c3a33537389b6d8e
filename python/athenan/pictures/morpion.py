"""The board of Morpion Solitaire: points on squared paper, and the lines drawn through them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from athenan._core import State
from athenan.pictures.diagram import Cell, Diagram, read_rectangle
from athenan.pictures.layout import Layout, grid_layout
from athenan.pictures.svg import Point, group, line

PAPER_RULE = "#dfe3e8"
STROKE = "#c46a12"
STEPS = {"h": (0, 1), "v": (1, 0), "d": (1, 1), "u": (1, -1)}
"""From a line's first point to the next, as (rows, columns): u rises to the right, so from the
top it falls to the left."""
LENGTH = 5


def read_morpion(state: State) -> Diagram | None:
    """Read the points from the drawing, the lines from the position text."""
    diagram = read_rectangle(state)
    if diagram is None:
        return None
    written = state.position.split()[1:]
    lines = (_line(diagram, word) for word in written if word[0].isalpha())
    return replace(diagram, lines=tuple(lines))


def points(diagram: Diagram) -> Layout:
    """Return the paper with the lines; points come on top as pieces."""
    return grid_layout(diagram, [*_paper(diagram), *_strokes(diagram)])


def new_point(diagram: Diagram, move: str) -> list[Cell]:
    """Return the point that a move adds; what follows it, as in j5h3, is its line."""
    return diagram.named_in(move)[:1]


def _line(diagram: Diagram, word: str) -> tuple[Cell, Cell]:
    found = re.fullmatch(r"([a-z]\d+)([hvdu])", word)
    assert found is not None, word
    row, column = diagram.names[found[1]]
    down, right = STEPS[found[2]]
    return (row, column), (row + (LENGTH - 1) * down, column + (LENGTH - 1) * right)


def _paper(diagram: Diagram) -> Iterator[str]:
    for row in range(diagram.rows):
        ends = Point(-0.4, row), Point(diagram.columns - 0.6, row)
        yield line(*ends, stroke=PAPER_RULE, stroke_width=0.03)
    for column in range(diagram.columns):
        ends = Point(column, -0.4), Point(column, diagram.rows - 0.6)
        yield line(*ends, stroke=PAPER_RULE, stroke_width=0.03)


def _strokes(diagram: Diagram) -> Iterator[str]:
    for (top, left), (bottom, right) in diagram.lines:
        stroke = line(Point(left, top), Point(right, bottom), stroke=STROKE, stroke_width=0.09)
        yield group("line", [stroke])
