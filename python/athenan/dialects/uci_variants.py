"""Games that Fairy-Stockfish plays, as UCI writes them; White is the first player.

Each class is one variant of UCI_Variant or a family of them. Squares are letters for columns and
numbers for rows from the bottom; a placed piece is P@d4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from athenan._core import Error, Game, State
from athenan.dialects.dialect import Dialect, illegal
from athenan.dialects.squares import exchanged, option_of, shifted, upside_down

SIDES = "wb"


class UciVariant(Dialect):
    """A variant."""

    colours = ("white", "black")
    letters: ClassVar[str] = ""
    """Our letters of the two players' pieces in a position; empty where positions are equal."""
    theirs: ClassVar[str] = "Pp"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.variant = self.variants().get(self._key(), "")
        """The value of UCI_Variant."""
        if not self.variant:
            known = ", ".join(self.variants())
            raise Error(f"UCI has no variant for {game.id}; it has {known}")

    @classmethod
    def variants(cls) -> dict[str, str]:
        """Return the games that are variants, and what UCI calls these."""
        raise NotImplementedError

    def _key(self) -> str:
        return self.game.id

    # Positions: rows, w or b, the plies without progress and the number of the move.

    def write_position(self, state: State) -> str:
        """Return the FEN of a position."""
        rows = state.position.split()[0]
        move = state.ply // 2 + 1
        return f"{exchanged(rows, self.letters, self.theirs)} {SIDES[state.to_move]} - - 0 {move}"

    def read_position(self, text: str) -> State:
        """Return the state of a FEN."""
        rows, side, *_ = [*text.split(), ""]
        if side not in SIDES or not side:
            raise Error(f"the FEN {text!r} has no side to move, w or b")
        player = SIDES.index(side)
        ours = exchanged(rows, self.theirs, self.letters)
        return self.game.parse_position(f"{ours} {self.side_letters[player]}{self.rest}")

    side_letters: ClassVar[str] = "xo"
    """Our letters of the sides to move."""
    rest: ClassVar[str] = ""
    """What our positions have after the side."""


class Breakthrough(UciVariant):
    """Captures are not marked."""

    side_letters = SIDES

    @classmethod
    def variants(cls) -> dict[str, str]:
        """Return the only size."""
        return {"breakthrough:rows=8,columns=8": "breakthrough"}

    def write(self, state: State, move: int) -> str:
        """Return the two squares."""
        return super().write(state, move).replace("x", "")

    def read(self, state: State, text: str) -> int:
        """Return the move between two squares, a capture where the second one is taken."""
        found = re.fullmatch(r"([a-p]\d+)([a-p]\d+)", text)
        if found is None:
            raise illegal(state, text)
        try:
            return super().read(state, text)
        except Error:
            return super().read(state, f"{found[1]}x{found[2]}")


class Clobber(UciVariant):
    """Rows are turned over: here the first player's stones lie otherwise."""

    letters = "xo"

    @classmethod
    def variants(cls) -> dict[str, str]:
        """Return the sizes."""
        return {"clobber:rows=10,columns=10": "clobber10", "clobber:rows=6,columns=5": "clobber"}

    @property
    def _rows(self) -> int:
        return int(option_of(self.game, "rows"))

    def write(self, state: State, move: int) -> str:
        """Return the two squares."""
        return upside_down(super().write(state, move), self._rows)

    def read(self, state: State, text: str) -> int:
        """Return the move between two squares."""
        return super().read(state, upside_down(text, self._rows))

    def write_position(self, state: State) -> str:
        """Return the FEN, whose first row is our last."""
        return _turned(super().write_position(state))

    def read_position(self, text: str) -> State:
        """Return the state of a FEN."""
        return super().read_position(_turned(text))


class Othello(UciVariant):
    """Discs are placed, P@d3, with row 1 at the bottom; a pass is a move that goes nowhere."""

    @classmethod
    def variants(cls) -> dict[str, str]:
        """Return the sizes."""
        return {"othello:size=8": "flipello", "othello:size=10": "flipello10"}

    @property
    def _size(self) -> int:
        return int(option_of(self.game, "size"))

    def write(self, state: State, move: int) -> str:
        """Return where a disc is placed, or 0000 for a pass."""
        text = super().write(state, move)
        return "0000" if text == "pass" else f"P@{upside_down(text, self._size)}"

    def read(self, state: State, text: str) -> int:
        """Return the move; any text that places nothing is a pass."""
        if "@" not in text:
            return super().read(state, "pass")
        return super().read(state, upside_down(text.partition("@")[2], self._size))

    def write_position(self, state: State) -> str:
        """Return the FEN; the discs at hand are not counted."""
        cells, side, *_ = state.position.split()
        rows = [cells[start : start + self._size] for start in range(0, len(cells), self._size)]
        text = "/".join(_runs(row) for row in rows)
        return f"{exchanged(text, 'XO', 'Pp')} {SIDES['XO'.index(side)]} - - 0 1"

    def read_position(self, text: str) -> State:
        """Return the state of a FEN; discs at hand in brackets are passed over."""
        rows, side, *_ = [*re.sub(r"\[.*?\]", "", text).split(), ""]
        cells = re.sub(r"\d+", lambda run: "-" * min(int(run[0]), 99), rows).replace("/", "")
        if side not in SIDES or not side:
            raise Error(f"the FEN {text!r} has no side to move, w or b")
        return self.game.parse_position(f"{exchanged(cells, 'Pp', 'XO')} {'XO'[SIDES.index(side)]}")


