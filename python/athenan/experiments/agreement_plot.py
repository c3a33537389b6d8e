"""A picture of a reproduction: what was published and what was measured, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from athenan._core import Error
from athenan.experiments.agreement import Panel, against
from athenan.experiments.contest import Contest
from athenan.experiments.reproduction import Reproduction


def draw_panels(reproduction: Reproduction, found: Sequence[Panel], file: Path) -> None:
    """Draw the percentages of all variants, one panel per game."""
    pyplot = _pyplot()
    most = max(len(panel.rows) for panel in found)
    figure, axes = pyplot.subplots(
        1,
        len(found),
        figsize=(1.6 + 2.2 * len(found), 0.9 + 0.32 * most),
        layout="constrained",
        squeeze=False,
        sharex=True,
    )
    for panel, shown in zip(axes.flat, found, strict=True):
        names = [row.variant for row in shown.rows]
        for at, row in enumerate(shown.rows):
            ours = row.ours
            spread = [[ours.value - ours.low], [ours.high - ours.value]]
            panel.errorbar(
                ours.value, at, xerr=spread, fmt="o", color="C0", capsize=3, markersize=5
            )
            if row.published is not None:
                panel.plot(row.published, at, "D", color="C1", markersize=6, fillstyle="none")
        panel.set_yticks(range(len(names)), names, fontsize=8)
        panel.invert_yaxis()
        panel.set_xlim(0, 100)
        panel.axvline(50, color="grey", linewidth=0.6)
        panel.set_title(shown.game, fontsize=8)
        panel.tick_params(axis="x", labelsize=8)
    published = "; diamonds: published" if reproduction.table.published else ""
    figure.supxlabel(f"percentage, 95 %{published}", fontsize=8)
    figure.savefig(file, dpi=90)
    pyplot.close(figure)


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
        figsize=(1 + 4 * max(1, len(titles)), 3),
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
        aside = 0.008 * (len(panel.containers) - number / 2)  # bars would hide each other
        x = tuple(each + aside for each in x)
        panel.errorbar(x, y, yerr=spread, marker="o", capsize=3, label=name)
        panel.set_title(title, fontsize=8)
        panel.set_xlabel("part of the training")
        panel.legend(fontsize=7)
    axes.flat[0].set_ylabel("score: mean, lowest, highest" if contest.scores else "score, 95 %")
    figure.savefig(file, dpi=90)
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
