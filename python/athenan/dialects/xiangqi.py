"""Xiangqi as UCCI writes it: ranks from 0, as here; Red, the first player, is w in a FEN."""

from __future__ import annotations

import re

from athenan._core import State
from athenan.dialects.dialect import Dialect, illegal


class UcciDialect(Dialect):
    """UCCI."""

    colours = ("red", "black")

    def read(self, state: State, text: str) -> int:
        """Return the move between two points; some write capitals, or a hyphen between them."""
        text = text.lower().replace("-", "")
        if not re.fullmatch(r"[a-i]\d[a-i]\d", text):
            raise illegal(state, text)
        return super().read(state, text)

    def write_position(self, state: State) -> str:
        """Return the FEN without what repetition needs."""
        return " ".join(state.position.split()[:6])

    def read_position(self, text: str) -> State:
        """Return the state of a FEN; some call the first player r."""
        rows, side, *rest = [*text.split(), ""]
        words = [rows, "w" if side == "r" else side, *rest]
        return self.game.parse_position(" ".join(filter(None, words)))
