"""Boards found in Python values: their planes, drawings and cells, for authors who give none.

A board is rows of symbols: lines of a text, a tuple of texts or of tuples, or one text or tuple
that is cut into rows. A symbol is a letter, a small number, None. A state is a board, or a tuple of
boards of one size and of other numbers, or numbers alone: these are planes of one cell.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from athenan._core import Error

MAX_SYMBOLS = 12  # more different numbers than these are one plane of numbers
Shape = tuple[int, int]
Place = int | None  # which entry of a state; None: the state itself


@dataclass(frozen=True)
class Layout:
    """Where a state has its boards and numbers, and what they hold."""

    shape: Shape
    boards: tuple[Place, ...]
    symbols: tuple[tuple[Hashable, ...], ...]
    """Of each board, the empty symbol first."""
    numbers: tuple[Place, ...]

    def plane_names(self) -> list[str]:
        """Name the planes in their order."""
        return [name for name, _ in self._described()] + ["player to move"]

    def planes(self, state: Any, to_move: int) -> NDArray[np.int8]:
        """Encode a state: one plane per symbol but the empty one, per number, and the player."""
        planes = np.empty((len(self._described()) + 1, *self.shape), np.int8)
        at = 0
        for place, symbols in zip(self.boards, self.symbols, strict=True):
            cells = self.cells_of(_entry(state, place))
            if _numeric(symbols):
                planes[at] = _small(cells, "a cell").reshape(self.shape)
                at += 1
                continue
            index = {symbol: number for number, symbol in enumerate(symbols)}
            try:
                found = np.array([index[cell] for cell in cells]).reshape(self.shape)
            except KeyError as unknown:
                raise Error(
                    f"a cell holds {unknown.args[0]!r}, which no random match showed: list all "
                    "that a cell can hold in `symbols`, or write the method `planes`"
                ) from None
            for number in range(1, len(symbols)):
                planes[at] = found == number
                at += 1
        for number, value in enumerate(
            _small([_entry(state, n) for n in self.numbers], "a number"), at
        ):
            planes[number] = value
        planes[-1] = to_move
        return planes

    def cells_of(self, board: Any) -> list[Hashable]:
        """Return what the cells hold, row by row."""
        rows = _rows(board, self.shape)
        if rows is None or len(rows) != self.shape[0] or {len(r) for r in rows} != {self.shape[1]}:
            raise Error(
                f"{board!r} is not a board of {self.shape[0]} rows, {self.shape[1]} columns"
            )
        return [cell for row in rows for cell in row]

    def drawing(self, state: Any) -> str:
        """Draw the first board, with the coordinates that moves have."""
        if not self.boards:
            return f"{state}\n"
        rows, columns = self.shape
        cells = [_drawn(cell) for cell in self.cells_of(_entry(state, self.boards[0]))]
        width = max(map(len, cells))
        margin = len(str(rows))
        lines = [
            f"{row + 1:>{margin}} "
            + " ".join(f"{c:>{width}}" for c in cells[row * columns : (row + 1) * columns])
            for row in range(rows)
        ]
        letters = " ".join(f"{column_letter(column):>{width}}" for column in range(columns))
        return "\n".join([*lines, " " * margin + " " + letters]) + "\n"

    def _described(self) -> list[tuple[str, int]]:
        names = []
        for number, symbols in enumerate(self.symbols, 1):
            board = "" if len(self.boards) == 1 else f" on board {number}"
            kinds = ["cells"] if _numeric(symbols) else [f"{s!s}" for s in symbols[1:]]
            names += [(f"{kind}{board}", number) for kind in kinds]
        return names + [(f"number {(place or 0) + 1}", 0) for place in self.numbers]


def layout_of(
    states: Sequence[Any],
    players: Sequence[int],
    shape: Shape | None,
    symbols: Sequence[Hashable],
) -> Layout | None:
    """Find the layout that all these states have, the first one being the start; None without.

    A number that is always the player to move is left out: that is a plane anyway.
    """
    start = states[0]
    places = _places(start, shape)
    if places is None:
        return None
    boards, numbers, shape = places
    shown = tuple(
        n for n in numbers if any(_entry(s, n) != p for s, p in zip(states, players, strict=True))
    )
    held = [
        tuple(symbols) or _symbols([_entry(state, place) for state in states], shape)
        for place in boards
    ]
    return Layout(shape, boards, tuple(held), shown)


def _places(
    start: Any, shape: Shape | None
) -> tuple[tuple[Place, ...], tuple[Place, ...], Shape] | None:
    if _is_number(start):
        return (), (None,), (1, 1)
    rows = _rows(start, shape)
    if rows is not None:
        return (None,), (), (len(rows), len(rows[0]))
    if not isinstance(start, tuple):
        return None
    found = {place: _rows(entry, shape) for place, entry in enumerate(start)}
    boards = {place: rows for place, rows in found.items() if rows is not None}
    others = [place for place in found if place not in boards]
    shapes = {(len(rows), len(rows[0])) for rows in boards.values()} or {(1, 1)}
    if len(shapes) != 1 or not all(_is_number(start[place]) for place in others):
        return None
    return tuple(boards), tuple(others), shapes.pop()


def _rows(value: Any, shape: Shape | None) -> list[Sequence[Any]] | None:
    """Cut a value into rows of symbols of one length; None if it is no board."""
    if isinstance(value, str) and "\n" in value:
        rows: list[Sequence[Any]] = list(value.strip("\n").split("\n"))
    elif isinstance(value, tuple) and value and all(isinstance(v, str | tuple) for v in value):
        rows = list(value)
        if all(isinstance(row, str) and len(row) == 1 for row in rows):
            return _cut(value, shape)
    else:
        return _cut(value, shape)
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        return None
    if not all(_is_symbol(cell) for row in rows for cell in row):
        return None
    return rows


def _cut(value: Any, shape: Shape | None) -> list[Sequence[Any]] | None:
    """Cut a board without rows; without a shape it is square, if its length is that of a square."""
    if not isinstance(value, str | tuple) or not all(map(_is_symbol, value)):
        return None
    length, side = len(value), math.isqrt(len(value))
    if shape is None and (length < 9 or side * side != length):
        whole = isinstance(value, str) and length > 1
        return [value] if whole or length > 4 else None
    rows, columns = shape or (side, side)
    if length != rows * columns:
        return None
    return [value[row * columns : (row + 1) * columns] for row in range(rows)]


def _symbols(boards: Iterable[Any], shape: Shape) -> tuple[Hashable, ...]:
    """Return what cells hold in all these boards, first what most cells of the first one hold."""
    seen = [[cell for row in _rows(board, shape) or () for cell in row] for board in boards]
    empty = max(sorted(set(seen[0]), key=str), key=seen[0].count)
    others = {cell for cells in seen for cell in cells} - {empty}
    return (empty, *sorted(others, key=str))


def _entry(state: Any, place: Place) -> Any:
    return state if place is None else state[place]


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, int | np.integer)


def _is_symbol(value: object) -> bool:
    return _is_number(value) or (isinstance(value, str) and len(value) <= 2)


def _numeric(symbols: Sequence[Hashable]) -> bool:
    return len(symbols) > MAX_SYMBOLS and all(map(_is_number, symbols))


def _small(numbers: Sequence[Any], what: str) -> NDArray[np.int8]:
    values = [-1 if number is None else int(number) for number in numbers]
    for value in values:
        if not -128 <= value <= 127:
            raise Error(
                f"{what} of a state is {value}; planes are derived of numbers from -128 to 127: "
                "write the method `planes`"
            )
    return np.array(values, np.int8)


# Cells as people write them.

_SYMBOLS_OF_NUMBERS = {0: ".", 1: "x", 2: "o", -1: "o", None: "."}


def _drawn(cell: Any) -> str:
    if isinstance(cell, str):
        return cell if cell.strip() else "."
    return _SYMBOLS_OF_NUMBERS.get(cell, str(cell))


def column_letter(column: int) -> str:
    """Return the letter of a column: a to z, then aa.

    >>> [column_letter(column) for column in (0, 25, 26)]
    ['a', 'z', 'aa']
    """
    first, last = divmod(column, 26)
    return (chr(96 + first) if first else "") + chr(97 + last)


def cell_text(cell: tuple[int, int]) -> str:
    """Return the name of a cell: b3 is the second column of the third row."""
    return f"{column_letter(cell[1])}{cell[0] + 1}"


def is_way(move: object, board: Collection[Shape]) -> bool:
    """Tell whether a move is a way over the board: a tuple of cells, from first to last.

    >>> is_way(((0, 1), (2, 1)), {(0, 1), (2, 1)}), is_way((0, 1), {(0, 1)})
    (True, False)
    """
    return isinstance(move, tuple) and len(move) > 1 and all(cell in board for cell in move)
