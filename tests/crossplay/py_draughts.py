"""py-draughts as an oracle."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator

from draughts.boards import brazilian, standard
from draughts.boards.base import BaseBoard, Color, Move
from loguru import logger

logger.disable("draughts")


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

    board: standard.Board

    def __init__(self, position: str | None = None) -> None:
        board = standard.Board.from_fen(position) if position else standard.Board()
        assert isinstance(board, standard.Board)
        self.board = board
        self.rays = standard._CORE.KING_RAYS  # type: ignore[attr-defined]
        super().__init__()

    @property
    def drawn(self) -> bool:
        board = self.board
        return board.is_25_moves_rule or board.is_16_moves_rule or board.is_5_moves_rule


class PyBrazilianDraughts(PyDraughts):
    """Drawn after 15 moves by kings, as in Russian draughts."""

    board: brazilian.Board

    def __init__(self, position: str | None = None) -> None:
        board = brazilian.Board.from_fen(position) if position else brazilian.Board()
        assert isinstance(board, brazilian.Board)
        self.board = board
        self.rays = brazilian._CORE.KING_RAYS  # type: ignore[attr-defined]
        super().__init__()

    @property
    def drawn(self) -> bool:
        return self.board.is_15_moves_rule
