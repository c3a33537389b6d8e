"""How each game looks: its board, its pieces, and the ways that they go.

A game that is not listed, such as one written in Python, is drawn as `guessed` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from athenan._core import MovePath, State
from athenan.pictures import hexagons, lines, morpion, shobu, squares
from athenan.pictures.diagram import Cell, Diagram, read_rectangle
from athenan.pictures.layout import Board
from athenan.pictures.pieces import (
    BLACK,
    BLUE,
    GOLD,
    ORANGE,
    RED,
    SLATE,
    WHITE,
    YELLOW,
    Paint,
    Piece,
    arrow,
    both,
    cross,
    crowned,
    disc,
    first,
    lettered,
    nought,
    pawn,
    queen,
    second,
    tower,
    wall,
    written,
)


def one_way(path: MovePath, _: int) -> list[list[Cell]]:
    """Return the cells of a path as they are: nearly all diagrams number them like the planes."""
    return [path.cells]


@dataclass(frozen=True)
class Look:
    """How a game looks."""

    board: Board
    pieces: Mapping[str, Piece]
    """What to draw for each symbol of the text; symbols in `empty` draw nothing."""
    empty: tuple[str, ...] = (".",)
    read: Callable[[State], Diagram | None] = read_rectangle
    ways: Callable[[MovePath, int], list[list[Cell]]] = one_way
    """The path of a move of a player as cells of the diagram, one list for each thing that goes a
    way of its own."""

    def fits(self, diagram: Diagram) -> bool:
        """Say whether every symbol is known."""
        return all(s in self.empty or s in self.pieces for s in diagram.symbols.values())

    def owner(self, symbol: str) -> str | None:
        """Say whose piece a symbol is; None if nobody's."""
        return None if symbol in self.empty else self.pieces[symbol].player


def _discs(one: Paint, other: Paint, symbols: str = "xo") -> dict[str, Piece]:
    return {symbols[0]: disc(first(one)), symbols[1]: disc(second(other))}


def _letters(one: Paint, other: Paint, letters: str) -> dict[str, Piece]:
    """Upper case for the first player, lower case for the second."""
    return {letter: lettered(first(one), letter) for letter in letters} | {
        letter.lower(): lettered(second(other), letter) for letter in letters
    }


def _santorini() -> dict[str, Piece]:
    workers = {"x": disc(first(BLACK), 0.22), "o": disc(second(WHITE), 0.22)}
    return (
        {f".{level}": tower(level) for level in range(1, 5)}
        | {f"{name}0": piece for name, piece in workers.items()}
        | {
            f"{name}{level}": both(tower(level), piece)
            for name, piece in workers.items()
            for level in range(1, 4)
        }
    )


_CHECKERED = partial(Look, squares.checkered)
_DRAUGHTS = Look(
    squares.numbered,
    _discs(WHITE, BLACK, "wb") | {"W": crowned(first(WHITE)), "B": crowned(second(BLACK))},
    read=squares.read_draughts,
)

LOOKS: Mapping[str, Look] = {
    "tic_tac_toe": Look(squares.ruled, {"x": cross(first(BLUE)), "o": nought(second(ORANGE))}),
    "connect_four": Look(squares.upright, _discs(YELLOW, RED)),
    "othello": Look(partial(squares.plain, colour=squares.BAIZE), _discs(BLACK, WHITE, "XO")),
    "clobber": _CHECKERED(_discs(BLACK, WHITE)),
    "lines_of_action": _CHECKERED(_discs(BLACK, WHITE, "Ll")),
    "breakthrough": _CHECKERED({"P": pawn(first(WHITE)), "p": pawn(second(BLACK))}),
    "amazons": _CHECKERED({"Q": queen(first(WHITE)), "q": queen(second(BLACK)), "*": arrow()}),
    "arimaa": Look(
        partial(squares.plain, traps=((5, 2), (5, 5), (2, 2), (2, 5))),
        _letters(GOLD, SLATE, "RCDHME"),
        empty=(".", "x"),
    ),
    "ataxx": Look(squares.plain, _discs(BLUE, ORANGE) | {"#": wall()}),
    "santorini": Look(partial(squares.plain, colour="#dfe8d4"), _santorini(), empty=(".0",)),
    "international_draughts": _DRAUGHTS,
    "brazilian_draughts": _DRAUGHTS,
    "canadian_draughts": _DRAUGHTS,
    "go": Look(lines.crossings, _discs(BLACK, WHITE, "XO")),
    "outer_open_gomoku": Look(partial(lines.crossings, outer_lines=2), _discs(BLACK, WHITE)),
    "connect6": Look(lines.crossings, _discs(BLACK, WHITE)),
    "xiangqi": Look(lines.xiangqi, _letters(RED, WHITE, "KABNRCP")),
    "surakarta": Look(lines.surakarta, _discs(BLACK, WHITE), ways=lines.unless_captures),
    "hex": Look(hexagons.rhombus, _discs(BLUE, ORANGE)),
    "havannah": Look(hexagons.hexagon, _discs(BLACK, WHITE), read=hexagons.read_hexagon),
    "morpion": Look(
        morpion.points,
        {"o": disc(first(BLACK), 0.17), "x": disc(first(WHITE), 0.17)},
        read=morpion.read_morpion,
    ),
    "shobu": Look(shobu.four_boards, _discs(BLACK, WHITE), ways=shobu.both_stones),
}

EMPTY = (".", "-", "_", "+", "·")


def guessed(diagrams: Iterable[Diagram]) -> Look:
    """Return a look for a game that nobody has described, from the symbols of its texts.

    x and o are the players' discs; other letters are discs with the letter, the first player's in
    upper case; anything else is written as it is.
    """
    symbols = sorted({symbol for diagram in diagrams for symbol in diagram.symbols.values()})
    return Look(squares.plain, {symbol: _guess(symbol) for symbol in symbols}, empty=EMPTY)


def _guess(symbol: str) -> Piece:
    if symbol in ("x", "X"):
        return disc(first(BLUE))
    if symbol in ("o", "O"):
        return disc(second(ORANGE))
    if len(symbol) == 1 and symbol.isalpha():
        return lettered(first(BLUE) if symbol.isupper() else second(ORANGE), symbol)
    return written(symbol)
