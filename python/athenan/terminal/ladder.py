"""What there is to say about a ladder: a table in Markdown, a chart, and data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from athenan.arena.ladder import Ladder, Rung
from athenan.games.words import counted
from athenan.terminal.figures import refuse_unwritable, save
from athenan.terminal.series import Series
from athenan.zoo.card import in_percent, table

HEADS = ("player", "opponent", "wins, draws, losses", "matches", "faults", "score")


def series_of(ladder: Ladder, rung: Rung, kind_of_openings: str) -> Series:
    """Return the series that a rung is."""
    return Series(
        ladder.game,
        (rung.player, rung.opponent),
        ladder.openings,
        kind_of_openings,
        ladder.matches,
        ladder.seed,
        ladder.conditions,
    )


def as_json(ladder: Ladder, rungs: Sequence[Rung], kind_of_openings: str) -> list[dict[str, Any]]:
    """Return each rung as `athenan match --json` prints it."""
    return [
        series_of(ladder, rung, kind_of_openings).as_json(rung.tally, 0.0)
        for rung in rungs
        if rung.tally.played
    ]


def as_table(rungs: Sequence[Rung]) -> str:
    """Write the rungs that were played, in Markdown."""
    rows = []
    for rung in rungs:
        counts, faults = rung.tally.counts, sum(rung.tally.faults)
        if counts.matches:
            numbers = f"{counts.wins}, {counts.draws}, {counts.losses}"
            score = in_percent(counts.score, *rung.tally.interval)
        else:
            numbers, score = "–", "–"
        if rung.tally.played:
            names = f"`{rung.player.name}`", f"`{rung.opponent.name}`"
            rows.append((*names, numbers, str(counts.matches), str(faults), score))
    return table(HEADS, rows)


def draw(ladder: Ladder, rungs: Sequence[Rung], target: Path) -> None:
    """Draw a line for each budget over the opponents, with intervals of 95 %."""
    refuse_unwritable(target)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = [each.name for each in ladder.opponents]
    figure, axes = pyplot.subplots(figsize=(3 + 1.1 * len(names), 4.2), layout="constrained")
    for number, player in enumerate(ladder.players):
        climbed = [r for r in rungs if r.player is player and r.tally.counts.matches]
        shift = 0.12 * (number - (len(ladder.players) - 1) / 2)
        places = [names.index(rung.opponent.name) + shift for rung in climbed]
        scores = [100 * rung.tally.counts.score for rung in climbed]
        spread = [
            [
                abs(100 * bound - score)
                for rung, score in zip(climbed, scores, strict=True)
                for bound in (rung.tally.interval[side],)
            ]
            for side in (0, 1)
        ]
        axes.errorbar(places, scores, yerr=spread, fmt="o-", capsize=4, label=player.name)
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set_xticks(range(len(names)), names, rotation=25, ha="right")
    axes.set_ylim(-3, 103)
    axes.set_ylabel("score in %, 95 %")
    axes.set_title(f"{ladder.game.id}, {counted(ladder.matches, 'match')} a rung")
    axes.legend()
    axes.grid(alpha=0.3)
    save(figure, target, dpi=110)
