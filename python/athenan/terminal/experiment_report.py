"""What there is to say about an experiment: how far it has come, and its tables."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from athenan.games.words import counted
from athenan.terminal.page import print_table, say

if TYPE_CHECKING:
    from athenan.experiments import Comparison, ExperimentPlan
    from athenan.experiments.trainings import Progress

COLUMNS = ("variant", "against", ">of the training", ">score", ">95 %", ">Elo", ">matches")
PAUSE = 10.0  # seconds between two lines


class ProgressLines:
    """Says how far an experiment has come, a line now and then, at once."""

    def __init__(self) -> None:
        self._due = 0.0

    def training(self, progress: Progress) -> None:
        """Say how far the trainings are."""
        parts = ", ".join(f"{name} {done:.0%}" for name, done in progress.under_way.items())
        left = f"; now {parts}" if parts else ""
        self._say(f"{progress.finished} of {counted(progress.total, 'training')}{left}", not parts)

    def playing(self, played: int, total: int) -> None:
        """Say how many series are played."""
        self._say(f"{played} of {total} series of matches", played == total)

    def _say(self, sentence: str, last: bool) -> None:
        if last or time.monotonic() >= self._due:
            self._due = time.monotonic() + PAUSE
            say(sentence)


def print_comparisons(plan: ExperimentPlan, found: Sequence[Comparison]) -> None:
    """Print how the variants did, one table per game."""
    from athenan.experiments.report import against_opponents, against_zero

    for game in plan.games:
        compared = (*against_zero(plan, found, game), *against_opponents(plan, found, game))
        say(f"\n{game}")
        print_table(COLUMNS, [_row(each) for each in compared])
    count = plan.repetitions
    say()
    say(
        f"{count} trainings of each variant and game; intervals over trainings and matches"
        if count > 1
        else "one training of each variant and game: intervals say nothing of other trainings"
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
    ]


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else ("+∞" if elo > 0 else "-∞")
