"""Boards whose cells are squares: plain, checkered, ruled, with traps, upright, or of draughts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from athenan._core import State
from athenan.pictures.diagram import Cell, Diagram, labelled_rows
from athenan.pictures.layout import Layout, grid_area, grid_centres, grid_layout, grid_lines
from athenan.pictures.svg import Point, circle, square, text

CREAM = "#f4e6c8"
WOOD = "#d3ab75"
BAIZE = "#5fa37c"
BLUE_BOARD = "#2f6f9f"
RULE = "#7d7262"
TRAP = "#c98f8f"


def checkered(diagram: Diagram) -> Layout:
    """Return a board of light and dark squares, the lower left one dark."""
    return grid_layout(diagram, [*_squares(diagram), _frame(diagram)])


def plain(diagram: Diagram, *, colour: str = CREAM, traps: Iterable[Cell] = ()) -> Layout:
    """Return a board of equal squares; `traps` are tinted ones."""
    trapped = [square(Point(column, row), 1, fill=TRAP) for row, column in traps]
    return grid_layout(
        diagram, [grid_area(diagram, fill=colour), *trapped, *_rules(diagram), _frame(diagram)]
    )


def ruled(diagram: Diagram) -> Layout:
    """Return the four strokes of tic-tac-toe, or as many as the size asks for."""
    return grid_layout(diagram, _rules(diagram, width=0.05))


def upright(diagram: Diagram) -> Layout:
    """Return the board of Connect Four, with a hole for each piece."""
    body = grid_area(diagram, 0.55, fill=BLUE_BOARD, rx=0.2)
    holes = [circle(centre, 0.4, fill="#eef3f7") for centre in grid_centres(diagram).values()]
    return grid_layout(diagram, [body, *holes], reach=0.55)


def read_draughts(state: State) -> Diagram:
    """Read a board of draughts: only dark squares are drawn, and they are numbered."""
    rows = labelled_rows(state)
    symbols: dict[Cell, str] = {}
    for row, (_, *drawn) in enumerate(rows):
        indent = (len(rows) - 1 - row) % 2
        symbols |= {(row, 2 * place + indent): symbol for place, symbol in enumerate(drawn)}
    return Diagram(symbols, row_labels=(), column_labels=())


def numbered(diagram: Diagram) -> Layout:
    """Return a board of draughts, each dark square with its number."""
    numbers = tuple(
        text(Point(column - 0.33, row - 0.37), str(number), 0.24)
        for number, (row, column) in enumerate(diagram.symbols, start=1)
    )
    return replace(checkered(diagram), foreground=numbers)


def _squares(diagram: Diagram) -> Iterator[str]:
    yield grid_area(diagram, fill=CREAM)
    for row in range(diagram.rows):
        for column in range(diagram.columns):
            if (diagram.rows - 1 - row + column) % 2 == 0:
                yield square(Point(column, row), 1, fill=WOOD)


def _frame(diagram: Diagram) -> str:
    return grid_area(diagram, fill="none", stroke=RULE, stroke_width=0.05)


def _rules(diagram: Diagram, width: float = 0.03) -> Iterator[str]:
    return grid_lines(diagram, 0.5, True, stroke=RULE, stroke_width=width)
