"""Gomoku, as the Gomocup protocol writes it."""

from __future__ import annotations

import re

from athenan._core import Game, State
from athenan.dialects.dialect import Dialect, illegal


class GomocupDialect(Dialect):
    """A point is its column and its row, both from 0, the row from the top: 7,7.

    >>> from athenan.games import make_game
    >>> gomoku = GomocupDialect(make_game("outer_open_gomoku:size=15"))
    >>> start = gomoku.game.initial_state()
    >>> start.move_to_string(gomoku.read(start, "2,1")), gomoku.write(start, start.parse_move("a1"))
    ('c14', '0,14')
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.size = int(game.initial_state().encode().shape[1])

    def write(self, state: State, move: int) -> str:
        """Return column and row."""
        path = state.move_path(move)
        assert path is not None
        ((row, column),) = path.cells
        return f"{column},{row}"

    def read(self, state: State, text: str) -> int:
        """Return the move on a point, if it is free."""
        point = re.fullmatch(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*", text)
        wanted = f"{int(point[1])},{int(point[2])}" if point else ""
        for move in state.legal_moves():
            if self.write(state, move) == wanted:
                return move
        raise illegal(state, text)

    def position_of(self, first: set[str], second: set[str]) -> State:
        """Return the state with stones on these points; who has as many as the other moves.

        >>> from athenan.games import make_game
        >>> gomoku = GomocupDialect(make_game("outer_open_gomoku:size=5"))
        >>> gomoku.position_of({"0,0"}, set()).position
        'x4/5/5/5/5 o'
        """
        size = self.size
        names = [[f"{x},{y}" for x in range(size)] for y in range(size)]
        rows = [
            "".join("x" if at in first else "o" if at in second else "." for at in row)
            for row in names
        ]
        board = "/".join(re.sub(r"\.+", lambda run: str(len(run.group())), row) for row in rows)
        return self.game.parse_position(f"{board} {'x' if len(first) == len(second) else 'o'}")
