"""What the commands that play series have in common: openings, clocks, adjudication."""

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
    typer.Option(min=0.001, max=1e6, help="Per move, for players that name no limit."),
]
ExpansionsOption = Annotated[
    int | None,
    typer.Option(min=1, max=10**12, help="Likewise; 100 if neither is given."),
]
OpeningsOption = Annotated[
    str,
    typer.Option(
        metavar="random|balanced|FILE",
        help="Any, those that base MCTS finds most even, or a file of positions or move lists.",
    ),
]
SeedOption = Annotated[int, typer.Option(min=0, max=2**63, help="Of openings and players.")]
WorkersOption = Annotated[
    int,
    typer.Option(min=0, max=1024, help="Threads to use, so matches at a time; 0: one per core."),
]
TimeOption = Annotated[
    str | None,
    typer.Option("--time", metavar="TEXT", help="A clock: move=0.1, 60, 5+0.1, 60/10."),
]
MarginOption = Annotated[
    float | None,
    typer.Option(min=0, max=1e6, help="Seconds that a move may come late: 0.1, with --time."),
]
AdjudicateOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT", help="End matches early: proven, agreed=0.9x4, resign=0.95x3, length=200."
    ),
]
FaultsOption = Annotated[
    Literal["void", "lose"],
    typer.Option(help="Whether a crash, a hang or an illegal move loses the match."),
]


def conditions_of(
    time: str | None,
    margin: float | None,
    faults: Literal["void", "lose"],
    adjudicate: list[str] | None,
) -> Conditions:
    """Return the conditions that the options of a command name."""
    if margin is not None and not time:
        raise Error("--margin is how late a clock lets a move come: it needs a clock, --time")
    control = TimeControl.parse(time) if time else TimeControl()
    late = DEFAULT_MARGIN if margin is None else margin
    return Conditions(control, late, faults, Adjudication.parse(adjudicate or []))


def series_on(cluster: str | None, threads: int, stack: ExitStack) -> PlaySeries | None:
    """Return who plays series on a cluster, if there is one; the connection ends with the stack."""
    if cluster is None:
        return None
    from athenan.cluster import connected, play_as_tasks

    return play_as_tasks(stack.enter_context(connected(cluster)), threads)


def openings_of(text: str, game: Game, matches: int, seed: int, stop: Stop) -> list[Opening]:
    """Draw openings for so many matches, or read those of a file."""
    if draw := OPENINGS.get(text):
        with shown(lambda: f"drawing {text} openings"):
            return draw(game, (matches + 1) // 2, seed, stop)
    if Path(text).is_file():
        return read_openings(game, Path(text))
    raise Error(f"--openings takes {', '.join(OPENINGS)} or a file, not {text!r}")
