"""A picture of a reproduction: what was published and what was measured, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from athenan._core import Error
from athenan.experiments.agreement import Panel
from athenan.experiments.reproduction import Reproduction


def draw_panels(reproduction: Reproduction, found: Sequence[Panel], file: Path) -> None:
    """Draw the percentages of all variants, one panel per game."""
    try:
        import matplotlib
    except ImportError:
        raise Error("plotting needs matplotlib: pip install 'athenan[plot]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

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
