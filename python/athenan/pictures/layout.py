"""Where the cells of a board are, and what lies beneath the pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from athenan.pictures.diagram import Cell, Diagram
from athenan.pictures.svg import Box, Point, Style, group, line, polygon, rectangle, text

MARGIN = 0.25
KEPT_LAYOUTS = 64
SQUARE = (Point(-0.5, -0.5), Point(0.5, -0.5), Point(0.5, 0.5), Point(-0.5, 0.5))


@dataclass(frozen=True)
class Layout:
    """A board without its pieces."""

    centres: Mapping[Cell, Point]
    box: Box
    background: tuple[str, ...]
    cell: tuple[Point, ...] = SQUARE
    """The corners of a cell, from its centre."""
    foreground: tuple[str, ...] = ()
    """What lies above pieces and marks."""

    def cell_shape(self, cell: Cell, **style: Style) -> str:
        """Return the area of a cell."""
        return polygon((self.centres[cell].moved(*corner) for corner in self.cell), **style)

    @cached_property
    def areas(self) -> str:
        """A transparent area over each cell, for pages that react to clicks."""
        areas = (
            self.cell_shape(cell, class_="cell", data_cell=f"{cell[0]},{cell[1]}")
            for cell in self.centres
        )
        return group("cells", areas, fill="none", pointer_events="all")


Board = Callable[[Diagram], Layout]
"""Depends on the cells, labels and lines of a diagram, not on what stands on the cells."""


def layout_of(board: Board, diagram: Diagram) -> Layout:
    """Return the layout for a diagram; those drawn last are kept, as a match needs one only."""
    cells = tuple(diagram.symbols)
    return _kept_layout(board, cells, diagram.row_labels, diagram.column_labels, diagram.lines)


@lru_cache(KEPT_LAYOUTS)
def _kept_layout(
    board: Board,
    cells: tuple[Cell, ...],
    row_labels: tuple[str, ...],
    column_labels: tuple[str, ...],
    lines: tuple[tuple[Cell, Cell], ...],
) -> Layout:
    return board(Diagram(dict.fromkeys(cells, ""), row_labels, column_labels, lines))


def grid_centres(diagram: Diagram) -> dict[Cell, Point]:
    """Return the centres of cells that are squares of side 1, the first at the origin."""
    return {(row, column): Point(column, row) for row, column in diagram.symbols}


def grid_layout(diagram: Diagram, background: Iterable[str], *, reach: float = 0.5) -> Layout:
    """Return a rectangular board; `reach` is how far it extends beyond the outer centres."""
    height = label_height(diagram)
    beside = MARGIN + (1.7 * height if any(diagram.row_labels) else 0.0)
    below = MARGIN + (1.4 * height if diagram.column_labels else 0.0)
    box = Box(
        -reach - beside,
        -reach - MARGIN,
        diagram.columns - 1 + 2 * reach + beside + MARGIN,
        diagram.rows - 1 + 2 * reach + MARGIN + below,
    )
    return Layout(grid_centres(diagram), box, (*background, *_grid_labels(diagram, reach, height)))


def grid_area(diagram: Diagram, reach: float = 0.5, **style: Style) -> str:
    """Return the area of a rectangular board."""
    width, height = diagram.columns - 1 + 2 * reach, diagram.rows - 1 + 2 * reach
    return rectangle(Point(-reach, -reach), width, height, **style)


def grid_lines(
    diagram: Diagram, reach: float, between: bool = False, /, **style: Style
) -> Iterator[str]:
    """Return a line through each row and column of centres, or between each two of them."""
    right, bottom, shift = diagram.columns - 1 + reach, diagram.rows - 1 + reach, between / 2
    for row in range(diagram.rows - between):
        yield line(Point(-reach, row + shift), Point(right, row + shift), **style)
    for column in range(diagram.columns - between):
        yield line(Point(column + shift, -reach), Point(column + shift, bottom), **style)


def label_height(diagram: Diagram) -> float:
    """Return the height of coordinates in cells: cells shrink as boards grow, letters hardly."""
    return 0.2 + 0.017 * max(diagram.rows, diagram.columns)


def labels(
    diagram: Diagram, of_row: Callable[[int], Point], of_column: Callable[[int], Point]
) -> list[str]:
    """Return the coordinates, given the places of those of a row and of a column."""
    height = label_height(diagram)
    places = [(of_row(n), label) for n, label in enumerate(diagram.row_labels)]
    places += [(of_column(n), label) for n, label in enumerate(diagram.column_labels)]
    return [text(place, label, height, class_="ink") for place, label in places]


def _grid_labels(diagram: Diagram, reach: float, height: float) -> list[str]:
    """Return the coordinates: row labels at the left, column letters below."""
    left, below = -reach - 1.1 * height, diagram.rows - 1 + reach + height
    return labels(diagram, lambda row: Point(left, row), lambda column: Point(column, below))
