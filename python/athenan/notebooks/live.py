"""The curves of a training, drawn while it goes on."""

from __future__ import annotations

import math
from time import monotonic

from athenan.expected import expect_each, expect_number
from athenan.html import paragraph
from athenan.learning.events import Event, MatchLearned, Pretrained
from athenan.notebooks.chart import Chart, svg_of_charts
from athenan.notebooks.shown import Shown, is_notebook
from athenan.runs.metrics import Line

CURVES = (
    ("training", "loss", "loss", None),
    ("evaluation", "win_rate", "win rate", (0.0, 1.0)),
    ("evaluation", "mean_score", "score", None),
    ("training", "length", "plies per match", None),
    ("training", "states_per_second", "states per second", None),
)
"""Kind of line, field, title, bounds."""


class LivePlot:
    """A listener of a session that redraws the curves in the output of a cell.

    athenan.runs.train("hex:size=4", "runs/hex4", minutes=2, listeners=[LivePlot()])

    Outside notebooks it prints a line instead.
    """

    def __init__(self, every: float = 1.0) -> None:
        expect_number(every, "the seconds between two drawings", 0, 1e6)
        self.lines: list[Line] = []
        self._every = every if is_notebook() else max(every, 10.0)
        self._shown = Shown()
        self._drawn_at = -self._every
        self._words = "starting"

    def on_event(self, event: Event) -> None:
        """Hear an event of the training."""
        if isinstance(event, Pretrained):
            self._words = f"pre-training: {event.learned:,} of {event.total:,}"
        elif isinstance(event, MatchLearned):
            at = event.at
            self._words = f"{at.matches:,} matches, {at.seconds:.0f} s, {at.progress:.0%}"
        self._draw_if_due()

    def on_line(self, line: Line) -> None:
        """Hear a metrics line."""
        self.lines.append(line)
        self._draw_if_due()

    def say(self, sentence: str) -> None:
        """Hear something for people."""
        self._words = sentence
        self._draw_if_due()

    def draw(self) -> None:
        """Draw what is known now."""
        self._drawn_at = monotonic()
        self._shown.show(self.svg() + paragraph(self._words), self._words)

    def svg(self) -> str:
        """Return the curves as a picture."""
        return curves(self.lines)

    def _draw_if_due(self) -> None:
        if monotonic() - self._drawn_at >= self._every:
            self.draw()


def curves(lines: list[Line]) -> str:
    """Return the curves of metrics lines, those that have points, as a picture."""
    charts = []
    lines = expect_each(lines, dict, "metrics lines, as a LivePlot collects them")
    for kind, field, title, bounds in CURVES:
        chosen = [line for line in lines if line["kind"] == kind and field in line]
        points = [(line["seconds"] / 60, line[field]) for line in chosen if _is_finite(line[field])]
        if points or field == "loss":
            charts.append(Chart(title, "minutes", points, bounds))
    return svg_of_charts(charts)


def _is_finite(value: object) -> bool:
    """Tell whether a value can be drawn: a loss may be no number any more."""
    return isinstance(value, int | float) and math.isfinite(value)
