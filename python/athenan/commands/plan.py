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
        Path, typer.Argument(metavar="PLAN.toml", help="The plan: the models to train.")
    ] = Path("training/plan.toml"),
    minutes: Annotated[
        float, typer.Option(min=0, help="Train for this many minutes; 0 only shows the table.")
    ] = 0,
    side_by_side: Annotated[
        int,
        typer.Option(
            min=0, max=64, help="The number of trainings at a time; 0 is the number in the plan."
        ),
    ] = 0,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="The directory of the runs.")] = Path(
        "runs"
    ),
    hardware: Annotated[
        str, typer.Option(metavar="TEXT", help="The name of this machine in the table.")
    ] = "",
) -> int:
    """Train the models of a plan; the next minutes go to the model that gains most from them.

    Each model goes on where its last stretch ended; on another machine it goes on from the small
    checkpoint beside the plan. The table spent.md beside the plan says what was spent and gained.
    """
    from athenan.experiments.results import held
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

        with (
            held(file.parent),
            on_interrupt(stop.request),
            Lines(lambda: words, err=False) as lines,
        ):
            train_by_plan(workshop, minutes, tell=lines.tell, hear=hear, stop=stop)
    spent = read_ledger(workshop.ledger)
    typer.echo(report(read, spent), nl=False)
    following = next_item(read, spent)
    say(f"\nnext: {following or 'nothing: every item is at its target or its limit'}")
    return INTERRUPTED if stop.requested else 0
