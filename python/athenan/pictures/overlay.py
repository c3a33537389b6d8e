"""What may lie on a picture beside the position: heat, arrows, numbers and what won.

An overlay is plain data in cells of the drawing; `heat_of` and `line_of` make it from moves.

>>> import athenan
>>> state = athenan.make_game("hex:size=3").initial_state()
>>> heat_of(state, {"b2": 0.5})
{(1, 1): Spot(strength=0.5, label='')}
>>> [arrow.ways for arrow in line_of(state, ["b2", "a3"])]
[(((1, 1),),), (((2, 0),),)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import atan2, cos, dist, pi, sin

from athenan._core import State
from athenan.pictures.diagram import Cell
from athenan.pictures.layout import Layout
from athenan.pictures.looks import Look, look_of
from athenan.pictures.svg import (
    INK,
    Point,
    Style,
    circle,
    group,
    polygon,
    polyline,
    rectangle,
    text,
)

GOOD, BAD = "#5e3c99", "#e66101"
"""Purple and orange: they differ for colour-blind readers, and from the marks of the last turn."""
ARROW = "#00695c"
WON: tuple[dict[str, Style], ...] = (
    {"stroke": "#ffffff", "stroke_width": 0.2},
    {"stroke": "#111111", "stroke_width": 0.09},
)
PILL = 0.24  # the height of labels


@dataclass(frozen=True)
class Spot:
    """The heat of a cell."""

    strength: float
    """From -1 to 1: bad cells are orange, good ones purple, those near 0 hardly seen."""
    label: str = ""


@dataclass(frozen=True)
class Arrow:
    """A move to come: an arrow along the cells of each way; on a single cell a faint piece."""

    ways: tuple[tuple[Cell, ...], ...]
    label: str = ""
    player: int = 0


@dataclass(frozen=True)
class Overlay:
    """What lies on a picture beside the position."""

    heat: Mapping[Cell, Spot] = field(default_factory=dict)
    arrows: Sequence[Arrow] = ()


NOTHING = Overlay()


def move_cells(state: State, move: int | str) -> list[Cell]:
    """Return the cells of the drawing that a move touches, in order; none of a pass.

    >>> import athenan
    >>> move_cells(athenan.make_game("breakthrough").initial_state(), "a2b3")
    [(6, 0), (5, 1)]
    """
    return [cell for way in _ways(state, move) for cell in way]


def _ways(state: State, move: int | str) -> list[list[Cell]]:
    """Return the cells of a move, one list for each thing that goes a way of its own."""
    found, path = look_of([state]), state.move_path(move)
    if found is None or path is None:
        return []
    look, (diagram,) = found
    ways = [[c for c in way if c in diagram.symbols] for way in look.ways(path, state.to_move)]
    return [way for way in ways if way]


def heat_of(
    state: State, values: Mapping[int | str, float], labels: Mapping[int | str, str] | None = None
) -> dict[Cell, Spot]:
    """Return heat from the value of moves, each at the cell where it ends; the best one counts."""
    heat: dict[Cell, Spot] = {}
    for move, value in values.items():
        cells = move_cells(state, move)
        if cells and (cells[-1] not in heat or heat[cells[-1]].strength < value):
            heat[cells[-1]] = Spot(value, (labels or {}).get(move, ""))
    return heat


def line_of(state: State, moves: Iterable[int | str], first: int = 1) -> list[Arrow]:
    """Return a line of play as numbered arrows; a pass keeps its number and draws nothing."""
    arrows = []
    for number, move in enumerate(moves, first):
        ways = _ways(state, move)
        if ways and max(map(len, ways)) == 1:  # what jumps from one cell to the other
            ways = [[cell for way in ways for cell in way]]
        if ways:
            arrows.append(Arrow(tuple(map(tuple, ways)), str(number), state.to_move))
        state = state.play(move)
    return arrows


def draw_heat(overlay: Overlay, layout: Layout) -> Iterator[str]:
    """Draw the colours of cells; pieces lie above them."""
    for cell, spot in overlay.heat.items():
        if cell in layout.centres:
            strength = max(-1.0, min(1.0, spot.strength))
            colour, opacity = GOOD if strength >= 0 else BAD, 0.12 + 0.68 * abs(strength)
            shape = layout.cell_shape(cell, fill=colour, opacity=opacity)
            yield group("heat", [shape], data_cell=f"{cell[0]},{cell[1]}")


def draw_labels(overlay: Overlay, layout: Layout) -> Iterator[str]:
    """Write what the heat of cells says."""
    for cell, spot in overlay.heat.items():
        if cell in layout.centres and spot.label:
            yield group("heat-label", _pill(layout.centres[cell], spot.label))


def draw_arrows(overlay: Overlay, layout: Layout, look: Look) -> Iterator[str]:
    """Draw the moves to come, later ones below earlier ones, each with its label."""
    for arrow in reversed(overlay.arrows):
        parts: list[str] = []
        for way in arrow.ways:
            stations = [layout.centres[cell] for cell, _ in groupby(way) if cell in layout.centres]
            if len(stations) == 1:
                ghost = look.sample(arrow.player, stations[0])
                parts.append(group("ghost", ghost, opacity=0.55))
            elif stations:
                parts += _shaft(stations)
            if stations and arrow.label:
                spot = overlay.heat.get(way[-1])  # its label has the middle of the cell
                aside = (0.3, -0.3) if spot and spot.label else (0.0, 0.0)
                parts += _pill(stations[-1].moved(*aside), arrow.label)
        yield group("arrow", parts)


def draw_winning(ways: Sequence[Sequence[Cell]], layout: Layout) -> Iterator[str]:
    """Draw what won: lines through cells, a dot on each."""
    for way in ways:
        centres = [layout.centres[cell] for cell in way]
        strokes = (polyline(centres, stroke_linejoin="round", **pen) for pen in WON)
        dots = (circle(centre, 0.12, fill="#111111", **WON[0] | _THIN) for centre in centres)
        yield group("won", [*(strokes if len(centres) > 1 else ()), *dots])


_THIN: dict[str, Style] = {"stroke_width": 0.06}


def _shaft(stations: Sequence[Point]) -> Iterator[str]:
    *_, before, tip = stations
    angle = atan2(tip.y - before.y, tip.x - before.x)
    length = min(0.3, dist(before, tip) / 2)
    neck = tip.moved(-length * cos(angle), -length * sin(angle))
    head = [tip, *(_turned(tip, angle + pi + turn, 0.36) for turn in (-0.45, 0.45))]
    for colour, width in (("#ffffff", 0.17), (ARROW, 0.1)):
        yield polyline([*stations[:-1], neck], stroke=colour, stroke_width=width, opacity=0.85)
    yield polygon(head, fill=ARROW, stroke="#ffffff", stroke_width=0.04, opacity=0.9)


def _turned(point: Point, angle: float, length: float) -> Point:
    return point.moved(length * cos(angle), length * sin(angle))


def _pill(at: Point, words: str) -> list[str]:
    """Return a text on a light ground, readable on any piece."""
    half = (0.3 * len(words) + 0.35) * PILL
    corner = at.moved(-half, -0.65 * PILL)
    ground: dict[str, Style] = {"fill": "#ffffff", "stroke": INK, "stroke_width": 0.02}
    return [
        rectangle(corner, 2 * half, 1.3 * PILL, rx=0.65 * PILL, **ground),
        text(at, words, PILL, font_weight="bold"),
    ]
