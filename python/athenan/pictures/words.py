"""What stands on a cell, in words, for screen readers."""

from __future__ import annotations

from collections.abc import Mapping

from athenan.pictures.looks import LOOKS, Look

_DRAUGHTS = {"w": "man", "W": "king", "b": "man", "B": "king"}
NAMES: Mapping[str, Mapping[str, str]] = {
    "tic_tac_toe": {"x": "cross", "o": "nought"},
    "breakthrough": {"P": "pawn"},
    "amazons": {"Q": "amazon", "*": "arrow"},
    "ataxx": {"#": "wall"},
    "santorini": {"x": "worker", "o": "worker"},
    "morpion": {"o": "point", "x": "point that was added"},
    "arimaa": {
        "R": "rabbit",
        "C": "cat",
        "D": "dog",
        "H": "horse",
        "M": "camel",
        "E": "elephant",
    },
    "xiangqi": {
        "K": "general",
        "A": "advisor",
        "B": "elephant",
        "N": "horse",
        "R": "chariot",
        "C": "cannon",
        "P": "soldier",
    },
    "international_draughts": _DRAUGHTS,
    "brazilian_draughts": _DRAUGHTS,
    "canadian_draughts": _DRAUGHTS,
}
"""What the symbols of a game are called; of letters in two cases the large one stands for both."""
USUAL = "piece"
DOME = "4"


def in_words(game: str, look: Look, symbol: str) -> str:
    """Say what a symbol is and whose; nothing of an empty cell.

    Symbols of a game without a look of its own are said as they are.

    >>> in_words("arimaa", LOOKS["arimaa"], "r"), in_words("amazons", LOOKS["amazons"], "*")
    ("second player's rabbit", 'arrow')
    >>> in_words("santorini", LOOKS["santorini"], "x2")
    "first player's worker on level 2"
    """
    if symbol in look.empty:
        return ""
    if LOOKS.get(game) is not look:
        return symbol
    kind, height = (symbol[0], symbol[1:]) if game == "santorini" else (symbol, "")
    owner, names = look.owner(symbol), NAMES.get(game, {})
    name = names.get(kind) or names.get(kind.upper()) or USUAL
    if kind == ".":
        return "dome" if height == DOME else f"level {height}"
    words = f"{owner} player's {name}" if owner and game != "morpion" else name
    return f"{words} on level {height}" if height.strip("0") else words
