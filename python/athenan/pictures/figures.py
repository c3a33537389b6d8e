"""Drawn pieces of Arimaa and Xiangqi: animals and arms on a disc, in the ink of their side.

Each figure is given the two colours and a place. Lengths are in cells; the disc that a figure
stands on has the radius 0.42. All shapes are athenan's own.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin

from athenan.pictures.pieces import Paint, Piece, Side, on_disc
from athenan.pictures.svg import Point, Style, circle, curve, line, polygon, rectangle

Figure = Callable[[Paint, Point], list[str]]


def drawn(side: Side, figure: Figure) -> Piece:
    """Return a disc with a figure."""
    return on_disc(side, lambda at: figure(side.paint, at))


def rabbit(paint: Paint, at: Point) -> list[str]:
    """Draw a rabbit: two long ears."""
    ear = "M -0.03 -0.02 C -0.2 -0.12 -0.22 -0.35 -0.12 -0.36 C -0.02 -0.36 -0.01 -0.16 -0.01 0"
    inner = (
        "M -0.07 -0.12 C -0.14 -0.18 -0.15 -0.29 -0.12 -0.3 C -0.08 -0.29 -0.07 -0.2 -0.07 -0.12"
    )
    head = "M 0 -0.06 C 0.27 -0.08 0.25 0.3 0 0.3 C -0.25 0.3 -0.27 -0.08 0 -0.06 Z"
    return [
        *(curve(at, way, fill=paint.ink) for way in (ear, mirrored(ear), head)),
        *(curve(at, way, fill=paint.fill) for way in (inner, mirrored(inner))),
        *_eyes(paint, at, 0.075, 0.07),
        curve(at, "M -0.03 0.15 L 0.03 0.15 L 0 0.19 Z", fill=paint.fill),
    ]


def cat(paint: Paint, at: Point) -> list[str]:
    """Draw a cat: pointed ears and whiskers."""
    ear = "M -0.2 0.02 L -0.22 -0.29 L -0.02 -0.14 Z"
    head = "M 0 -0.17 C 0.3 -0.17 0.28 0.27 0 0.27 C -0.28 0.27 -0.3 -0.17 0 -0.17 Z"
    whiskers = (
        line(at.moved(side * 0.07, 0.13), at.moved(side * 0.33, 0.13 + rise), **_pen(paint, 0.025))
        for side in (-1, 1)
        for rise in (-0.06, 0.03)
    )
    inside = (
        line(at.moved(side * 0.07, 0.13), at.moved(side * 0.19, 0.11), **_pen(paint, 0.02, True))
        for side in (-1, 1)
    )
    return [
        *(curve(at, way, fill=paint.ink) for way in (ear, mirrored(ear), head)),
        *whiskers,
        *inside,
        *_eyes(paint, at, 0.09, 0.01),
        curve(at, "M -0.035 0.09 L 0.035 0.09 L 0 0.135 Z", fill=paint.fill),
    ]


def dog(paint: Paint, at: Point) -> list[str]:
    """Draw a dog: hanging ears and a broad muzzle."""
    ear = "M -0.12 -0.25 C -0.3 -0.3 -0.36 -0.06 -0.3 0.12 C -0.24 0.16 -0.2 0.02 -0.17 -0.08 Z"
    head = "M -0.14 -0.26 C -0.06 -0.3 0.06 -0.3 0.14 -0.26 C 0.2 -0.16 0.18 0 0.15 0.08"
    head += " C 0.2 0.34 -0.2 0.34 -0.15 0.08 C -0.18 0 -0.2 -0.16 -0.14 -0.26 Z"
    nose = "M -0.07 0.04 C -0.07 0 0.07 0 0.07 0.04 C 0.06 0.09 0.02 0.12 0 0.12"
    nose += " C -0.02 0.12 -0.06 0.09 -0.07 0.04 Z"
    mouth = "M 0 0.11 L 0 0.17 M -0.09 0.16 C -0.06 0.21 -0.02 0.2 0 0.17"
    mouth += " C 0.02 0.2 0.06 0.21 0.09 0.16"
    return [
        *(curve(at, way, fill=paint.ink) for way in (head, ear, mirrored(ear))),
        *_eyes(paint, at, 0.075, -0.1),
        curve(at, nose, fill=paint.fill),
        curve(at, mouth, **_pen(paint, 0.025, True)),
    ]


def horse(paint: Paint, at: Point) -> list[str]:
    """Draw a horse: head and neck from the side, with a mane."""
    head = "M 0.02 -0.34 L 0.07 -0.22 C 0.24 -0.16 0.28 0.08 0.24 0.3 L -0.12 0.3"
    head += " C -0.12 0.16 0.02 0.1 0.0 0.0 C -0.08 0.06 -0.14 0.04 -0.19 0.12"
    head += " C -0.26 0.14 -0.31 0.08 -0.28 0.02 C -0.24 -0.08 -0.18 -0.17 -0.08 -0.22 Z"
    mane = "M 0.09 -0.13 C 0.16 -0.02 0.17 0.12 0.14 0.26"
    return [
        curve(at, head, fill=paint.ink),
        curve(at, mane, **_pen(paint, 0.035, True)),
        circle(at.moved(-0.06, -0.12), 0.028, fill=paint.fill),
        circle(at.moved(-0.245, 0.05), 0.016, fill=paint.fill),
    ]


def camel(paint: Paint, at: Point) -> list[str]:
    """Draw a camel from the side: two humps and a curved neck."""
    body = "M -0.34 -0.2 L -0.24 -0.24 L -0.2 -0.21 C -0.17 -0.12 -0.18 0.02 -0.12 0"
    body += " C -0.1 -0.08 -0.08 -0.18 -0.03 -0.18 C 0.03 -0.18 0.04 -0.06 0.07 -0.04"
    body += " C 0.09 -0.08 0.1 -0.18 0.16 -0.18 C 0.24 -0.18 0.25 -0.02 0.3 0.06"
    body += " L 0.29 0.14 L 0.26 0.3 L 0.2 0.3 L 0.2 0.14 L 0.15 0.3 L 0.1 0.3 L 0.11 0.13"
    body += " L -0.03 0.13 L -0.02 0.3 L -0.07 0.3 L -0.1 0.14 L -0.11 0.3 L -0.17 0.3"
    body += " L -0.16 0.12 C -0.28 0.1 -0.28 -0.04 -0.27 -0.13 L -0.33 -0.13 Z"
    return [
        curve(at, body, fill=paint.ink),
        circle(at.moved(-0.24, -0.19), 0.016, fill=paint.fill),
    ]


def elephant(paint: Paint, at: Point) -> list[str]:
    """Draw an elephant from the front: wide ears, a trunk and tusks."""
    ear = "M -0.1 -0.22 C -0.3 -0.34 -0.4 -0.08 -0.32 0.08 C -0.28 0.15 -0.16 0.1 -0.12 0.02 Z"
    head = "M 0 -0.28 C 0.16 -0.28 0.17 -0.08 0.11 0.02 C 0.07 0.08 0.06 0.16 0.07 0.22"
    head += " C 0.08 0.27 0.13 0.26 0.15 0.22 L 0.18 0.25 C 0.14 0.36 -0.02 0.36 -0.04 0.24"
    head += " C -0.05 0.16 -0.07 0.08 -0.11 0.02 C -0.17 -0.08 -0.16 -0.28 0 -0.28 Z"
    tusk = "M -0.09 0.07 C -0.11 0.13 -0.12 0.17 -0.17 0.18"
    edge = "M -0.12 -0.2 C -0.15 -0.12 -0.15 -0.06 -0.1 0.02"
    return [
        *(curve(at, way, fill=paint.ink) for way in (ear, mirrored(ear), head)),
        *(curve(at, way, **_pen(paint, 0.02, True)) for way in (edge, mirrored(edge))),
        *(curve(at, way, **_pen(paint, 0.035)) for way in (tusk, mirrored(tusk))),
        *_eyes(paint, at, 0.07, -0.1),
        *(
            line(at.moved(-0.035, y), at.moved(0.045, y), **_pen(paint, 0.015, True))
            for y in (0.1, 0.16)
        ),
    ]


def general(paint: Paint, at: Point) -> list[str]:
    """Draw a general: a crown."""
    points = [(-0.26, 0.16), (-0.3, -0.16), (-0.13, 0.0), (0.0, -0.26), (0.13, 0.0)]
    points += [(0.3, -0.16), (0.26, 0.16)]
    return [
        polygon((at.moved(x, y) for x, y in points), fill=paint.ink),
        rectangle(at.moved(-0.26, 0.19), 0.52, 0.08, fill=paint.ink),
        *(circle(at.moved(*points[tip]), 0.045, fill=paint.ink) for tip in (1, 3, 5)),
    ]


def advisor(paint: Paint, at: Point) -> list[str]:
    """Draw an advisor: an official's hat with its two wings."""
    cap = "M -0.16 0.1 L -0.16 -0.04 C -0.14 -0.12 -0.1 -0.12 -0.1 -0.16"
    cap += " C -0.08 -0.3 0.08 -0.3 0.1 -0.16 C 0.1 -0.12 0.14 -0.12 0.16 -0.04 L 0.16 0.1 Z"
    wing = "M -0.17 0.05 C -0.22 -0.03 -0.36 -0.03 -0.36 0.04 C -0.36 0.1 -0.22 0.1 -0.17 0.08 Z"
    band = "M -0.16 -0.02 C -0.08 -0.07 0.08 -0.07 0.16 -0.02"
    return [
        *(curve(at, way, fill=paint.ink) for way in (cap, wing, mirrored(wing))),
        curve(at, band, **_pen(paint, 0.03, True)),
        rectangle(at.moved(-0.19, 0.14), 0.38, 0.06, fill=paint.ink),
    ]


