"""Reading a position: from the board that a game draws as text to symbols on cells.

Built-in games and games written in Python draw alike: one line per row with its label and the
symbols, and a line of column letters. So one reader serves nearly all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from athenan._core import State

Cell = tuple[int, int]  # row from the top, column from the left


@dataclass(frozen=True)
class Diagram:
    """A position as its game draws it."""

    symbols: Mapping[Cell, str]
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    """Empty if the drawing has none."""
    lines: tuple[tuple[Cell, Cell], ...] = field(default=())
    """Lines drawn over the board, by their ends."""

    @property
    def rows(self) -> int:
        """Rows of the board."""
        return 1 + max(row for row, _ in self.symbols)

    @property
    def columns(self) -> int:
        """Columns of the board, of its longest row."""
        return 1 + max(column for _, column in self.symbols)


def read_rectangle(state: State) -> Diagram | None:
    """Read a rectangular board; None if the drawing of the state is none."""
    return _labelled(state) or _unlabelled(_lines(state))


def labelled_rows(state: State) -> list[list[str]]:
    """Return the lines of a drawing, split into words, that start with the number of a row."""
    return [words for words in _lines(state) if len(words) > 1 and words[0].isdigit()]


def _lines(state: State) -> list[list[str]]:
    return [words for words in map(str.split, str(state).splitlines()) if words]


def _labelled(state: State) -> Diagram | None:
    rows = labelled_rows(state)
    if len({len(words) for words in rows}) != 1:
        return None
    labels, width = tuple(words[0] for words in rows), len(rows[0]) - 1
    letters = next((tuple(words) for words in _lines(state) if _are_letters(words, width)), ())
    symbols = {(r, c): rows[r][1 + c] for r in range(len(rows)) for c in range(width)}
    return Diagram(symbols, labels, letters)


def _are_letters(words: list[str], width: int) -> bool:
    return len(words) == width and all(len(word) == 1 and word.isalpha() for word in words)


def _unlabelled(lines: list[list[str]]) -> Diagram | None:
    rows = ["".join(words) for words in lines]
    spaced = {len(word) for words in lines for word in words} == {1}
    whole = all(len(words) == 1 for words in lines)
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or not (spaced or whole):
        return None
    symbols = {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row)}
    return Diagram(symbols, row_labels=("",) * len(rows), column_labels=())
