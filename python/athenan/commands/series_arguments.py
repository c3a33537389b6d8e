"""What the commands that play series share: openings, clocks, adjudication."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Literal

import typer

from athenan import Error, Game, Stop
from athenan.arena import OPENINGS, Adjudication, Conditions, Opening, TimeControl, read_openings
from athenan.arena.series import PlaySeries
from athenan.terminal.waiting import shown

PLAYER = "A run directory, a model file, a search such as mcts:seconds=1, an engine, or random."
DEFAULT_BUDGET = "expansions=100"
DEFAULT_MARGIN = 0.1

SecondsOption = Annotated[
    float | None,
    typer.Option(
        min=0.001, max=1e6, help="Seconds per move, for players without a limit of their own."
    ),
]
ExpansionsOption = Annotated[
    int | None,
    typer.Option(min=1, max=10**12, help="Expansions per move, likewise; 100 if neither is given."),
]
OpeningsOption = Annotated[
    str,
    typer.Option(
        metavar="random|balanced|FILE",
        help="random, balanced (those that base MCTS finds most even), or a file of positions or "
        "move lists.",
    ),
]
SeedOption = Annotated[
    int, typer.Option(min=0, max=2**63, help="The seed of openings and players.")
]
WorkersOption = Annotated[
    int,
    typer.Option(min=0, max=1024, help="Matches at a time, each on a thread; 0 is one per core."),
]
TimeOption = Annotated[
    str | None,
    typer.Option("--time", metavar="TEXT", help="The clock, such as move=0.1, 60, 5+0.1 or 60/10."),
]
MarginOption = Annotated[
    float | None,
    typer.Option(
        min=0, max=1e6, help="How many seconds late a move may come; 0.1 by default. Needs --time."
    ),
]
AdjudicateOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="When to end matches early: proven, agreed=0.9x4, resign=0.95x3, length=200; may be "
        "repeated.",
    ),
]
FaultsOption = Annotated[
    Literal["void", "lose"],
    typer.Option(
        help="What a crash, a hang or an illegal move means: the match does not count, or is lost."
    ),
]


def conditions_of(
    time: str | None,
    margin: float | None,
    faults: Literal["void", "lose"],
    adjudicate: list[str] | None,
) -> Conditions:
    """Return the conditions that the options of a command name."""
    if margin is not None and not time:
        raise Error("--margin says how late a move may come on a clock: it needs --time")
    control = TimeControl.parse(time) if time else TimeControl()
    late = DEFAULT_MARGIN if margin is None else margin
    return Conditions(control, late, faults, Adjudication.parse(adjudicate or []))


def series_on(cluster: str | None, threads: int, stack: ExitStack) -> PlaySeries | None:
    """Return what plays series on the cluster, if one is given; the stack ends the connection."""
    if cluster is None:
        return None
    from athenan.cluster import connected, play_as_tasks

    return play_as_tasks(stack.enter_context(connected(cluster)), threads)


def openings_of(text: str, game: Game, matches: int, seed: int, stop: Stop) -> list[Opening]:
    """Draw openings for a number of matches, or read them from a file."""
    if draw := OPENINGS.get(text):
        with shown(lambda: f"drawing {text} openings"):
            return draw(game, (matches + 1) // 2, seed, stop)
    if Path(text).is_file():
        return read_openings(game, Path(text))
    raise Error(f"--openings takes {', '.join(OPENINGS)} or a file, not {text!r}")
