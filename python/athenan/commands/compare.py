"""`athenan compare`: runs side by side; runs that differ only by their seed are one group."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING, Annotated, Any

import typer

from athenan import Error
from athenan.games.words import counted
from athenan.terminal.page import say

if TYPE_CHECKING:
    from athenan.runs import Run
    from athenan.runs.metrics import Line

APART = ("seed", "stop", "checkpoints", "origin", "hardware")
"""Settings in which runs of one group may differ."""


@dataclass(frozen=True)
class Group:
    """Runs with the same settings, and how their last evaluations went."""

    runs: tuple[str, ...]
    game: str
    evaluations: tuple[Line, ...]

    @property
    def measure(self) -> str:
        """What was measured: the win rate against an opponent, or the score of a game for one."""
        last = self.evaluations[0]
        return f"win rate against {last['opponent']}" if "win_rate" in last else "mean score"

    @property
    def result(self) -> float:
        """The mean over the runs."""
        return mean(map(_result, self.evaluations))

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval over the runs, by Student's t; at least that over their matches.

        Of a single run in a game for one nothing is known.
        """
        last, count = self.evaluations[0], len(self.evaluations)
        if count == 1:
            return (last["low"], last["high"]) if "low" in last else None
        from athenan.experiments.standings import quantile

        over_runs = quantile(count - 1) * stdev(map(_result, self.evaluations)) / math.sqrt(count)
        results = [(_result(each), each) for each in self.evaluations]
        below = math.hypot(*(x - each.get("low", x) for x, each in results)) / count
        above = math.hypot(*(each.get("high", x) - x for x, each in results)) / count
        low, high = self.result - max(over_runs, below), self.result + max(over_runs, above)
        return (max(low, 0.0), min(high, 1.0)) if "win_rate" in last else (low, high)

    def as_json(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        low, high = self.interval or (None, None)
        return {
            "runs": list(self.runs),
            "game": self.game,
            "measure": self.measure,
            "result": round(self.result, 4),
            "low": None if low is None else round(low, 4),
            "high": None if high is None else round(high, 4),
            "matches": [line["matches"] for line in self.evaluations],
        }


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Directories of runs.")],
    last: Annotated[
        int, typer.Option(min=1, max=1000, help="How many of the last evaluations to average.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List runs by their evaluations, the best first.

    Runs that differ only by their seed are one row, with an interval over the seeds. athenan plot
    draws their curves.
    """
    groups = sorted(_groups(runs, last), key=lambda group: -group.result)
    if as_json:
        typer.echo(json.dumps([group.as_json() for group in groups], indent=2))
    else:
        _print(groups)


def _groups(runs: Sequence[Path], last: int) -> list[Group]:
    from athenan.learning.settings import read_toml
    from athenan.runs import Run
    from athenan.runs.metrics import read_metrics

    found: dict[str, list[tuple[str, str, Line]]] = {}
    for path in dict.fromkeys(runs):
        run = Run.open(path)
        lines = [line for line in read_metrics(run.metrics) if line["kind"] == "evaluation"]
        if not lines:
            raise Error(
                f"the run {path} has no evaluation: train with --set evaluation.every_matches=100, "
                f"or let two runs play each other: athenan match {path} ANOTHER{_file_of(run)}"
            )
        settings = read_toml(run.config_file)
        key = json.dumps([value for name, value in settings.items() if name not in APART])
        found.setdefault(key, []).append((str(path), str(settings.get("game")), _mean(lines, last)))
    return [
        Group(tuple(run for run, _, _ in members), members[0][1], tuple(x for _, _, x in members))
        for members in found.values()
    ]


def _file_of(run: Run) -> str:
    """Return the option that names the file of a game in Python, if the run has one."""
    from athenan.learning.settings import read_toml

    settings = read_toml(run.config_file)
    return f" --game {settings.get('game')}" if settings.get("game_sha256") else ""


def _mean(lines: Sequence[Line], last: int) -> Line:
    """Return the last evaluation, with the mean result of the last few."""
    taken = lines[-last:]
    merged = dict(taken[-1])
    for name in ("win_rate", "mean_score", "low", "high"):
        if name in merged:
            merged[name] = mean(line[name] for line in taken)
    return merged


def _result(line: Line) -> float:
    return float(line["win_rate"] if "win_rate" in line else line["mean_score"])


def _print(groups: Sequence[Group]) -> None:
    for place, group in enumerate(groups, 1):
        share = group.measure.startswith("win rate")
        numbers = (group.result, *(group.interval or ()))
        shown, *ends = [f"{x:.1%}" if share else f"{x:.2f}" for x in numbers]
        interval = f" (95 % {' to '.join(ends)})" if ends else ""
        say(
            f"{place}. {shown}{interval} {group.measure}, {group.game}, "
            f"{counted(len(group.runs), 'run')}: {', '.join(group.runs)}"
        )
