"""`athenan match`: two players play a series, and what that proves."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from athenan.arena import OPENINGS, MatchResult, Tally, play_matches, player
from athenan.commands.players import budget_of, game_for
from athenan.terminal.progress import progress
from athenan.terminal.series import Series

INTERRUPTED = 130
DEFAULT_BUDGET = "expansions=100"
PLAYER = "A run directory, a model file, a search such as mcts:seconds=1, or random."


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    b: Annotated[str, typer.Argument(metavar="B", help="Likewise.")],
    game: Annotated[
        str | None, typer.Option(help="The game; without it that of the first model.")
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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append each match to a file of JSON lines.")
    ] = None,
) -> None:
    """Let two players play a series of matches.

    Every opening is played twice, with colours exchanged. A player is a text: runs/hex5,
    runs/hex5@seconds=0.2, runs/hex5@alphabeta:depth=2, mcts:seconds=1, random.
    """
    budget = budget_of(seconds, expansions, DEFAULT_BUDGET)
    made = game_for(game, (a, b))
    series = Series(
        game=made,
        players=(player(a, made, budget), player(b, made, budget)),
        openings=OPENINGS[openings](made, (matches + 1) // 2, seed),
        kind_of_openings=openings,
        matches=matches,
        seed=seed,
    )
    results = play_matches(
        made, *series.players, matches, seed=seed, workers=workers, openings=series.openings
    )
    tally, interrupted, started = Tally(), False, time.perf_counter()
    with _saved(save, series) as write, progress(matches) as report:
        try:
            for result in results:
                tally = tally.with_result(result)
                write(result)
                report(tally)
        except KeyboardInterrupt:
            interrupted = True
    seconds_played = time.perf_counter() - started
    if as_json:
        typer.echo(json.dumps(series.facts(tally, seconds_played), indent=2))
    else:
        series.print_summary(tally, seconds_played)
    if interrupted:
        sys.stdout.flush()
        os._exit(INTERRUPTED)  # the engine may still be playing: nothing else would stop it


@contextmanager
def _saved(file: Path | None, series: Series) -> Iterator[Callable[[MatchResult], None]]:
    """Open the file of results; what it holds already stays."""
    if file is None:
        yield lambda _result: None
        return
    with file.open("a", encoding="utf-8") as lines:

        def write(result: MatchResult) -> None:
            lines.write(json.dumps(series.line(result)) + "\n")
            lines.flush()

        yield write
