"""The pieces: what a symbol of the board is drawn as, each made for one side.

Everything that belongs to a player is a group of class `piece first` or `piece second`; arrows,
walls and buildings are of class `mark`. The colours of two opponents always differ in lightness,
not in hue alone, so that they differ for colour-blind readers and in grey print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from athenan.pictures.svg import Point, Style, circle, group, line, polygon, square, text

RADIUS = 0.37
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
    """first, second, or None for what belongs to nobody."""


class Side(NamedTuple):
    """A player's pieces."""

    player: str
    paint: Paint


def first(paint: Paint) -> Side:
    """Return the first player's side in these colours."""
    return Side("first", paint)


def second(paint: Paint) -> Side:
    """Return the second player's side in these colours."""
    return Side("second", paint)


def disc(side: Side, radius: float = RADIUS) -> Piece:
    """Return a flat round piece."""
    return _piece(side, lambda at: [_round(side, at, radius)])


def crowned(side: Side) -> Piece:
    """Return a king of draughts: a disc with a crown on it."""

    def draw(at: Point) -> list[str]:
        points = [(-2, 1.5), (-2.2, -1.2), (-1, 0), (0, -1.8), (1, 0), (2.2, -1.2), (2, 1.5)]
        crown = polygon((at.moved(0.095 * x, 0.095 * y) for x, y in points), fill=side.paint.ink)
        return [_round(side, at, RADIUS), crown]

    return _piece(side, draw)


def lettered(side: Side, letter: str) -> Piece:
    """Return a disc with a letter."""
    return _piece(
        side,
        lambda at: [
            _round(side, at, 0.42),
            text(at, letter, 0.46, fill=side.paint.ink, font_weight="bold"),
        ],
    )


def pawn(side: Side) -> Piece:
    """Return a pawn as in chess diagrams."""

    def draw(at: Point) -> list[str]:
        style = _solid(side)
        skirt = [(-0.14, 0.0), (0.14, 0.0), (0.28, 0.38), (-0.28, 0.38)]
        return [
            polygon((at.moved(x, y) for x, y in skirt), stroke_linejoin="round", **style),
            circle(at.moved(0, -0.16), 0.2, **style),
        ]

    return _piece(side, draw)


def queen(side: Side) -> Piece:
    """Return a queen as in chess diagrams."""

    def draw(at: Point) -> list[str]:
        style = _solid(side)
        spikes = [(-0.36, -0.16), (-0.2, -0.3), (0.0, -0.34), (0.2, -0.3), (0.36, -0.16)]
        body = [(-0.36, -0.16), (-0.17, 0.06), (-0.2, -0.3), (-0.06, 0.02), (0.0, -0.34)]
        mirrored = [(-x, y) for x, y in reversed(body[:-1])]
        outline = [*body, *mirrored, (0.24, 0.34), (-0.24, 0.34)]
        return [
            polygon((at.moved(x, y) for x, y in outline), stroke_linejoin="round", **style),
            *(circle(at.moved(x, y), 0.055, **style) for x, y in spikes),
        ]

    return _piece(side, draw)


def cross(side: Side) -> Piece:
    """Return the X of tic-tac-toe."""

    def draw(at: Point) -> list[str]:
        style: dict[str, Style] = {"stroke": side.paint.fill, "stroke_width": 0.12}
        return [
            line(at.moved(-0.27, -0.27), at.moved(0.27, 0.27), **style),
            line(at.moved(-0.27, 0.27), at.moved(0.27, -0.27), **style),
        ]

    return _piece(side, draw)


def nought(side: Side) -> Piece:
    """Return the O of tic-tac-toe."""
    style: dict[str, Style] = {"stroke": side.paint.fill, "stroke_width": 0.12}
    return _piece(side, lambda at: [circle(at, 0.29, fill="none", **style)])


def arrow() -> Piece:
    """Return an arrow of Amazons: a square that is burnt for good."""
    return _mark(
        lambda at: [
            square(at, 0.56, fill="#6f6a62", rx=0.08),
            circle(at, 0.12, fill="#e8e4da"),
        ]
    )


def wall() -> Piece:
    """Return a cell that nobody enters."""
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


def worker(side: Side) -> Piece:
    """Return a worker of Santorini."""
    return disc(side, 0.22)


def both(below: Piece, above: Piece) -> Piece:
    """Return one thing on top of another."""
    return Piece(lambda at: below.draw(at) + above.draw(at), above.player)


def written(symbol: str) -> Piece:
    """Return a symbol as it is, of no side."""
    return _mark(lambda at: [text(at, symbol, 0.5)])


def _solid(side: Side) -> dict[str, Style]:
    return {"fill": side.paint.fill, "stroke": side.paint.edge, "stroke_width": EDGE}


def _round(side: Side, at: Point, radius: float) -> str:
    return circle(at, radius, **_solid(side))


def _piece(side: Side, shape: Shape) -> Piece:
    return Piece(lambda at: group(f"piece {side.player}", shape(at)), side.player)


def _mark(shape: Shape) -> Piece:
    return Piece(lambda at: group("mark", shape(at)))
