"""How each game looks: its board, its pieces, and where to find the last move.

A game that is not listed, such as one written in Python, is drawn as `guessed` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from athenan._core import State
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
    worker,
    written,
)


@dataclass(frozen=True)
class Look:
    """How a game looks."""

    board: Board
    pieces: Mapping[str, Piece]
    """What to draw for each symbol of the text; symbols in `empty` draw nothing."""
    empty: tuple[str, ...] = (".",)
    read: Callable[[State], Diagram | None] = read_rectangle
    moved: Callable[[Diagram, str], list[Cell]] = Diagram.named_in
    """The cells that a move's text speaks of."""
    text: Callable[[State, int], str] = State.move_to_string
    """The text of the move that led to a state, from its number. Most games need no more than the
    number; some write it differently once the other player is to move."""

    def fits(self, diagram: Diagram) -> bool:
        """Say whether every symbol is known."""
        return all(s in self.empty or s in self.pieces for s in diagram.symbols.values())


def _discs(one: Paint, other: Paint, symbols: str = "xo") -> dict[str, Piece]:
    return {symbols[0]: disc(first(one)), symbols[1]: disc(second(other))}


def _letters(one: Paint, other: Paint, letters: str) -> dict[str, Piece]:
    """Upper case for the first player, lower case for the second."""
    return {letter: lettered(first(one), letter) for letter in letters} | {
        letter.lower(): lettered(second(other), letter) for letter in letters
    }


def _santorini() -> dict[str, Piece]:
    workers = {"x": worker(first(BLACK)), "o": worker(second(WHITE))}
    return (
        {f".{level}": tower(level) for level in range(1, 5)}
        | {f"{name}0": piece for name, piece in workers.items()}
        | {
            f"{name}{level}": both(tower(level), piece)
            for name, piece in workers.items()
            for level in range(1, 4)
        }
    )


def _breakthrough_text(state: State, move: int) -> str:
    """Write a move from its number, origin and turn, because forward depends on the mover."""
    columns = state.game.datasheet.columns
    cell, turn = divmod(move, 3)
    row, column = state.game.datasheet.rows - cell // columns, cell % columns
    forward = 1 if state.to_move == 1 else -1  # the first player moved if the second is next
    origin, target = chr(ord("a") + column), chr(ord("a") + column + turn - 1)
    return f"{origin}{row}{target}{row + forward}"


def _shobu_text(state: State, move: int) -> str:
    """Write a move with the mover's home board, not the other's, for the passive stone."""
    text = state.move_to_string(move)
    return text[:1].swapcase() + text[1:]


def _arimaa_steps(diagram: Diagram, move: str) -> list[Cell]:
    """Return where each step starts and ends."""
    ways = {"n": (-1, 0), "s": (1, 0), "e": (0, 1), "w": (0, -1), "x": (0, 0), "": (0, 0)}
    cells = []
    for name, way in re.findall(r"([a-h][1-8])([nsewx]?)", move):
        (row, column), (down, right) = diagram.names[name], ways[way]
        cells += [(row, column), (row + down, column + right)]
    return cells


_CHECKERED = partial(Look, squares.checkered)
_DRAUGHTS = Look(
    squares.numbered,
    _discs(WHITE, BLACK, "wb") | {"W": crowned(first(WHITE)), "B": crowned(second(BLACK))},
    read=squares.read_draughts,
)

LOOKS: Mapping[str, Look] = {
    "tic_tac_toe": Look(squares.ruled, {"x": cross(first(BLUE)), "o": nought(second(ORANGE))}),
    "connect_four": Look(squares.upright, _discs(YELLOW, RED), moved=squares.drop_in),
    "othello": Look(partial(squares.plain, colour=squares.BAIZE), _discs(BLACK, WHITE, "XO")),
    "clobber": _CHECKERED(_discs(BLACK, WHITE)),
    "lines_of_action": _CHECKERED(_discs(BLACK, WHITE, "Ll")),
    "breakthrough": _CHECKERED(
        {"P": pawn(first(WHITE)), "p": pawn(second(BLACK))}, text=_breakthrough_text
    ),
    "amazons": _CHECKERED({"Q": queen(first(WHITE)), "q": queen(second(BLACK)), "*": arrow}),
    "arimaa": Look(
        partial(squares.plain, traps=("c3", "f3", "c6", "f6")),
        _letters(GOLD, SLATE, "RCDHME"),
        empty=(".", "x"),
        moved=_arimaa_steps,
    ),
    "ataxx": Look(squares.plain, _discs(BLUE, ORANGE) | {"#": wall}),
    "santorini": Look(partial(squares.plain, colour="#dfe8d4"), _santorini(), empty=(".0",)),
    "international_draughts": _DRAUGHTS,
    "brazilian_draughts": _DRAUGHTS,
    "canadian_draughts": _DRAUGHTS,
    "go": Look(lines.crossings, _discs(BLACK, WHITE, "XO")),
    "outer_open_gomoku": Look(partial(lines.crossings, outer_lines=2), _discs(BLACK, WHITE)),
    "connect6": Look(lines.crossings, _discs(BLACK, WHITE)),
    "xiangqi": Look(lines.xiangqi, _letters(RED, WHITE, "KABNRCP")),
    "surakarta": Look(lines.surakarta, _discs(BLACK, WHITE)),
    "hex": Look(hexagons.rhombus, _discs(BLUE, ORANGE)),
    "havannah": Look(hexagons.hexagon, _discs(BLACK, WHITE), read=hexagons.read_hexagon),
    "morpion": Look(
        morpion.points,
        {"o": disc(first(BLACK), 0.17), "x": disc(first(WHITE), 0.17)},
        read=morpion.read_morpion,
        moved=morpion.new_point,
    ),
    "shobu": Look(
        shobu.four_boards,
        _discs(BLACK, WHITE),
        read=shobu.read_shobu,
        moved=shobu.both_stones,
        text=_shobu_text,
    ),
}

EMPTY = (".", "-", "_", "+", "·")


def guessed(diagram: Diagram) -> Look:
    """Return a look for a game that nobody has described, from the symbols of its text.

    x and o are the players' discs; other letters are discs with the letter, the first player's in
    upper case; anything else is written as it is.
    """
    symbols = sorted(set(diagram.symbols.values()))
    return Look(squares.plain, {symbol: _guess(symbol) for symbol in symbols}, empty=EMPTY)


def _guess(symbol: str) -> Piece:
    if symbol in ("x", "X"):
        return disc(first(BLUE))
    if symbol in ("o", "O"):
        return disc(second(ORANGE))
    if len(symbol) == 1 and symbol.isalpha():
        return lettered(first(BLUE) if symbol.isupper() else second(ORANGE), symbol)
    return written(symbol)
