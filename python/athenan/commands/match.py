"""`athenan match`: two players play a series, and what that proves."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from athenan import Stop, Stopped
from athenan.arena import (
    OPENINGS,
    Adjudication,
    Conditions,
    Match,
    Tally,
    TimeControl,
    play_matches,
    read_player,
)
from athenan.commands.arguments import budget_of, game_for
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.series import Series, progress

DEFAULT_BUDGET = "expansions=100"
PLAYER = "A run directory, a model file, a search such as mcts:seconds=1, or random."


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    b: Annotated[str, typer.Argument(metavar="B", help="Likewise.")],
    game: Annotated[
        str | None,
        typer.Option(help="The game, or its Python file; without it that of the first model."),
    ] = None,
    matches: Annotated[int, typer.Option(min=1, max=10**5, help="How many to play.")] = 100,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.001, max=1e6, help="Per move, for players that name no limit."),
    ] = None,
    expansions: Annotated[
        int | None,
        typer.Option(min=1, max=10**12, help="Likewise; 100 if neither is given."),
    ] = None,
    openings: Annotated[
        Literal["random", "balanced"],
        typer.Option(help="Any, or those that base MCTS finds most even."),
    ] = "random",
    seed: Annotated[int, typer.Option(min=0, max=2**63, help="Of openings and players.")] = 0,
    workers: Annotated[
        int, typer.Option(min=0, max=1024, help="Threads to use; 0 is one per core.")
    ] = 0,
    time_control: Annotated[
        str | None,
        typer.Option("--time", metavar="TEXT", help="A clock: move=0.1, 60, 5+0.1, 60/10."),
    ] = None,
    margin: Annotated[
        float, typer.Option(min=0, max=1e6, help="Seconds that a move may come late.")
    ] = 0.1,
    adjudicate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="End matches early: proven, agreed=0.9x4, resign=0.95x3, length=200.",
        ),
    ] = None,
    faults: Annotated[
        Literal["void", "lose"],
        typer.Option(help="Whether a crash, a hang or an illegal move loses the match."),
    ] = "void",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append each match to a file of JSON lines.")
    ] = None,
) -> int:
    """Let two players play a series of matches.

    Every opening is played twice, with colours exchanged. A player is a text: runs/hex5,
    runs/hex5@seconds=0.2, runs/hex5@alphabeta:depth=2, mcts:seconds=1, random.
    """
    control = TimeControl.parse(time_control) if time_control else TimeControl()
    conditions = Conditions(control, margin, faults, Adjudication.parse(adjudicate or []))
    budget = budget_of(seconds, expansions, "" if time_control else DEFAULT_BUDGET)
    drafts = {text: read_player(text) for text in (a, b)}
    made = game_for(game, drafts, "--game")
    players = drafts[a].spec(made, budget), drafts[b].spec(made, budget)
    tally, stop, started, code = Tally(), Stop(), time.perf_counter(), 0
    with _saved(save) as write, on_interrupt(stop.request):
        drawn = OPENINGS[openings](made, (matches + 1) // 2, seed, stop)
        series = Series(made, players, drawn, openings, matches, seed, conditions)
        played = play_matches(
            made,
            *players,
            matches,
            seed=seed,
            workers=workers,
            openings=drawn,
            conditions=conditions,
            stop=stop,
        )
        with progress(matches) as report:
            try:
                for each in played:
                    tally = tally.with_match(each)
                    write(each)
                    report(tally)
            except Stopped:
                code = INTERRUPTED
    seconds_played = time.perf_counter() - started
    if as_json:
        typer.echo(json.dumps(series.as_json(tally, seconds_played), indent=2))
    else:
        series.print_summary(tally, seconds_played)
    return code


@contextmanager
def _saved(file: Path | None) -> Iterator[Callable[[Match], None]]:
    """Open the file of matches; what it holds already stays."""
    if file is None:
        yield lambda _match: None
        return
    with file.open("a", encoding="utf-8") as lines:

        def write(match: Match) -> None:
            lines.write(json.dumps(match.as_json()) + "\n")
            lines.flush()

        yield write