def chariot(paint: Paint, at: Point) -> list[str]:
    """Draw a chariot: a car with its pole on a spoked wheel."""
    hub = at.moved(0, 0.12)
    spokes = (
        line(hub, hub.moved(0.17 * cos(a), 0.17 * sin(a)), **_pen(paint, 0.025))
        for a in map(radians, range(0, 360, 45))
    )
    car = "M -0.24 -0.24 L -0.18 -0.24 L -0.16 -0.14 L 0.2 -0.14 L 0.24 -0.3 L 0.3 -0.3"
    car += " L 0.26 -0.04 L -0.2 -0.04 Z"
    return [
        curve(at, car, fill=paint.ink),
        circle(hub, 0.17, fill="none", **_stroke(paint.ink, 0.045)),
        *spokes,
        circle(hub, 0.045, fill=paint.ink),
    ]


def cannon(paint: Paint, at: Point) -> list[str]:
    """Draw a cannon: a raised barrel on a wheel."""
    wheel = at.moved(0.04, 0.13)
    barrel = "M 0.25 0.0 C 0.22 0.1 0.1 0.12 0.04 0.05 L -0.25 -0.16 L -0.28 -0.13"
    barrel += " L -0.33 -0.2 L -0.2 -0.32 L -0.16 -0.26 L -0.18 -0.23 L 0.16 -0.12"
    barrel += " C 0.22 -0.1 0.25 -0.06 0.25 0.0 Z"
    trail = "M 0.1 0.12 L 0.3 0.27 L 0.24 0.3 L 0.04 0.2 Z"
    return [
        curve(at, barrel, fill=paint.ink),
        curve(at, trail, fill=paint.ink),
        circle(at.moved(0.27, -0.02), 0.045, fill=paint.ink),
        circle(wheel, 0.15, fill=paint.ink),
        circle(wheel, 0.09, fill="none", **_stroke(paint.fill, 0.03)),
    ]


