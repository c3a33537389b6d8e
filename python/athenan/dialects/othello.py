"""Othello, as NBoard and GGF write it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from athenan._core import Error, State
from athenan.dialects.dialect import Dialect, illegal

PASSES = {"PA", "PASS", "PS", "--"}
_CELLS = str.maketrans("XO", "*O")


class OthelloDialect(Dialect):
    """Cells in capitals, a pass is PA; a position is GGF's: the size, the cells, who moves.

    >>> from athenan.games import make_game
    >>> othello = OthelloDialect(make_game("othello:size=4"))
    >>> start = othello.game.initial_state()
    >>> othello.write(start, othello.read(start, "b1")), othello.write_position(start)
    ('B1', '4 -----O*--*O----- *')
    """

    def write(self, state: State, move: int) -> str:
        """Return a cell, or PA."""
        text = state.move_to_string(move)
        return "PA" if text == "pass" else text.upper()

    def read(self, state: State, text: str) -> int:
        """Return the move of a cell, or of one of the ways to write a pass."""
        ours = "pass" if text.upper() in PASSES else text.lower()
        if ours not in state.legal_move_strings():
            raise illegal(state, text)
        return state.parse_move(ours)

    def write_position(self, state: State) -> str:
        """Return the size, the cells from a1 row by row, and who moves; * is the first player."""
        cells, mover, *_ = state.position.translate(_CELLS).split()
        return f"{round(len(cells) ** 0.5)} {cells} {mover}"

    def read_position(self, text: str) -> State:
        """Return the state of such a text; the cells may be apart."""
        size, *rest = text.split() or [""]
        board = "".join(rest).replace("*", "X").upper()
        ours = self.write_position(self.game.initial_state()).split()[0]
        if size != ours:
            raise Error(f"a board of {self.game.id} begins with {ours}; {text!r} does not")
        return self.game.parse_position(f"{board[:-1]} {board[-1:]}")


class Ggf(NamedTuple):
    """A match as GGF writes it: where it began, and its moves."""

    start: State
    moves: list[int]


def write_ggf(dialect: Dialect, start: State, moves: Sequence[int]) -> str:
    """Return a match in GGF, without its players.

    >>> from athenan.games import make_game
    >>> othello = OthelloDialect(make_game("othello:size=4"))
    >>> start = othello.game.initial_state()
    >>> text = write_ggf(othello, start, [othello.read(start, "b1")])
    >>> text
    '(;GM[Othello]PB[black]PW[white]RE[?]TI[0]TY[4]BO[4 -----O*--*O----- *]B[B1];)'
    >>> read_ggf(othello, text).moves == [othello.read(start, "b1")]
    True
    """
    board = dialect.write_position(start)
    size, played, state = board.split()[0], "", start
    for move in moves:
        played += f"{'BW'[state.to_move]}[{dialect.write(state, move)}]"
        state = state.play(move)
    return f"(;GM[Othello]PB[black]PW[white]RE[?]TI[0]TY[{size}]BO[{board}]{played};)"


def read_ggf(dialect: Dialect, text: str) -> Ggf:
    """Return the match of a text in GGF; values and times of moves are left aside."""
    properties = re.findall(r"([A-Z]+)\[([^\]]*)\]", text)
    boards = [value for name, value in properties if name == "BO"]
    if len(boards) != 1:
        raise Error(
            f"a GGF record says where the match began with one BO[...]; this one does "
            f"not: {text[:200]!r}"
        )
    start = state = dialect.read_position(boards[0])
    moves = []
    for name, value in properties:
        if name in ("B", "W"):
            moves.append(dialect.read(state, value.split("/")[0].strip()))
            state = state.play(moves[-1])
    return Ggf(start, moves)
