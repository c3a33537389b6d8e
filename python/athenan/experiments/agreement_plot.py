"""A picture of a reproduction: what was published and what was measured, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from athenan._core import Error
from athenan.experiments.agreement import Panel, against
from athenan.experiments.contest import Contest
from athenan.experiments.reproduction import Reproduction


def draw_panels(found: Sequence[Panel], file: Path) -> Any:
    """Draw the percentages of all variants, one panel per game. Returns the figure."""
    pyplot = _pyplot()
    names = list(dict.fromkeys(row.variant for panel in found for row in panel.rows))
    figure, axes = pyplot.subplots(
        1,
        len(found),
        figsize=(1.5 + 1.9 * len(found), 1.3 + 0.34 * len(names)),
        layout="constrained",
        squeeze=False,
        sharex=True,
        sharey=True,
    )
    handles: dict[str, Any] = {}
    for panel, shown in zip(axes.flat, found, strict=True):
        for row in shown.rows:
            at, ours = names.index(row.variant), row.ours
            below = [at + 0.25] * len(row.trainings)
            dots = panel.plot(row.trainings, below, ".", color="0.5", markersize=4)
            spread = [[ours.value - ours.low], [ours.high - ours.value]]
            bar = panel.errorbar(ours.value, at, xerr=spread, fmt="o", color="C0", capsize=3)
            handles |= {"here, with its 95 % interval": bar, "each training": dots[0]}
            if row.published is not None:
                diamond = panel.plot(row.published, at, "D", color="C1", fillstyle="none")
                handles["published"] = diamond[0]
        panel.axvline(50, color="grey", linewidth=0.6)
        panel.set_title(shown.game.replace(":", "\n", 1).replace(",", ", "), fontsize=9)
        panel.tick_params(labelsize=9)
    first = axes.flat[0]
    first.set_yticks(range(len(names)), names)
    first.set_ylim(len(names) - 0.5, -0.5)
    first.set_xlim(-3, 103)
    figure.supxlabel("percentage against all variants", fontsize=9)
    figure.legend(
        handles.values(),
        handles,
        loc="outside upper center",
        ncols=len(handles),
        fontsize=9,
        frameon=False,
    )
    figure.savefig(file, dpi=110)
    pyplot.close(figure)
    return figure


def draw_curves(reproduction: Reproduction, contest: Contest, file: Path) -> Any:
    """Draw how variants did as they learned: against opponents, or alone by their scores.

    Returns the figure.
    """
    pyplot = _pyplot()
    lines: dict[tuple[str, str], list[tuple[float, float, float, float]]] = {}
    for solo in contest.scores:
        who, scores = solo.entrant, solo.scores
        name = f"{who.variant} {who.repetition}" if who.repetition else who.variant
        mean = sum(scores) / len(scores)
        point = solo.fraction, mean, min(scores), max(scores)
        lines.setdefault((solo.game, name), []).append(point)
    if not lines:
        several = len(reproduction.plan.contest.opponents) > 1
        for each in against(reproduction, contest):
            title = each.game if several else f"{each.game} against {each.b}"
            name = f"{each.a} against {each.b}" if several else each.a
            point = each.fraction, 100 * each.score, 100 * each.low, 100 * each.high
            lines.setdefault((title, name), []).append(point)
    titles = list(dict.fromkeys(title for title, _ in lines))
    figure, axes = pyplot.subplots(
        1,
        max(1, len(titles)),
        figsize=(1.8 + 3.6 * max(1, len(titles)), 3.2),
        layout="constrained",
        squeeze=False,
        sharey=not contest.scores,
    )
    for (title, name), points in lines.items():
        panel, number = axes.flat[titles.index(title)], sum(key[0] == title for key in lines)
        x, y, low, high = zip(*sorted(points), strict=True)
        spread = (
            [b - a for a, b in zip(low, y, strict=True)],
            [b - a for a, b in zip(y, high, strict=True)],
        )
        aside = 0.015 * (len(panel.containers) - (number - 1) / 2)  # bars would hide each other
        x = tuple(each + aside for each in x)
        panel.errorbar(x, y, yerr=spread, marker="o", capsize=2, elinewidth=0.9, label=name)
        panel.set_title(title.replace(" against ", "\nagainst "), fontsize=9)
        panel.set_xlabel("part of the training", fontsize=9)
        panel.set_xticks(sorted({each for each, *_ in points}))
        panel.tick_params(labelsize=9)
    axes.flat[-1].legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    measure = "mean, lowest and highest score" if contest.scores else "score in %, 95 % intervals"
    axes.flat[0].set_ylabel(measure, fontsize=9)
    figure.savefig(file, dpi=110)
    pyplot.close(figure)
    return figure


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise Error("plotting needs matplotlib: pip install 'athenan[plot]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot
