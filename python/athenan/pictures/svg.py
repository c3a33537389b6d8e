"""The few SVG elements that pictures are made of.

Places and lengths are in cells of the board; only this file knows how large a cell is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

CELL = 40  # user units of SVG; font sizes below one unit are drawn badly by browsers
PAPER = "#ffffff"
INK = "#3a3a3a"
SANS = "'DejaVu Sans', Verdana, Arial, sans-serif"
MONOSPACE = "'DejaVu Sans Mono', Menlo, Consolas, monospace"

Style = str | float


class Point(NamedTuple):
    """A place: x to the right, y downwards."""

    x: float
    y: float

    def moved(self, right: float, down: float) -> Point:
        """Return the place so far from this one."""
        return Point(self.x + right, self.y + down)


class Box(NamedTuple):
    """What a picture shows."""

    left: float
    top: float
    width: float
    height: float


def document(title: str, box: Box, size: int, elements: Iterable[str]) -> str:
    """Return a whole SVG file whose longer side is `size` pixels."""
    scale = size / max(box.width, box.height)
    frame = " ".join(map(scaled, box))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{frame}" '
            f'width="{plain(box.width * scale)}" height="{plain(box.height * scale)}" role="img" '
            f'font-family="{SANS}" text-anchor="middle">',
            f"<title>{escape(printable(title))}</title>",
            rectangle(Point(box.left, box.top), box.width, box.height, fill=PAPER, class_="paper"),
            *elements,
            "</svg>\n",
        ]
    )


def framed(box: Box, elements: str) -> str:
    """Return a part of a picture by itself and without background, to show a single piece."""
    frame = " ".join(map(scaled, box))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{frame}">{elements}</svg>'


def group(kind: str, elements: Iterable[str], **style: Style) -> str:
    """Return elements as one thing; its class says what it is."""
    return f"<g class={quoteattr(kind)}{styled(style)}>{''.join(elements)}</g>"


def circle(centre: Point, radius: float, **style: Style) -> str:
    """Return a circle."""
    place = f'cx="{scaled(centre.x)}" cy="{scaled(centre.y)}" r="{scaled(radius)}"'
    return f"<circle {place}{styled(style)}/>"


def rectangle(corner: Point, width: float, height: float, **style: Style) -> str:
    """Return a rectangle by its upper left corner."""
    place = f'x="{scaled(corner.x)}" y="{scaled(corner.y)}"'
    return f'<rect {place} width="{scaled(width)}" height="{scaled(height)}"{styled(style)}/>'


def square(centre: Point, side: float, **style: Style) -> str:
    """Return a square by its centre."""
    return rectangle(centre.moved(-side / 2, -side / 2), side, side, **style)


def line(start: Point, end: Point, **style: Style) -> str:
    """Return a straight line."""
    (x1, y1), (x2, y2) = map(scaled, start), map(scaled, end)
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"{styled(style)}/>'


def polygon(corners: Iterable[Point], **style: Style) -> str:
    """Return a closed shape."""
    return f'<polygon points="{pairs(corners)}"{styled(style)}/>'


def polyline(corners: Iterable[Point], **style: Style) -> str:
    """Return an open line with corners."""
    return f'<polyline points="{pairs(corners)}" fill="none"{styled(style)}/>'


def loop(start: Point, end: Point, radius: float, *, clockwise: bool, **style: Style) -> str:
    """Return three quarters of a circle from one point to another."""
    turn = f"{scaled(radius)} {scaled(radius)} 0 1 {int(clockwise)}"
    way = f"M {pairs([start])} A {turn} {pairs([end])}"
    return f'<path d="{way}" fill="none"{styled(style)}/>'


def curve(at: Point, way: str, **style: Style) -> str:
    """Return a path around a point; `way` has the commands M, L, C and Z in cells, as in
    `M 0 0 L 1 0`.
    """
    words, axis = [], 0
    for word in way.split():
        if word.isalpha():
            words.append(word)
        else:
            words.append(scaled(at[axis] + float(word)))
            axis = 1 - axis
    return f'<path d="{" ".join(words)}"{styled(style)}/>'


def text(centre: Point, words: str, height: float, **style: Style) -> str:
    """Return a text around a point, its letters so high."""
    place = f'x="{scaled(centre.x)}" y="{scaled(centre.y + 0.36 * height)}"'
    look = styled({"fill": INK, **style})
    return f'<text {place} font-size="{scaled(height)}"{look}>{escape(printable(words))}</text>'


def styled(style: dict[str, Style]) -> str:
    """Return attributes; a number is a width in cells, except an opacity."""
    return "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(_value(name, value))}"
        for name, value in style.items()
    )


def _value(name: str, value: Style) -> str:
    if isinstance(value, str):
        return value
    return plain(value) if name == "opacity" else scaled(value)


def pairs(corners: Iterable[Point]) -> str:
    """Return points as SVG lists them."""
    return " ".join(f"{scaled(x)},{scaled(y)}" for x, y in corners)


def scaled(length: float) -> str:
    """Return a length in cells in the units of the file."""
    return plain(length * CELL)


@lru_cache(1 << 14)  # boards have few different lengths, and pictures thousands of them
def plain(number: float) -> str:
    """Return a number with as few digits as it needs, the same on every machine."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def printable(words: str) -> str:
    """Return the text without characters that XML forbids."""
    return re.sub(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", words)
