"""Where the cells of a picture are: for programs that let a person touch them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from athenan._core import MovePath, State
from athenan.pictures.diagram import Cell, Diagram
from athenan.pictures.layout import layout_of
from athenan.pictures.looks import Look, look_of
from athenan.pictures.svg import CELL, Box, Point, framed
from athenan.pictures.words import in_words


class Place(NamedTuple):
    """One cell of a picture."""

    x: float
    """Of its centre, in the units of the picture."""
    y: float
    name: str
    """Its coordinates as the board shows them."""
    content: str
    """What stands there, in words; nothing if it is empty."""


@dataclass(frozen=True)
class Places:
    """The cells of a picture, and how moves lead over them."""

    cells: Mapping[Cell, Place]
    ways: Callable[[MovePath, int], list[list[Cell]]]
    samples: tuple[str, str] = ("", "")
    """A piece of each player as a small picture; nothing where a player has none."""
    opposite: bool = False
    """Whether the players sit on opposite sides: the second one then sees the board turned."""

    def way(self, path: MovePath, mover: int) -> list[Cell]:
        """Return the cells of a move of a player, in the order in which he touches them."""
        return [cell for way in self.ways(path, mover) for cell in way if cell in self.cells]


def places_of(state: State) -> Places | None:
    """Return the places of the cells in `svg_of(state)`; None if it is only a text.

    >>> import athenan
    >>> places = places_of(athenan.make_game("breakthrough").initial_state())
    >>> places.cells[6, 0]
    Place(x=0, y=240, name='a2', content="first player's pawn")
    """
    found = look_of([state])
    if found is None:
        return None
    look, (diagram,) = found
    centres = layout_of(look.board, diagram).centres
    said = {each: in_words(state.game.name, look, each) for each in set(diagram.symbols.values())}
    cells = {
        cell: Place(
            round(CELL * centres[cell].x, 2),
            round(CELL * centres[cell].y, 2),
            _name(diagram, cell),
            said[symbol],
        )
        for cell, symbol in diagram.symbols.items()
    }
    return Places(cells, look.ways, (_sample(look, 0), _sample(look, 1)), look.opposite)


def _sample(look: Look, player: int) -> str:
    drawn = "".join(look.sample(player, Point(0, 0)))
    return drawn and framed(Box(-0.5, -0.5, 1, 1), drawn)


def _name(diagram: Diagram, cell: Cell) -> str:
    row, column = cell
    if not diagram.column_labels or row >= len(diagram.row_labels):
        return str(1 + list(diagram.symbols).index(cell))  # draughts number their squares
    letter = diagram.column_labels[column] if column < len(diagram.column_labels) else ""
    return f"{letter}{diagram.row_labels[row]}"
