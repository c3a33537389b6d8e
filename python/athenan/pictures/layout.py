"""Where the cells of a board are, and what lies beneath the pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from athenan.pictures.diagram import Cell, Diagram
from athenan.pictures.svg import Box, Point, text

LABEL = 0.36  # the height of coordinates, in cells
MARGIN = 0.25


@dataclass(frozen=True)
class Layout:
    """A board without its pieces."""

    centres: Mapping[Cell, Point]
    box: Box
    background: tuple[str, ...]


Board = Callable[[Diagram], Layout]


def grid_centres(diagram: Diagram) -> dict[Cell, Point]:
    """Return the centres of cells that are squares of side 1, the first at the origin."""
    return {(row, column): Point(column, row) for row, column in diagram.symbols}


def grid_layout(
    diagram: Diagram, background: Iterable[str], *, reach: float = 0.5, labels: bool = True
) -> Layout:
    """Return a rectangular board; `reach` is how far it extends beyond the outer centres."""
    coordinates = grid_labels(diagram, reach) if labels else []
    left = MARGIN + (0.65 if labels and any(diagram.row_labels) else 0.0)
    below = MARGIN + (0.5 if labels and diagram.column_labels else 0.0)
    box = Box(
        -reach - left,
        -reach - MARGIN,
        diagram.columns - 1 + 2 * reach + left + MARGIN,
        diagram.rows - 1 + 2 * reach + MARGIN + below,
    )
    return Layout(grid_centres(diagram), box, (*background, *coordinates))


def grid_labels(diagram: Diagram, reach: float) -> list[str]:
    """Return the coordinates: row labels at the left, column letters below."""
    beside, below = -reach - 0.4, diagram.rows - 1 + reach + 0.36
    rows = [text(Point(beside, r), label, LABEL) for r, label in enumerate(diagram.row_labels)]
    columns = [text(Point(c, below), label, LABEL) for c, label in enumerate(diagram.column_labels)]
    return rows + columns
