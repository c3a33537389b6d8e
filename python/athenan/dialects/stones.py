"""Games of stones, as the protocols GTP and HTP write them."""

from __future__ import annotations

import re

from athenan._core import Error, Game, State
from athenan.dialects.dialect import Dialect, illegal
from athenan.dialects.squares import option_of

SWAPS = {"swap", "swap-pieces"}


class GoDialect(Dialect):
    """GTP's vertices: columns without I, row 1 at the bottom, in capitals; pass in any."""

    def read(self, state: State, text: str) -> int:
        """Return the move of a vertex or of a pass."""
        return super().read(state, "pass" if text.lower() == "pass" else text.upper())


class HexDialect(Dialect):
    """HTP's cells: row 1 at the top, as here; the swap is called swap-pieces.

    Black is the first player and joins top and bottom. After a swap the stone lies mirrored and is
    white, as in our rules.
    """

    swap = "swap-pieces"

    def write(self, state: State, move: int) -> str:
        """Return the name of a cell, or the swap."""
        text = super().write(state, move)
        return self.swap if text in SWAPS else text

    def read(self, state: State, text: str) -> int:
        """Return the move of a cell or of the swap."""
        text = text.lower()
        return super().read(state, "swap" if text in SWAPS else text)


class HavannahDialect(HexDialect):
    """The same for Havannah, where the swap only changes the colour of the stone."""

    swap = "swap"


class MoratDialect(HavannahDialect):
    """Morat: cells as here, but White is first, in Hex too."""

    colours = ("white", "black")


class CastroDialect(HavannahDialect):
    """Castro's gridcoords: White is first, letters are rows, and numbers count within a row.

    >>> from athenan.games import make_game
    >>> castro = CastroDialect(make_game("havannah:size=4"))
    >>> start = castro.game.initial_state()
    >>> castro.write(start, start.parse_move("b5")), castro.write(start, start.parse_move("b1"))
    ('e1', 'a2')
    """

    colours = ("white", "black")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._size = int(option_of(game, "size"))

    def write(self, state: State, move: int) -> str:
        """Return the row's letter and the place in the row."""
        text = super().write(state, move)
        if text == self.swap:
            return text
        column, row = ord(text[0]) - ord("a"), int(text[1:]) - 1
        return f"{chr(ord('a') + row)}{column - self._skipped(row) + 1}"

    def read(self, state: State, text: str) -> int:
        """Return the move of such a text."""
        found = re.fullmatch(r"([a-z])(\d{1,2})", text.lower())
        if found is None:
            return super().read(state, text)
        row = ord(found[1]) - ord("a")
        column = int(found[2]) - 1 + self._skipped(row)
        try:
            return super().read(state, f"{chr(ord('a') + column)}{row + 1}")
        except Error:
            raise illegal(state, text) from None

    def _skipped(self, row: int) -> int:
        """Return how many columns of the grid lie before the first cell of a row."""
        return max(0, row + 1 - self._size)
