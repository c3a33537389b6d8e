"""The pieces: what a symbol of the board is drawn as, each made for one side.

Everything that belongs to a player is a group of class `piece first` or `piece second`; arrows,
walls and buildings are of class `mark`. The colours of two opponents always differ in lightness,
not in hue alone, so that they differ for colour-blind readers and in grey print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from athenan.pictures.svg import Point, Style, circle, group, line, polygon, square, text

RADIUS = 0.37
MAN = 0.32  # of draughts: the number of its square is seen beside it
EDGE = 0.05


class Paint(NamedTuple):
    """The colours of a piece."""

    fill: str
    edge: str
    ink: str


BLACK = Paint("#2b2b2b", "#000000", "#ffffff")
WHITE = Paint("#ffffff", "#2b2b2b", "#2b2b2b")
BLUE = Paint("#0b5a94", "#06304f", "#ffffff")
ORANGE = Paint("#f0a830", "#7a5000", "#2b2b2b")
YELLOW = Paint("#f7e463", "#8a7a00", "#2b2b2b")
RED = Paint("#b8341b", "#6b1a0b", "#ffffff")
GOLD = Paint("#f2c14e", "#7a5c10", "#2b2b2b")
SLATE = Paint("#4d5b6b", "#232b33", "#ffffff")
STONE = "#8d8678"

Shape = Callable[[Point], Iterable[str]]


@dataclass(frozen=True)
class Piece:
    """A thing on the board: how it is drawn at a place, and whose it is."""

    draw: Callable[[Point], str]
    player: str | None = None
    """first, second, or None if it belongs to neither player."""


class Side(NamedTuple):
    """A player's pieces."""

    player: str
    paint: Paint


first, second = partial(Side, "first"), partial(Side, "second")


def _piece(side: Side, shape: Shape) -> Piece:
    return Piece(lambda at: group(f"piece {side.player}", shape(at)), side.player)


def _mark(shape: Shape) -> Piece:
    return Piece(lambda at: group("mark", shape(at)))


def _of_side(shape: Callable[[Paint, Point], Iterable[str]]) -> Callable[[Side], Piece]:
    """Make pieces of either side with what draws them in some colours at a place."""
    return lambda side: _piece(side, partial(shape, side.paint))


def disc(side: Side, radius: float = RADIUS) -> Piece:
    """Return a flat round piece."""
    return _piece(side, lambda at: [_round(side.paint, at, radius)])


def on_disc(side: Side, shape: Shape) -> Piece:
    """Return a large disc with something on it."""
    return _piece(side, lambda at: [_round(side.paint, at, 0.42), *shape(at)])


def lettered(side: Side, letter: str) -> Piece:
    """Return a disc with a letter."""
    style: dict[str, Style] = {"fill": side.paint.ink, "font_weight": "bold"}
    return on_disc(side, lambda at: [text(at, letter, 0.46, **style)])


@_of_side
def crowned(paint: Paint, at: Point) -> list[str]:
    """Draw a king of draughts: a disc with a crown on it."""
    points = [(-2, 1.5), (-2.2, -1.2), (-1, 0), (0, -1.8), (1, 0), (2.2, -1.2), (2, 1.5)]
    crown = polygon((at.moved(0.085 * x, 0.085 * y) for x, y in points), fill=paint.ink)
    return [_round(paint, at, MAN), crown]


@_of_side
def pawn(paint: Paint, at: Point) -> list[str]:
    """Draw a pawn as in chess diagrams."""
    skirt = [(-0.14, 0.0), (0.14, 0.0), (0.28, 0.38), (-0.28, 0.38)]
    return [_solid(paint, at, skirt), _round(paint, at.moved(0, -0.16), 0.2)]


@_of_side
def queen(paint: Paint, at: Point) -> list[str]:
    """Draw a queen as in chess diagrams."""
    spikes = [(-0.36, -0.16), (-0.2, -0.3), (0.0, -0.34), (0.2, -0.3), (0.36, -0.16)]
    body = [(-0.36, -0.16), (-0.17, 0.06), (-0.2, -0.3), (-0.06, 0.02), (0.0, -0.34)]
    mirrored = [(-x, y) for x, y in reversed(body[:-1])]
    outline = [*body, *mirrored, (0.24, 0.34), (-0.24, 0.34)]
    balls = (_round(paint, at.moved(x, y), 0.055) for x, y in spikes)
    return [_solid(paint, at, outline), *balls]


@_of_side
def cross(paint: Paint, at: Point) -> list[str]:
    """Draw the X of tic-tac-toe."""
    ends = (((-0.27, -0.27), (0.27, 0.27)), ((-0.27, 0.27), (0.27, -0.27)))
    return [
        line(at.moved(*start), at.moved(*end), stroke=paint.fill, stroke_width=0.12)
        for start, end in ends
    ]


@_of_side
def nought(paint: Paint, at: Point) -> list[str]:
    """Draw the O of tic-tac-toe."""
    return [circle(at, 0.29, fill="none", stroke=paint.fill, stroke_width=0.12)]


def arrow() -> Piece:
    """Return an arrow of Amazons: a square that is burnt for good."""
    return _mark(
        lambda at: [square(at, 0.56, fill="#6f6a62", rx=0.08), circle(at, 0.12, fill="#e8e4da")]
    )


def wall() -> Piece:
    """Return a blocked cell."""
    return _mark(lambda at: [square(at, 0.92, fill="#6f6a62", rx=0.06)])


def tower(levels: int) -> Piece:
    """Return a building of Santorini seen from above; the fourth level is a dome."""

    def draw(at: Point) -> list[str]:
        sizes, greys = (0.92, 0.74, 0.56), ("#e3ddd0", "#cfc6b4", "#b9ae98")
        floors = [
            square(at, size, fill=grey, stroke=STONE, stroke_width=0.03)
            for size, grey in zip(sizes, greys, strict=True)
        ]
        dome = circle(at, 0.25, fill=BLUE.fill, stroke=BLUE.edge, stroke_width=EDGE)
        count = text(at.moved(0.36, -0.36), str(levels), 0.19)
        return [*floors[:levels], dome if levels > 3 else "", count]

    return _mark(draw)


def both(below: Piece, above: Piece) -> Piece:
    """Return one thing on top of another."""
    return Piece(lambda at: below.draw(at) + above.draw(at), above.player)


def written(symbol: str) -> Piece:
    """Return a symbol as it is, of no side."""
    return _mark(lambda at: [text(at, symbol, 0.5)])


def _round(paint: Paint, at: Point, radius: float) -> str:
    return circle(at, radius, fill=paint.fill, stroke=paint.edge, stroke_width=EDGE)


def _solid(paint: Paint, at: Point, corners: Iterable[tuple[float, float]]) -> str:
    places = (at.moved(x, y) for x, y in corners)
    style: dict[str, Style] = {"stroke": paint.edge, "stroke_width": EDGE}
    return polygon(places, stroke_linejoin="round", fill=paint.fill, **style)
