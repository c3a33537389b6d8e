"""Tic-tac-toe in Python: a whole game for athenan, with no C++.

Try it:  athenan show examples/tic_tac_toe.py b2 a1
"""

from collections.abc import Iterable

import numpy as np
from athenan import Datasheet, PositionError, Rules
from athenan.games import StateBytes
from numpy.typing import NDArray

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
SYMBOLS = ".xo"


class TicTacToe(Rules):
    """A state is the nine cells from a1 to c3: 0 empty, 1 first player, 2 second player."""

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Tic-tac-toe in Python",
            rows=3,
            columns=3,
            planes=["first player", "second player", "player to move"],
            move_count=9,
            move_kinds=["place"],
            max_length=9,
            max_length_reason="each move fills one of 9 cells",
            symmetries=2,
            symmetry_group="left-right mirror (2)",
            has_draws=True,
            board_determines_ply=True,
            move_notation="b2: column letter, row 1 at the top",
            position_notation="nine cells from a1 to c3, each one of . x o",
        )

    def initial(self) -> StateBytes:
        return np.zeros(9, np.uint8)

    def ply_of(self, state: StateBytes) -> int:
        return int(np.count_nonzero(state))

    def to_move(self, state: StateBytes) -> int:
        return self.ply_of(state) % 2

    def result(self, state: StateBytes) -> int | None:
        for stone, value in ((1, 1), (2, -1)):
            if any(all(state[cell] == stone for cell in line) for line in LINES):
                return value
        return 0 if state.all() else None

    def moves(self, state: StateBytes) -> Iterable[int]:
        return [int(cell) for cell in np.flatnonzero(state == 0)]

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        child = state.copy()
        child[move] = 1 + self.to_move(state)
        return child

    def encode(self, state: StateBytes) -> NDArray[np.int8]:
        side = np.full(9, self.to_move(state))
        return np.stack([state == 1, state == 2, side]).reshape(3, 3, 3).astype(np.int8)

    def transform(self, state: StateBytes, symmetry: int) -> StateBytes:
        return state.reshape(3, 3)[:, ::-1].ravel() if symmetry else state

    def transform_move(self, state: StateBytes, symmetry: int, move: int) -> int:
        return move // 3 * 3 + 2 - move % 3 if symmetry else move

    def move_path(self, state: StateBytes, move: int) -> tuple[str, list[tuple[int, int]]]:
        return "place", [divmod(move, 3)]

    def move_text(self, state: StateBytes, move: int) -> str:
        return "abc"[move % 3] + str(move // 3 + 1)

    def position_text(self, state: StateBytes) -> str:
        return "".join(SYMBOLS[cell] for cell in state)

    def parse_position(self, text: str) -> StateBytes:
        if len(text) != 9 or set(text) - set(SYMBOLS):
            raise PositionError(f"position {text[:60]!r} is not nine cells, each one of . x o")
        return np.array([SYMBOLS.index(cell) for cell in text], np.uint8)

    def drawing(self, state: StateBytes) -> str:
        cells = self.position_text(state)
        rows = [f"{r + 1} {' '.join(cells[3 * r : 3 * r + 3])}\n" for r in range(3)]
        return "".join(rows) + "  a b c\n"

    def flaw(self, state: StateBytes) -> str:
        if state.max() > 2 or np.sum(state == 1) - np.sum(state == 2) not in (0, 1):
            return "the numbers of stones do not fit"
        return ""
