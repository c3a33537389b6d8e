"""Fairy-Stockfish as an oracle."""

import re
from abc import ABC, abstractmethod

import pyffish
from crossplay.oracles import square, upside_down


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
    flip = staticmethod(upside_down(10))

    def read(self, move: str) -> str:
        return self.flip(move)

    def write(self, move: str) -> str:
        return self.flip(move)


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
