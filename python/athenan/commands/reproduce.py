"""`athenan reproduce`: tables of the paper by one command, beside the published values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from athenan import Error, ParameterError, Stop, Stopped
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.page import say


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The name of a table (see --list), or all.")
    ] = None,
    size: Annotated[
        Literal["tiny", "small", "paper"],
        typer.Option(
            help="tiny takes minutes on two cores, small a night, paper has the paper's budgets."
        ),
    ] = "tiny",
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The directory of the experiment. The default is experiments/PLAN-SIZE.",
        ),
    ] = None,
    list_all: Annotated[
        bool, typer.Option("--list", help="List the tables and what each size trains.")
    ] = False,
    report_only: Annotated[
        bool, typer.Option("--report", help="Train and play nothing; show the results so far.")
    ] = False,
) -> int:
    """Repeat an experiment of the paper, and say whether order and signs agree with the paper.

    Tables that share a plan share their trainings. To go on with what was stopped or killed, run
    the command again.
    """
    from athenan.experiments.reproduction import reproduction, reproductions
    from athenan.terminal.reproduction_report import print_list

    if list_all:
        print_list()
        return 0
    if name is None:
        raise ParameterError(f"name a table: {', '.join(reproductions())}; --list describes them")
    names = list(reproductions()) if name == "all" else [name]
    if run is not None and len(names) > 1:
        raise ParameterError(
            "--run is the directory of one plan, but `all` has several: leave out --run"
        )
    chosen = [reproduction(each, size) for each in names]
    from athenan.experiments import Contest, train_all
    from athenan.experiments.agreement import panels, write_findings
    from athenan.experiments.agreement_plot import draw_curves, draw_panels
    from athenan.experiments.results import held
    from athenan.terminal.experiment_report import ProgressLines
    from athenan.terminal.reproduction_report import print_reproduction

    for each in chosen:
        folder = run or each.folder
        contest, stop = Contest(each.plan, folder), Stop()
        if not report_only:
            try:
                with held(folder), on_interrupt(stop.request), ProgressLines() as lines:
                    train_all(each.plan, folder, report=lines.training, stop=stop)
                    contest.play(report=lines.playing, stop=stop)
            except Stopped:
                say(f"stopped; go on with: athenan reproduce {name} --size {size}")
                return INTERRUPTED
        if not (contest.results() or contest.scores):
            raise Error(f"{folder} has no results yet: leave out --report")
        found = panels(each, contest.results())
        print_reproduction(each, found, contest)
        json, picture = folder / f"{each.name}.json", folder / f"{each.name}.png"
        write_findings(each, found, contest, json)
        written = [json, picture]
        if found:
            draw_panels(found, picture)
        else:
            draw_curves(each, contest, picture)
        if found and each.has_curves:
            written.append(folder / f"{each.name}-curves.png")
            draw_curves(each, contest, written[-1])
        say(", ".join(map(str, written)))
    return 0