def soldier(paint: Paint, at: Point) -> list[str]:
    """Draw a soldier: a spear behind a round shield."""
    head = "M 0 -0.37 L 0.07 -0.22 L 0.02 -0.18 L -0.02 -0.18 L -0.07 -0.22 Z"
    return [
        line(at.moved(0, -0.2), at.moved(0, 0.36), **_pen(paint, 0.045)),
        curve(at, head, fill=paint.ink),
        circle(at.moved(0, 0.07), 0.18, fill=paint.ink),
        circle(at.moved(0, 0.07), 0.12, fill="none", **_stroke(paint.fill, 0.025)),
        circle(at.moved(0, 0.07), 0.04, fill=paint.fill),
    ]


ARIMAA: dict[str, Figure] = {
    "R": rabbit,
    "C": cat,
    "D": dog,
    "H": horse,
    "M": camel,
    "E": elephant,
}
XIANGQI: dict[str, Figure] = {
    "K": general,
    "A": advisor,
    "B": elephant,
    "N": horse,
    "R": chariot,
    "C": cannon,
    "P": soldier,
}


def mirrored(way: str) -> str:
    """Return a curve with left and right exchanged.

    >>> mirrored("M -0.1 0.2 L 0.3 0")
    'M 0.1 0.2 L -0.3 0'
    """
    words, is_x = [], True
    for word in way.split():
        if word.isalpha():
            words.append(word)
        else:
            words.append(f"{-float(word):g}" if is_x else word)
            is_x = not is_x
    return " ".join(words)


def _eyes(paint: Paint, at: Point, apart: float, down: float) -> list[str]:
    return [circle(at.moved(side * apart, down), 0.026, fill=paint.fill) for side in (-1, 1)]


def _stroke(colour: str, width: float) -> dict[str, Style]:
    return {"stroke": colour, "stroke_width": width}


def _pen(paint: Paint, width: float, inside: bool = False, /) -> dict[str, Style]:
    """Return a stroke in the ink of a side, or inside a figure in the colour of its disc."""
    colour = paint.fill if inside else paint.ink
    return {"fill": "none", "stroke_linecap": "round", **_stroke(colour, width)}
