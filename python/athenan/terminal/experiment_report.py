"""What there is to say about an experiment: how far it has come, and its tables."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from athenan.games.words import counted
from athenan.terminal.page import print_table, say
from athenan.terminal.waiting import RARELY, Lines

if TYPE_CHECKING:
    from athenan.experiments import Comparison, ExperimentPlan
    from athenan.experiments.trainings import Progress

COLUMNS = (
    "variant",
    "against",
    ">of the training",
    ">score",
    ">95 %",
    ">Elo",
    ">matches",
    ">trainings",
)


class ProgressLines:
    """Says how far an experiment has come, a line now and then, at once."""

    def __init__(self) -> None:
        self._words = "preparing"
        self._due = 0.0
        self._lines = Lines(lambda: self._words, err=False)

    def __enter__(self) -> Self:
        self._lines.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.__exit__()

    def training(self, progress: Progress) -> None:
        """Say how far the trainings are."""
        parts = ", ".join(f"{name} {done:.0%}" for name, done in progress.under_way.items())
        left = f"; now {parts}" if parts else ""
        self._say(f"{progress.finished} of {counted(progress.total, 'training')}{left}", not parts)

    def playing(self, played: int, total: int, matches: int = 0) -> None:
        """Say how many series are played, and how many matches of those under way."""
        under_way = f"; now {counted(matches, 'match')} of the next" if matches else ""
        self._say(f"{played} of {total} series of matches{under_way}", played == total)

    def _say(self, words: str, last: bool) -> None:
        self._words = words
        if last or time.monotonic() >= self._due:
            self._due = time.monotonic() + RARELY
            self._lines.tell(words)


def print_comparisons(plan: ExperimentPlan, found: Sequence[Comparison]) -> None:
    """Print how the variants did, one table per game."""
    from athenan.experiments.report import against_opponents, against_zero

    for game in plan.games:
        compared = (*against_zero(plan, found, game), *against_opponents(plan, found, game))
        say(f"\n{game}")
        print_table(COLUMNS, [_row(each) for each in compared])
    say()
    say(
        "intervals over trainings and matches"
        if all(max(each.repetitions) > 1 for each in found)
        else "intervals of a single training say nothing of other trainings"
    )


def _row(each: Comparison) -> list[str]:
    elo, low, high = each.elo
    return [
        each.a,
        each.b,
        f"{each.fraction:.0%}",
        f"{each.score:.3f}",
        f"{each.low:.2f}-{each.high:.2f}",
        f"{_signed(elo)} ({_signed(low)} to {_signed(high)})",
        f"{each.matches}",
        f"{each.repetitions[0]}",
    ]


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else ("+∞" if elo > 0 else "-∞")
