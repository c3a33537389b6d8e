"""How each game looks: its board, its pieces, and the ways that they go.

A game that is not listed, such as one written in Python, is drawn as `guessed` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from athenan._core import MovePath, State
from athenan.pictures import figures, hexagons, lines, morpion, shobu, squares, winning
from athenan.pictures.diagram import Cell, Diagram, read_rectangle
from athenan.pictures.figures import Figure
from athenan.pictures.layout import Board
from athenan.pictures.pieces import (
    BLACK,
    BLUE,
    GOLD,
    MAN,
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
from athenan.pictures.svg import Point
from athenan.pictures.winning import Winning

PLAYERS = ("first", "second")


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
    winning: Winning = winning.nothing
    """What on the board won a match."""
    numbers: Callable[[Diagram], Mapping[Cell, str]] = lambda _: {}
    """What is written on cells, above the pieces."""
    opposite: bool = False
    """Whether the players sit on opposite sides of the board, each with his own side near him."""

    def fits(self, diagram: Diagram) -> bool:
        """Say whether every symbol is known."""
        return all(s in self.empty or s in self.pieces for s in diagram.symbols.values())

    def owner(self, symbol: str) -> str | None:
        """Return the player of a symbol; None if it belongs to neither."""
        return None if symbol in self.empty else self.pieces[symbol].player

    def sample(self, player: int, at: Point) -> list[str]:
        """Draw a piece of a player; none where a player has none."""
        side = PLAYERS[player]
        pieces = (piece for piece in self.pieces.values() if piece.player == side)
        return [piece.draw(at) for piece in islice(pieces, 1)]

    def won(self, state: State, diagram: Diagram) -> list[list[Cell]]:
        """Return what won, as lines through cells; nothing before the end and of a draw."""
        if not state.outcome or state.game.datasheet.players == 1:
            return []
        owned = {cell: self.owner(symbol) for cell, symbol in diagram.symbols.items()}
        return self.winning(diagram, owned, PLAYERS[0 if state.outcome > 0 else 1])


def _discs(one: Paint, other: Paint, symbols: str = "xo") -> dict[str, Piece]:
    return {symbols[0]: disc(first(one)), symbols[1]: disc(second(other))}


def _letters(one: Paint, other: Paint, letters: str) -> dict[str, Piece]:
    """Upper case for the first player, lower case for the second."""
    return {letter: lettered(first(one), letter) for letter in letters} | {
        letter.lower(): lettered(second(other), letter) for letter in letters
    }


def _figures(one: Paint, other: Paint, kinds: Mapping[str, Figure]) -> dict[str, Piece]:
    """The same with figures in place of letters."""
    return {letter: figures.drawn(first(one), figure) for letter, figure in kinds.items()} | {
        letter.lower(): figures.drawn(second(other), figure) for letter, figure in kinds.items()
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
    {"w": disc(first(WHITE), MAN), "b": disc(second(BLACK), MAN)}
    | {"W": crowned(first(WHITE)), "B": crowned(second(BLACK))},
    read=squares.read_draughts,
    opposite=True,
)

LOOKS: Mapping[str, Look] = {
    "tic_tac_toe": Look(
        squares.ruled,
        {"x": cross(first(BLUE)), "o": nought(second(ORANGE))},
        winning=winning.longest_row,
    ),
    "connect_four": Look(squares.upright, _discs(YELLOW, RED), winning=winning.longest_row),
    "othello": Look(partial(squares.plain, colour=squares.BAIZE), _discs(BLACK, WHITE, "XO")),
    "clobber": _CHECKERED(_discs(BLACK, WHITE)),
    "lines_of_action": _CHECKERED(_discs(BLACK, WHITE, "Ll"), winning=winning.everything),
    "breakthrough": _CHECKERED(
        {"P": pawn(first(WHITE)), "p": pawn(second(BLACK))},
        winning=winning.arrived("Pp"),
        opposite=True,
    ),
    "amazons": _CHECKERED(
        {"Q": queen(first(WHITE)), "q": queen(second(BLACK)), "*": arrow()}, opposite=True
    ),
    "arimaa": Look(
        partial(squares.plain, traps=((5, 2), (5, 5), (2, 2), (2, 5))),
        _figures(GOLD, SLATE, figures.ARIMAA),
        empty=(".", "x"),
        winning=winning.arrived("Rr"),
        opposite=True,
    ),
    "ataxx": Look(squares.plain, _discs(BLUE, ORANGE) | {"#": wall()}),
    "santorini": Look(partial(squares.plain, colour="#dfe8d4"), _santorini(), empty=(".0",)),
    "international_draughts": _DRAUGHTS,
    "brazilian_draughts": _DRAUGHTS,
    "canadian_draughts": _DRAUGHTS,
    "go": Look(lines.crossings, _discs(BLACK, WHITE, "XO")),
    "outer_open_gomoku": Look(
        partial(lines.crossings, outer_lines=2), _discs(BLACK, WHITE), winning=winning.longest_row
    ),
    "connect6": Look(lines.crossings, _discs(BLACK, WHITE), winning=winning.longest_row),
    "xiangqi": Look(lines.xiangqi, _figures(RED, WHITE, figures.XIANGQI), opposite=True),
    "surakarta": Look(
        lines.surakarta, _discs(BLACK, WHITE), ways=lines.unless_captures, opposite=True
    ),
    "hex": Look(hexagons.rhombus, _discs(BLUE, ORANGE), winning=winning.across),
    "havannah": Look(
        hexagons.hexagon,
        _discs(BLACK, WHITE),
        read=hexagons.read_hexagon,
        winning=winning.structure,
    ),
    "morpion": Look(
        morpion.points,
        {"o": disc(first(BLACK), 0.17), "x": disc(first(WHITE), 0.25)},
        read=morpion.read_morpion,
        numbers=morpion.numbers,
    ),
    "shobu": Look(shobu.four_boards, _discs(BLACK, WHITE), ways=shobu.both_stones, opposite=True),
}

LETTERED: Mapping[str, Look] = {
    "arimaa": replace(LOOKS["arimaa"], pieces=_letters(GOLD, SLATE, "RCDHME")),
    "xiangqi": replace(LOOKS["xiangqi"], pieces=_letters(RED, WHITE, "KABNRCP")),
}
"""The games whose pieces are drawn, with letters instead."""

EMPTY = (".", "-", "_", "+", "·")


def look_of(states: Sequence[State], *, letters: bool = False) -> tuple[Look, list[Diagram]] | None:
    """Return the look of the game and the positions as it reads them; None if there is no board."""
    looks = {**LOOKS, **LETTERED} if letters else LOOKS
    look = looks.get(states[0].game.name)
    if look is not None:
        read = [diagram for diagram in map(look.read, states) if diagram and look.fits(diagram)]
        if len(read) == len(states):
            return look, read
    read = [diagram for diagram in map(read_rectangle, states) if diagram]
    return (guessed(read), read) if len(read) == len(states) else None


def guessed(diagrams: Iterable[Diagram]) -> Look:
    """Return a look for a game without one, from the symbols of its texts.

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
