"""Independent implementations behind one small interface.

An oracle plays along with one of our matches. It speaks our notation of moves: each adapter
translates the notation, the orientation of the board and the granularity of its moves.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Protocol

import pyffish
import pyspiel
from draughts.boards import brazilian, standard
from draughts.boards.base import BaseBoard, Color, Move
from loguru import logger

logger.disable("draughts")

Translation = Callable[[str], str]


class Oracle(Protocol):
    """A match of an independent implementation."""

    @property
    def to_move(self) -> int:
        """0 for the first player, 1 for the second."""

    @property
    def outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None before the end."""

    def moves(self) -> list[str]:
        """List the legal moves in our notation."""

    def play(self, move: str) -> None:
        """Play a legal move in our notation."""


def square(column: int, row: int) -> str:
    """Name a square by its column and row, both counted from 1."""
    return f"{chr(ord('a') + column - 1)}{row}"


@cache
def squares(size: int) -> list[str]:
    """Name the squares of a board row by row from a1."""
    return [square(column, row) for row in range(1, size + 1) for column in range(1, size + 1)]


def upside_down(rows: int) -> Translation:
    """Count rows from the other edge."""

    @cache
    def translate(move: str) -> str:
        return re.sub(r"\d+", lambda row: str(rows + 1 - int(row[0])), move)

    return translate


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
        return self.state.current_player()

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
            9 * (9 - int(rank)) + ord(file) - ord("a") for file, rank in (move[:2], move[2:])
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


class FairyStockfish(ABC):
    """A match of Fairy-Stockfish, where White moves first.

    A call takes milliseconds, whatever it asks for. So a match is no more than its list of moves
    until somebody looks at it, and it is over when no move is left. Subclasses say how moves are
    read and written.
    """

    variant: str

    def __init__(self) -> None:
        self.start = pyffish.start_fen(self.variant)
        self.played: list[str] = []
        self.last_look: tuple[list[str] | None, list[str]] = None, []

    @abstractmethod
    def read(self, move: str) -> str:
        """Translate a move into our notation."""

    @abstractmethod
    def write(self, move: str) -> str:
        """Translate a move from our notation."""

    @property
    def to_move(self) -> int:
        return int(pyffish.get_fen(self.variant, self.start, self.played).split()[1] == "b")

    @property
    def outcome(self) -> int | None:
        if self.legal():
            return None
        result = pyffish.game_result(self.variant, self.start, self.played)
        sign = (result > 0) - (result < 0)
        return -sign if self.to_move else sign

    def legal(self) -> list[str]:
        return self.legal_after(self.played)

    def legal_after(self, played: list[str]) -> list[str]:
        if self.last_look[0] != played:
            moves = pyffish.legal_moves(self.variant, self.start, played)
            self.last_look = played.copy(), moves
        return self.last_look[1]

    def moves(self) -> list[str]:
        return [self.read(move) for move in self.legal()]

    def play(self, move: str) -> None:
        self.played.append(self.write(move))


class FairyBreakthrough(FairyStockfish):
    """Captures are not marked: we keep the squares of all pieces."""

    variant = "breakthrough"

    def __init__(self) -> None:
        super().__init__()
        self.occupied = {square(column, row) for column in range(1, 9) for row in (1, 2, 7, 8)}

    def read(self, move: str) -> str:
        return f"{move[:2]}x{move[2:]}" if move[2:] in self.occupied else move

    def write(self, move: str) -> str:
        origin, target = move[:2], move[-2:]
        self.occupied = self.occupied - {origin} | {target}
        return origin + target


class FairyClobber(FairyStockfish):
    """The first player has the other colour of the board."""

    variant = "clobber10"
    read = write = staticmethod(upside_down(10))


class FairyOthello(FairyStockfish):
    """Rows are counted from the bottom, and a move that goes nowhere is a pass. When nobody can
    move, both players pass before the match is over."""

    def __init__(self, size: int) -> None:
        self.variant = {8: "flipello", 10: "flipello10"}[size]
        self.flip = upside_down(size)
        super().__init__()

    def read(self, move: str) -> str:
        return self.flip(move[2:]) if "@" in move else "pass"

    def write(self, move: str) -> str:
        if move != "pass":
            return f"P@{self.flip(move)}"
        (only,) = self.legal()
        return only

    @property
    def outcome(self) -> int | None:
        if self.moves() == ["pass"]:
            passed = [*self.played, *self.legal()]
            answer = self.legal_after(passed)
            if [self.read(move) for move in answer] == ["pass"]:
                self.played = [*passed, *answer]
        return super().outcome


class FairyAmazons(FairyStockfish):
    """Moves are written "d1d7,d7g7": the queen's, then the arrow's."""

    variant = "amazons"

    def read(self, move: str) -> str:
        queen, arrow = move.split(",")
        origin = re.match(r"[a-z]\d+", arrow)
        assert origin
        return f"{queen}/{arrow[origin.end() :]}"

    def write(self, move: str) -> str:
        queen, arrow = move.split("/")
        target = re.search(r"[a-z]\d+$", queen)
        assert target
        return f"{queen},{target[0]}{arrow}"


