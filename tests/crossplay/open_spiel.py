"""OpenSpiel as an oracle."""

import re
from functools import cache

import pyspiel
from crossplay.oracles import Translation, square, squares, upside_down


def unchanged(move: str) -> str:
    """Hex, Othello and Clobber of OpenSpiel are written like ours."""
    return move


def tic_tac_toe_move(action: str) -> str:
    """Read "x(2,0)": row and column from the top left, counted from 0."""
    row, column = map(int, re.findall(r"\d+", action))
    return square(column + 1, row + 1)


def connect_four_move(action: str) -> str:
    """Read "x3": the column, counted from 0."""
    return square(int(action[1:]) + 1, 0)[0]


def breakthrough_move(rows: int) -> Translation:
    """Read "d2e1*", a capture; the first player starts at the top."""
    flip = upside_down(rows)
    return lambda action: flip(re.sub(r"(..)(..)\*", r"\1x\2", action))


def lines_of_action_move(action: str) -> str:
    """Read "b1-h1"."""
    return action.replace("-", "")


def amazons_square(size: int) -> Translation:
    """Read "X To (2, 6)": row and column from the top left, counted from 1."""

    @cache
    def translate(action: str) -> str:
        row, column = map(int, re.findall(r"\d+", action))
        return square(column, size + 1 - row)

    return translate


class OpenSpiel:
    """A match of OpenSpiel whose actions are our moves."""

    def __init__(self, game: str, translate: Translation = unchanged) -> None:
        self.state = loaded(game).new_initial_state()
        self.translate = translate

    @property
    def to_move(self) -> int:
        return int(self.state.current_player())

    @property
    def outcome(self) -> int | None:
        return int(self.state.returns()[0]) if self.state.is_terminal() else None

    def actions(self) -> dict[str, int]:
        name, translate = self.state.action_to_string, self.translate
        return {translate(name(action)): action for action in self.state.legal_actions()}

    def moves(self) -> list[str]:
        return [self.translate(self.state.action_to_string(a)) for a in self.state.legal_actions()]

    def play(self, move: str) -> None:
        self.state.apply_action(self.actions()[move])


loaded = cache(pyspiel.load_game)


class OpenSpielPoints(OpenSpiel):
    """OpenSpiel counts the points of a board row by row: its actions are indices of our names."""

    def __init__(self, game: str, names: list[str]) -> None:
        super().__init__(game)
        self.names = names

    def moves(self) -> list[str]:
        return [self.names[action] for action in self.state.legal_actions()]

    def play(self, move: str) -> None:
        self.state.apply_action(self.names.index(move))


@cache
def go_points(size: int) -> list[str]:
    """Name the points of a Go board row by row from A1."""
    letters = "ABCDEFGHJKLMNOPQRST"[:size]
    return [f"{letter}{row}" for row in range(1, size + 1) for letter in letters]


class OpenSpielGo(OpenSpielPoints):
    """Simple ko. A match whose board comes again, except by a pass, is a draw at once."""

    def __init__(self, size: int, komi: float) -> None:
        super().__init__(f"go(board_size={size},komi={float(komi)})", [*go_points(size), "pass"])


class OpenSpielGomoku(OpenSpielPoints):
    """Five or more in a row win, and the first stone lies anywhere: we leave out what is inside."""

    def __init__(self, size: int) -> None:
        super().__init__(f"gomoku(size={size})", squares(size))
        inner = range(3, size - 1)
        self.inside = {square(column, row) for row in inner for column in inner}

    def moves(self) -> list[str]:
        moves = super().moves()
        if self.state.history():
            return moves
        return [move for move in moves if move not in self.inside]


class OpenSpielAmazons(OpenSpiel):
    """OpenSpiel chooses a queen, then her square, then that of the arrow; the first two are one
    move of ours."""

    def __init__(self, size: int) -> None:
        super().__init__(f"amazons(board_size={size})", amazons_square(size))

    @property
    def shooting(self) -> bool:
        return "Shoot" in self.state.action_to_string(self.state.legal_actions()[0])

    def moves(self) -> list[str]:
        if self.state.is_terminal():
            return []
        if self.shooting:
            return [f"/{arrow}" for arrow in super().moves()]
        found = []
        for origin, action in self.actions().items():
            chosen = self.state.child(action)
            found += [
                origin + self.translate(chosen.action_to_string(target))
                for target in chosen.legal_actions()
            ]
        return found

    def play(self, move: str) -> None:
        for name in re.findall(r"[a-z]\d+", move):
            super().play(name)


class OpenSpielXiangqi(OpenSpiel):
    """Moves are read "H(9,1)-(7,2)": rows and columns from the top left, counted from 0. Their
    numbers are made of the two cells; looking them up among the legal ones would take long."""

    def __init__(self) -> None:
        super().__init__("xiangqi", self.read)

    @staticmethod
    @cache
    def read(action: str) -> str:
        row, column, to_row, to_column = map(int, re.findall(r"\d", action))
        return square(column + 1, 9 - row) + square(to_column + 1, 9 - to_row)

    def play(self, move: str) -> None:
        origin, target = (
            9 * (9 - int(rank)) + ord(file) - ord("a")
            for file, rank in (tuple(move[:2]), tuple(move[2:]))
        )
        self.state.apply_action(90 * origin + target)


class OpenSpielHavannah(OpenSpiel):
    """OpenSpiel swaps by playing on the cell of the first stone."""

    def __init__(self, size: int, swap: bool) -> None:
        self.game = f"havannah(board_size={size},swap={swap})"
        super().__init__(self.game)
        self.swaps = swap
        self.first_stone: str | None = None  # while it can be swapped

    def moves(self) -> list[str]:
        return ["swap" if move == self.first_stone else move for move in super().moves()]

    def play(self, move: str) -> None:
        cell = self.first_stone if move == "swap" and self.first_stone else move
        self.first_stone = move if self.swaps and not self.state.history() else None
        self.state.apply_action(cells_of(self.game)[cell])


@cache
def cells_of(game: str) -> dict[str, int]:
    """Map the names of the cells of an empty board to its actions."""
    start = loaded(game).new_initial_state()
    return {start.action_to_string(action): action for action in start.legal_actions()}
