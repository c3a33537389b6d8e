"""Independent implementations behind one small interface.

An oracle plays along with one of our matches. It speaks our notation of moves: each adapter
translates the notation, the orientation of the board and the granularity of its moves. There is a
file for each program that lends its rules: `open_spiel`, `fairy_stockfish`, `py_draughts`.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Protocol

Translation = Callable[[str], str]


class Oracle(Protocol):
    """A match of an independent implementation."""

    @property
    def to_move(self) -> int:
        """0 for the first player, 1 for the second."""

    @property
    def outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None before the end."""

    def moves(self) -> list[str]:
        """List the legal moves in our notation."""

    def play(self, move: str) -> None:
        """Play a legal move in our notation."""


def square(column: int, row: int) -> str:
    """Name a square by its column and row, both counted from 1."""
    return f"{chr(ord('a') + column - 1)}{row}"


@cache
def squares(size: int) -> list[str]:
    """Name the squares of a board row by row from a1."""
    return [square(column, row) for row in range(1, size + 1) for column in range(1, size + 1)]


def upside_down(rows: int) -> Translation:
    """Count rows from the other edge."""

    @cache
    def translate(move: str) -> str:
        return re.sub(r"\d+", lambda row: str(rows + 1 - int(row[0])), move)

    return translate