# What is left of Fairy-Stockfish's repetition rules without perpetual chases is what we play; its
# own limit is 50 moves of each player without a capture.
pyffish.load_variant_config(
    """
[xiangqi-without-chases:xiangqi]
chasingRule = none
nMoveRule = 60
"""
)


class FairyXiangqi(FairyStockfish):
    """Ranks are counted from 1. Repetition and the limit on plies without a capture end a match at
    once, though moves are left."""

    variant = "xiangqi-without-chases"

    def __init__(self, start: str | None = None) -> None:
        super().__init__()
        self.start = start or self.start

    def read(self, move: str) -> str:
        return re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), move)

    def write(self, move: str) -> str:
        return re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), move)

    @property
    def to_move(self) -> int:
        return (self.start.split()[1] == "b") ^ len(self.played) % 2

    @property
    def outcome(self) -> int | None:
        over, result = pyffish.is_optional_game_end(self.variant, self.start, self.played)
        if not over:
            return super().outcome
        sign = (result > 0) - (result < 0)
        return -sign if self.to_move else sign


class PyDraughts(ABC):
    """A match of py-draughts, which writes all squares of a capture. Its draw by repetition is left
    out. Subclasses say which draws are left."""

    board: BaseBoard
    rays: tuple[tuple[tuple[int, ...], ...], ...]  # from each square, in the four directions

    def __init__(self) -> None:
        self.legal = self.board.legal_moves

    @property
    @abstractmethod
    def drawn(self) -> bool:
        """Does a rule of the federation end the match?"""

    @property
    def to_move(self) -> int:
        return int(self.board.turn == Color.BLACK)

    @property
    def outcome(self) -> int | None:
        if not self.legal:
            return 1 if self.to_move else -1
        return 0 if self.drawn else None

    def moves(self) -> list[str]:
        ends = Counter((move.square_list[0], move.square_list[-1]) for move in self.legal)
        return [self.text(move, ends) for move in self.legal]

    def text(self, move: Move, ends: Counter[tuple[int, int]]) -> str:
        first, last = squares = move.square_list[0], move.square_list[-1]
        if not move.captured_list:
            return f"{first + 1}-{last + 1}"
        if ends[squares] == 1:
            return f"{first + 1}x{last + 1}"
        ways = self.ways([first], frozenset(move.captured_list))
        return "x".join(str(square + 1) for square in min(way for way in ways if way[-1] == last))

    def ways(self, way: list[int], left: frozenset[int]) -> Iterator[list[int]]:
        """List the ways on which a piece takes all of these pieces."""
        if not left:
            yield way
            return
        occupied = {square for square in range(len(self.rays)) if self.board[square]} - {way[0]}
        flies = abs(self.board[way[0]]) == 2
        for ray in self.rays[way[-1]]:
            at = next((i for i, square in enumerate(ray) if square in occupied), 0)
            if ray and ray[at] in left and (flies or at == 0):
                for landing in ray[at + 1 :] if flies else ray[1:2]:
                    if landing in occupied:
                        break
                    yield from self.ways([*way, landing], left - {ray[at]})

    def play(self, move: str) -> None:
        self.board.push(self.legal[self.moves().index(move)])
        self.legal = self.board.legal_moves


class PyInternationalDraughts(PyDraughts):
    """Drawn after 25 moves by kings, and after 16 or 5 with few pieces."""

    def __init__(self, position: str | None = None) -> None:
        self.board = standard.Board.from_fen(position) if position else standard.Board()
        self.rays = standard._CORE.KING_RAYS
        super().__init__()

    @property
    def drawn(self) -> bool:
        board = self.board
        return board.is_25_moves_rule or board.is_16_moves_rule or board.is_5_moves_rule


class PyBrazilianDraughts(PyDraughts):
    """Drawn after 15 moves by kings, as in Russian draughts."""

    def __init__(self, position: str | None = None) -> None:
        self.board = brazilian.Board.from_fen(position) if position else brazilian.Board()
        self.rays = brazilian._CORE.KING_RAYS
        super().__init__()

    @property
    def drawn(self) -> bool:
        return self.board.is_15_moves_rule


class FairyAtaxx(FairyStockfish):
    """Clones are written "P@f1" and passes as a move that goes nowhere. Rows with walls, as stars,
    may replace those of the start."""

    variant = "ataxx"

    def __init__(self, rows: str | None = None) -> None:
        super().__init__()
        if rows:
            self.start = f"{rows} w 0 1"

    def read(self, move: str) -> str:
        if "@" in move:
            return move[2:]
        return "0000" if move[:2] == move[2:] else move

    def write(self, move: str) -> str:
        if move == "0000":
            (only,) = self.legal()
            return only
        return f"P@{move}" if len(move) == 2 else move
