"""`athenan plot`: the curves of one or more runs as a PNG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from athenan import Error
from athenan.terminal.figures import refuse_unwritable, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from athenan.runs.metrics import Line

WIN_RATE = ("evaluation", "win_rate", "win rate against {}")
SCORE = ("evaluation", "mean_score", "score, mean and best")
PANELS: tuple[tuple[str, str, str], ...] = (
    ("training", "loss", "loss (mean squared error)"),
    WIN_RATE,
    ("training", "length", "match length (plies)"),
    ("training", "states_per_second", "states per second"),
)
SMOOTHING = 60  # a curve is drawn as the means of about this many stretches


def plot(
    runs: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Directories of runs.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The picture to write. The default is DIR/curves.png.",
        ),
    ] = None,
    against: Annotated[
        str, typer.Option(metavar="seconds|matches", help="What the horizontal axis counts.")
    ] = "seconds",
) -> None:
    """Draw loss, win rate (or the score of a game for one), match length and speed of runs."""
    from athenan.runs import Run
    from athenan.runs.metrics import read_metrics

    if against not in ("seconds", "matches"):
        raise Error(f"the horizontal axis counts seconds or matches, not {against!r}")
    curves = {str(path): list(read_metrics(Run.open(path).metrics)) for path in runs}
    for name, lines in curves.items():
        if not lines:
            raise Error(f"the run {name} has no metrics yet")
    target = output or runs[0] / "curves.png"
    try:
        _draw(curves, against, target)
    except (LookupError, TypeError):
        files = ", ".join(str(Run(path).metrics) for path in runs)
        raise Error(f"{files}: some lines lack the numbers that athenan train writes") from None
    typer.echo(f"{target}")


def _draw(curves: dict[str, list[Line]], against: str, target: Path) -> None:
    refuse_unwritable(target)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(11, 7), layout="constrained")
    for panel, (kind, field, title) in zip(axes.flat, _panels(curves), strict=True):
        for name, lines in curves.items():
            chosen = [line for line in lines if line["kind"] == kind]
            if field == WIN_RATE[1]:
                chosen = [line for line in chosen if SCORE[1] not in line]
            if chosen:
                _curve(panel, chosen, against, field, name)
        panel.set_title(title.format(_opponents(curves)))
        panel.set_xlabel("minutes" if against == "seconds" else "matches")
        panel.grid(alpha=0.3)
    figure.suptitle(", ".join(curves) if len(curves) == 1 else f"{len(curves)} runs")
    if len(curves) > 1:
        axes.flat[0].legend()
    save(figure, target, dpi=120)


def _opponents(curves: dict[str, list[Line]]) -> str:
    """Name the opponents of evaluations; if runs met different ones, say which run met which."""
    met = {
        name: dict.fromkeys(line["opponent"] for line in lines if "opponent" in line)
        for name, lines in curves.items()
    }
    everyone = dict.fromkeys(opponent for opponents in met.values() for opponent in opponents)
    if len(everyone) > 1 and len(curves) > 1:
        pairs = (f"{', '.join(opponents)} ({name})" for name, opponents in met.items() if opponents)
        return "\n".join(pairs)
    return ", ".join(everyone) or "the opponent"


def _panels(curves: dict[str, list[Line]]) -> Iterator[tuple[str, str, str]]:
    """Yield the panels; runs of games for one have scores where others have win rates."""
    evaluations = [line for lines in curves.values() for line in lines if line["kind"] == SCORE[0]]
    scored = evaluations and all(SCORE[1] in line for line in evaluations)
    for panel in PANELS:
        yield SCORE if scored and panel == WIN_RATE else panel


def _curve(panel: Axes, lines: list[Line], against: str, field: str, name: str) -> None:
    scale = 60 if against == "seconds" else 1
    x = [line[against] / scale for line in lines]
    y = _column(lines, field)
    if field == SCORE[1]:
        (mean,) = panel.plot(x, y, marker="o", label=name)
        panel.plot(x, _column(lines, "best_score"), linestyle="--", color=mean.get_color())
        return
    if field == WIN_RATE[1]:
        panel.set_ylim(0, 1)
        panel.plot(x, y, marker="o", label=name)
        panel.fill_between(x, _column(lines, "low"), _column(lines, "high"), alpha=0.2)
        panel.axhline(0.5, color="grey", linewidth=0.8)
        return
    size = max(1, len(x) // SMOOTHING)
    panel.plot(_means(x, size), _means(y, size), label=name)
    if field == "loss" and min(y) > 0:
        panel.set_yscale("log")


def _column(lines: list[Line], field: str) -> list[Any]:
    return [line[field] for line in lines]


def _means(values: Sequence[float], size: int) -> list[float]:
    stretches = [values[i : i + size] for i in range(0, len(values), size)]
    return [sum(stretch) / len(stretch) for stretch in stretches]
