"""What dialects of boards with squares share: turning rows over, and options of games."""

from __future__ import annotations

import re

from athenan._core import Game


def option_of(game: Game, name: str) -> str:
    """Return an option of a game, as its text has it.

    >>> from athenan.games import make_game
    >>> option_of(make_game("hex:size=5"), "size")
    '5'
    """
    options = dict(each.split("=") for each in game.id.partition(":")[2].split(",") if each)
    return options.get(name, "")


def shifted(text: str, rows: int) -> str:
    """Return a move with its rows counted from another number.

    >>> shifted("b2e10", 1)
    'b3e11'
    """
    return re.sub(r"\d+", lambda row: str(int(row[0]) + rows), text)


def upside_down(text: str, rows: int) -> str:
    """Return a move with its rows counted from the other edge.

    >>> upside_down("b2e10", 10)
    'b9e1'
    """
    return re.sub(r"\d+", lambda row: str(rows + 1 - int(row[0])), text)


def exchanged(rows: str, letters: str, others: str) -> str:
    """Return the rows of a position with other letters for the pieces.

    >>> exchanged("x5o/7", "xo", "Pp")
    'P5p/7'
    """
    if not letters or not others:
        return rows
    return rows.translate(str.maketrans(letters, others))
