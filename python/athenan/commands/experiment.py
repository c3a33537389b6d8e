"""`athenan experiment`: variants of a training, repeated and compared by matches."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from athenan import Error, Stop, Stopped
from athenan.commands.arguments import ClusterOption
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.page import say

if TYPE_CHECKING:
    from athenan.arena.series import PlaySeries
    from athenan.experiments import ExperimentPlan
    from athenan.experiments.trainings import Trainers


def experiment(
    plan: Annotated[
        Path, typer.Argument(metavar="PLAN.toml", help="The plan: what is compared, and how.")
    ],
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The directory of the experiment. The default is experiments/PLAN."
        ),
    ] = None,
    report_only: Annotated[
        bool, typer.Option("--report", help="Train and play nothing; show the results so far.")
    ] = False,
    cluster: ClusterOption = None,
) -> int:
    """Train variants of a recipe, let them play each other, and show which are stronger.

    To go on with an experiment that was stopped or killed, run the command again. Games and
    repetitions may be added to the plan at any time, and variants after the others.
    """
    from athenan.experiments import Contest, comparisons, read_plan, train_all
    from athenan.experiments.report import draw_report, write_report
    from athenan.experiments.results import held
    from athenan.terminal.experiment_report import ProgressLines, print_comparisons

    read = read_plan(plan)
    folder = run or Path("experiments") / plan.stem
    contest, stop = Contest(read, folder), Stop()
    if not report_only:
        try:
            with ExitStack() as stack:
                stack.enter_context(held(folder))
                trainers, play = _elsewhere(read, cluster, stack)
                stack.enter_context(on_interrupt(stop.request))
                lines = stack.enter_context(ProgressLines())
                train_all(read, folder, report=lines.training, stop=stop, trainers=trainers)
                contest.play(report=lines.playing, stop=stop, play=play)
        except Stopped:
            where = f" --cluster {cluster}" if cluster else ""
            say(f"stopped; go on with: athenan experiment {plan} --run {folder}{where}")
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


def _elsewhere(
    plan: ExperimentPlan, address: str | None, stack: ExitStack
) -> tuple[Trainers | None, PlaySeries | None]:
    """Return what trains and what plays on the cluster, if one is given."""
    if address is None:
        return None, None
    from athenan.cluster import ClusterTrainers, connected, play_as_tasks

    cluster = stack.enter_context(connected(address))
    hardware = plan.config(next(plan.jobs(Path()))).hardware
    on_cpu = hardware.device == "cpu" or not cluster.has_gpus
    threads = hardware.threads or (1 if on_cpu else 0)
    trainers = ClusterTrainers(cluster, cluster.share(threads, on_cpu, 0))
    return trainers, play_as_tasks(cluster, threads)
