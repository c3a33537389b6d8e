"""Draughts on boards of any size, as the Hub protocol writes them."""

from __future__ import annotations

import re

from athenan._core import Error, Game, State
from athenan.dialects.dialect import Dialect, illegal

_MEN = {"W": "w", "B": "b"}


class HubDialect(Dialect):
    """A capture names its ends, then the pieces that it takes: 28x19x23.

    A position is who moves and one letter for each square: w and b are men, W and B kings, e is
    empty. It says nothing of the moves by kings that were counted so far.

    >>> from athenan.games import make_game
    >>> hub = HubDialect(make_game("brazilian_draughts"))
    >>> hub.write_position(hub.game.initial_state())
    'Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww'
    >>> state = hub.read_position("Wbeeeeeeebeeeeeeeeeeeeeeeeeeeewee")
    >>> state.position
    'W:W30:B1,9 @0'
    """

    colours = ("white", "black")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        rows = int(game.initial_state().encode().shape[1])
        self.squares = rows * rows // 2
        self._width = rows // 2

    def write(self, state: State, move: int) -> str:
        """Return the ends of a move, and the squares of the pieces that it takes in their order."""
        path = state.move_path(move)
        assert path is not None
        squares = [self._square(row, column) for row, column in path.cells]
        if path.kind == "move":
            return f"{squares[0]}-{squares[-1]}"
        return "x".join(map(str, [squares[0], squares[-1], *sorted(squares[1::2])]))

    def read(self, state: State, text: str) -> int:
        """Return the legal move of a text; the captured pieces come in any order.

        Where the ends alone, or the squares where the piece lands, tell the capture, they do: many
        programs write that.
        """
        legal = {move: _told(self.write(state, move)) for move in state.legal_moves()}
        if re.fullmatch(r"\d{1,3}([-x]\d{1,3})+", text):
            told = _told(text)
            for move, ours in legal.items():
                if ours == told:
                    return move
            with_ends = [move for move, ours in legal.items() if ours[0] == told[0]]
            if not told[1] and len(with_ends) == 1 and legal[with_ends[0]][2] == told[2]:
                return with_ends[0]
        if text in state.legal_move_strings():
            return state.parse_move(text)
        raise illegal(state, text)

    def write_position(self, state: State) -> str:
        """Return who moves and all squares."""
        board = ["e"] * self.squares
        mover, *sides = state.position.split()[0].split(":")
        for side in sides[:2]:
            for piece in side[1:].split(",") if side[1:] else []:
                king = piece.startswith("K")
                board[int(piece.removeprefix("K")) - 1] = side[0] if king else _MEN[side[0]]
        return mover + "".join(board)

    def read_position(self, text: str) -> State:
        """Return the state of such a text."""
        if not re.fullmatch(rf"[WB][wbWBe]{{{self.squares}}}", text):
            raise Error(
                f"a Hub position of {self.game.name} is W or B and then {self.squares} letters of "
                f"w, b, W, B and e, not {text!r}"
            )
        board = list(enumerate(text[1:], 1))
        sides = [
            ",".join(
                f"{'K' if letter == side else ''}{square}"
                for square, letter in board
                if letter.upper() == side
            )
            for side in "WB"
        ]
        return self.game.parse_position(f"{text[0]}:W{sides[0]}:B{sides[1]}")

    def _square(self, row: int, column: int) -> int:
        return row * self._width + column // 2 + 1


def _told(text: str) -> tuple[list[int], list[int], bool]:
    """Return the ends, the captured pieces in order, and whether it is a capture."""
    squares = [int(each) for each in re.split("[-x]", text)]
    return squares[:2], sorted(squares[2:]), "x" in text
