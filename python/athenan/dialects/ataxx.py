"""Ataxx as UAI writes it: our notation, with the number of the move after a position."""

from __future__ import annotations

from athenan._core import State
from athenan.dialects.dialect import Dialect, illegal


class UaiDialect(Dialect):
    """UAI: a clone g2, a jump g3f5, a pass 0000."""

    colours = ("black", "white")

    def read(self, state: State, text: str) -> int:
        """Return the move; a jump of one step is a clone, as some write it."""
        text = text.lower()
        if len(text) == 4 and text != "0000" and _is_step(text):
            return super().read(state, text[2:])
        if len(text) not in (2, 4):
            raise illegal(state, text)
        return super().read(state, text)

    def write_position(self, state: State) -> str:
        """Return the rows, the side, the plies since the last clone, and the number of the move."""
        rows, side, still, *_ = state.position.split()
        return f"{rows} {side} {still} {state.ply // 2 + 1}"


def _is_step(text: str) -> bool:
    columns, rows = abs(ord(text[0]) - ord(text[2])), abs(ord(text[1]) - ord(text[3]))
    return max(columns, rows) == 1
