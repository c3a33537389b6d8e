"""The report of an experiment: everything as JSON, and a plot of the variants over the training."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from athenan._core import Error
from athenan.experiments.plan import ExperimentPlan
from athenan.experiments.standings import Comparison
from athenan.files import write_text

VERSION = 1


def write_report(plan: ExperimentPlan, found: Sequence[Comparison], file: Path) -> None:
    """Write the plan and all comparisons as JSON."""
    data = {
        "version": VERSION,
        "plan": plan.model_dump(mode="json"),
        "comparisons": [each.as_json() for each in found],
    }
    write_text(file, json.dumps(data, indent=1) + "\n")


def against_zero(plan: ExperimentPlan, found: Sequence[Comparison], game: str) -> list[Comparison]:
    """Return how the other variants did against the first one in a game, in the plan's order."""
    zero, *others = plan.entrants_of(game)
    chosen = [each for each in found if (each.game, each.b) == (game, zero) and each.a in others]
    return sorted(chosen, key=lambda each: (others.index(each.a), each.fraction))


def against_opponents(
    plan: ExperimentPlan, found: Sequence[Comparison], game: str
) -> list[Comparison]:
    """Return how all variants did against the opponents in a game."""
    opponents, variants = plan.contest.opponents, plan.entrants_of(game)
    chosen = [each for each in found if each.game == game and each.b in opponents]
    return sorted(chosen, key=lambda each: (each.b, variants.index(each.a), each.fraction))


def _lines(
    plan: ExperimentPlan, found: Sequence[Comparison], game: str
) -> dict[str, list[Comparison]]:
    """Return what is drawn of a game by its label: a single variant meets opponents alone."""
    _, *others = plan.contest.play or plan.variants  # all of them, so that colours agree
    if others:
        points = against_zero(plan, found, game)
        return {name: [each for each in points if each.a == name] for name in others}
    points = against_opponents(plan, found, game)
    names = plan.contest.opponents
    return {f"against {name}": [each for each in points if each.b == name] for name in names}


def draw_report(plan: ExperimentPlan, found: Sequence[Comparison], file: Path) -> None:
    """Draw the scores against the first variant, one panel per game.

    Of a single variant draw those against the opponents.
    """
    try:
        import matplotlib
    except ImportError:
        raise Error("plotting needs matplotlib: pip install 'athenan[plot]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    zero, *others = plan.contest.play or plan.variants
    labels = set[str]()
    figure, axes = pyplot.subplots(
        1,
        len(plan.games),
        figsize=(5 * len(plan.games), 4),
        layout="constrained",
        squeeze=False,
        sharey=True,
    )
    for panel, game in zip(axes.flat, plan.games, strict=True):
        for number, (label, points) in enumerate(_lines(plan, found, game).items()):
            labels.add(label)
            x = [each.fraction + 0.006 * number for each in points]
            low = [each.score - each.low for each in points]
            high = [each.high - each.score for each in points]
            panel.errorbar(
                x,
                [each.score for each in points],
                yerr=(low, high),
                marker="o",
                capsize=3,
                label=label,
            )
        panel.axhline(0.5, color="grey", linewidth=0.8)
        panel.set_title(game)
        panel.set_xlabel("part of the training")
        panel.set_ylim(0, 1)
    axes.flat[0].set_ylabel(f"score {'against' if others else 'of'} {zero}, 95 %")
    if labels:
        axes.flat[0].legend()
    figure.savefig(file, dpi=120)
    pyplot.close(figure)
