"""Line charts as SVG, without any library: small enough to be redrawn every second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from athenan.expected import expect, expect_each, expect_number, expect_whole, wrong

WIDTH, HEIGHT = 300, 180  # of one chart, in pixels
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 24, 30
INK, RULE, CURVE = "#3a3a3a", "#dddddd", "#0b5a94"
POINTS_WANTED = "the points of a chart, pairs of finite numbers"
POINTS = 200  # of a curve; more are averaged


@dataclass(frozen=True)
class Chart:
    """One curve: its title, what it is drawn against, and its points."""

    title: str
    against: str
    points: Sequence[tuple[float, float]]
    bounds: tuple[float, float] | None = None
    """Of the vertical axis; None fits them to the points."""

    def __post_init__(self) -> None:
        expect(self.title, str, "the title of a chart")
        expect(self.against, str, "what a chart is drawn against, as a text")
        for point in expect_each(self.points, object, POINTS_WANTED):
            _pair(point, POINTS_WANTED)
        if self.bounds is not None:
            low, high = _pair(self.bounds, "the bounds of a chart, a pair of numbers")
            if low >= high:
                raise wrong(self.bounds, "the bounds of a chart, the lower one first")


def svg_of_charts(charts: Sequence[Chart], columns: int = 2) -> str:
    """Return charts side by side.

    >>> svg_of_charts([Chart("loss", "matches", [(1, 0.5), (2, 0.25)])]).count("<polyline")
    1
    """
    charts = expect_each(charts, Chart, "a list of Charts")
    rows = -(-len(charts) // expect_whole(columns, "the number of columns", 1))
    width, height = WIDTH * min(columns, len(charts)), HEIGHT * rows
    parts = [
        f'<g transform="translate({WIDTH * (n % columns)} {HEIGHT * (n // columns)})">'
        f"{_drawn(chart)}</g>"
        for n, chart in enumerate(charts)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>{"".join(parts)}</svg>'
    )


def _pair(numbers: object, what: str) -> tuple[float, float]:
    if not isinstance(numbers, tuple | list) or len(numbers) != 2:
        raise wrong(numbers, what)
    return expect_number(numbers[0], what), expect_number(numbers[1], what)


def _drawn(chart: Chart) -> str:
    title = _text(LEFT, 15, chart.title, "start", weight="bold")
    points = _thinned(chart.points)
    if not points:
        return title + _text(LEFT, HEIGHT / 2, "nothing yet", "start")
    xs, ys = zip(*points, strict=True)
    left, right = _range(min(xs), max(xs))
    low, high = chart.bounds or _range(min(ys), max(ys))
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def across(x: float) -> float:
        return LEFT + (x - left) / (right - left) * inner_width

    def down(y: float) -> float:
        return TOP + (high - y) / (high - low) * inner_height

    rules = "".join(
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{down(y):.1f}" y2="{down(y):.1f}" '
        f'stroke="{RULE}"/>' + _text(LEFT - 4, down(y) + 4, _number(y), "end")
        for y in (low, (low + high) / 2, high)
    )
    ends = "".join(_text(across(x), HEIGHT - 14, _number(x), "middle") for x in (left, right))
    name = _text(LEFT + inner_width / 2, HEIGHT - 14, chart.against, "middle")
    way = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in points)
    curve = f'<polyline points="{way}" fill="none" stroke="{CURVE}" stroke-width="1.5"/>'
    dots = "".join(
        f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="2" fill="{CURVE}"/>'
        for x, y in (points if len(points) < 30 else points[-1:])
    )
    return title + rules + ends + name + curve + dots


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return at most a number of points: the means of stretches."""
    size = -(-len(points) // POINTS) or 1
    stretches = [points[start : start + size] for start in range(0, len(points), size)]
    return [
        (sum(x for x, _ in each) / len(each), sum(y for _, y in each) / len(each))
        for each in stretches
    ]


def _range(low: float, high: float) -> tuple[float, float]:
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _number(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"


def _text(x: float, y: float, words: str, anchor: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{INK}">{escape(words)}</text>'
    )