class Amazons(UciVariant):
    """A turn is the queen's move and her arrow: d1d7,d7g7."""

    turn_plies = 2
    side_letters = SIDES

    @classmethod
    def variants(cls) -> dict[str, str]:
        """Return the only size, in both forms of our moves."""
        return {
            "amazons:size=10,plies=2": "amazons",
            "amazons:size=10,plies=1": "amazons",
        }

    def write_turn(self, state: State, moves: Sequence[int]) -> str:
        """Return the queen's move and the arrow."""
        texts = []
        for move in moves:
            texts.append(super().write(state, move))
            state = state.play(move)
        queen, _, arrow = "".join(texts).partition("/")
        target = re.search(r"[a-z]\d+$", queen)
        assert target is not None
        return f"{queen},{target[0]}{arrow}" if arrow else queen

    def read_turn(self, state: State, text: str) -> list[int]:
        """Return one ply or two, as the game has them."""
        found = re.fullmatch(r"([a-z]\d+[a-z]\d+),[a-z]\d+?([a-z]\d+)", text)
        if found is None:
            raise illegal(state, text)
        queen, arrow = found[1], found[2]
        if option_of(self.game, "plies") == "1":
            return [super().read(state, f"{queen}/{arrow}")]
        first = super().read(state, queen)
        return [first, super().read(state.play(first), f"/{arrow}")]


class Xiangqi(UciVariant):
    """Ranks are counted from 1, here from 0. The letters of a FEN are the same."""

    @classmethod
    def variants(cls) -> dict[str, str]:
        """Return the game, whatever its limits on repetition."""
        return {"xiangqi": "xiangqi"}

    def _key(self) -> str:
        return self.game.name

    def write(self, state: State, move: int) -> str:
        """Return the two points."""
        return shifted(super().write(state, move), 1)

    def read(self, state: State, text: str) -> int:
        """Return the move between two points."""
        if not re.fullmatch(r"[a-i](10|[1-9])[a-i](10|[1-9])", text):
            raise illegal(state, text)
        return super().read(state, shifted(text, -1))

    def write_position(self, state: State) -> str:
        """Return the FEN without what repetition needs."""
        return " ".join(state.position.split()[:6])

    def read_position(self, text: str) -> State:
        """Return the state of a FEN."""
        return self.game.parse_position(text)


class Ataxx(UciVariant):
    """A clone is P@f1; a pass is a move that goes nowhere."""

    letters = "xo-"
    theirs = "Pp*"
    rest = " 0"

    @classmethod
    def variants(cls) -> dict[str, str]:
        """Return the board without walls."""
        return {"ataxx:size=7": "ataxx"}

    def _key(self) -> str:
        return f"ataxx:size={option_of(self.game, 'size')}"

    def write(self, state: State, move: int) -> str:
        """Return a clone, a jump or 0000."""
        text = super().write(state, move)
        return f"P@{text}" if len(text) == 2 else text

    def read(self, state: State, text: str) -> int:
        """Return the move; one that goes nowhere is a pass."""
        if "@" in text:
            return super().read(state, text.partition("@")[2])
        if text == "0000" or text[:2] == text[2:]:
            return super().read(state, "0000")
        if len(text) == 2:
            raise illegal(state, text)
        return super().read(state, text)


def _turned(fen: str) -> str:
    """Return a FEN with its rows in the other order."""
    rows, space, rest = fen.partition(" ")
    return "/".join(reversed(rows.split("/"))) + space + rest


def _runs(row: str) -> str:
    """Return a row with numbers for runs of empty cells."""
    return re.sub(r"-+", lambda run: str(len(run[0])), row)


VARIANTS: dict[str, type[UciVariant]] = {
    "amazons": Amazons,
    "ataxx": Ataxx,
    "breakthrough": Breakthrough,
    "clobber": Clobber,
    "othello": Othello,
    "xiangqi": Xiangqi,
}
"""By the name of our game."""


def uci_variants() -> dict[str, str]:
    """Return the variants that are played, each with our game.

    >>> uci_variants()["flipello"]
    'othello:size=8'
    """
    found: dict[str, str] = {}
    for dialect in VARIANTS.values():
        for game, variant in dialect.variants().items():
            found.setdefault(variant, game)
    return found
