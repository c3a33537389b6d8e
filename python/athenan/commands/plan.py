"""`athenan plan`: which game is trained next, and for how long."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from athenan import Stop
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.page import say
from athenan.terminal.waiting import Lines


def plan(
    file: Annotated[
        Path, typer.Argument(metavar="PLAN.toml", help="What is to be trained.")
    ] = Path("training/plan.toml"),
    minutes: Annotated[
        float, typer.Option(min=0, help="Train for so long; 0 only shows the table.")
    ] = 0,
    side_by_side: Annotated[
        int, typer.Option(min=0, max=64, help="Trainings at a time; 0: as the plan says.")
    ] = 0,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Where the runs are.")] = Path("runs"),
    hardware: Annotated[
        str, typer.Option(metavar="TEXT", help="What to call this machine in the table.")
    ] = "",
) -> int:
    """Train the models of a plan: the next minutes go to the one that gains most by them.

    Each goes on where its last stretch stopped, on another machine from its light checkpoint beside
    the plan. What was spent and what it brought is a table, spent.md, beside the plan too.
    """
    from athenan.experiments.stretches import Workshop, train_by_plan
    from athenan.experiments.training_plan import next_item, read_ledger, read_training_plan, report

    read = read_training_plan(file)
    if side_by_side:
        read = read.model_copy(update={"side_by_side": side_by_side})
    workshop, stop = Workshop(read, file.parent, runs, hardware), Stop()
    if minutes:
        words = "preparing"

        def hear(under_way: dict[str, float]) -> None:
            nonlocal words
            words = ", ".join(f"{name} {done:.0%}" for name, done in under_way.items())

        with on_interrupt(stop.request), Lines(lambda: words, err=False) as lines:
            train_by_plan(workshop, minutes, tell=lines.tell, hear=hear, stop=stop)
    spent = read_ledger(workshop.ledger)
    typer.echo(report(read, spent), nl=False)
    following = next_item(read, spent)
    say(f"\nnext: {following or 'nothing: every item is at its target or its limit'}")
    return INTERRUPTED if stop.requested else 0
