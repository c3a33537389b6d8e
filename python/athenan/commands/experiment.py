"""`athenan experiment`: variants of a training, repeated, and what their matches prove."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from athenan import Error, Stop, Stopped
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.page import say


def experiment(
    plan: Annotated[Path, typer.Argument(metavar="PLAN.toml", help="What is compared, and how.")],
    run: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where it is kept; default experiments/PLAN."),
    ] = None,
    report_only: Annotated[
        bool, typer.Option("--report", help="Train and play nothing: show what there is.")
    ] = False,
) -> int:
    """Train variants of a recipe, let them play each other, and say which is stronger.

    An experiment that was stopped or killed goes on where it was: run the command again. The plan
    may grow meanwhile by games, variants and repetitions.
    """
    from athenan.experiments import Contest, comparisons, read_plan, train_all
    from athenan.experiments.report import draw_report, write_report
    from athenan.terminal.experiment_report import ProgressLines, print_comparisons

    read = read_plan(plan)
    folder = run or Path("experiments") / plan.stem
    contest, stop, lines = Contest(read, folder), Stop(), ProgressLines()
    if not report_only:
        try:
            with on_interrupt(stop.request):
                train_all(read, folder, report=lines.training, stop=stop)
                contest.play(report=lines.playing, stop=stop)
        except Stopped:
            say(f"stopped; go on with: athenan experiment {plan} --run {folder}")
            return INTERRUPTED
    results = contest.results()
    if not results:
        raise Error(f"{folder} has no results yet: run athenan experiment {plan} first")
    found = comparisons(results, seed=read.seed)
    print_comparisons(read, found)
    write_report(read, found, folder / "report.json")
    draw_report(read, found, folder / "report.png")
    say(f"{folder / 'report.json'}, {folder / 'report.png'}")
    return 0
