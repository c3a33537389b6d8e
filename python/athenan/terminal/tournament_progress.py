"""How far a tournament is, on standard error: matches, the pairing at play, the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from athenan.arena import Standings
from athenan.arena.tournament import Pairing
from athenan.terminal.series import LINES, PAUSE, REFRESH

Report = Callable[[Pairing], None]


@contextmanager
def tournament_progress(standings: Standings) -> Iterator[Report]:
    """Give a function that is told of the pairing of each match that ended.

    A terminal shows one line that changes; a file or a pipe gets a line now and then.
    """
    if sys.stderr.isatty():
        with _live(standings) as report:
            yield report
    else:
        yield _plain(standings)


@contextmanager
def _live(standings: Standings) -> Iterator[Report]:
    from rich import progress
    from rich.console import Console

    columns = (
        progress.MofNCompleteColumn(),
        progress.BarColumn(),
        "{task.description}",
        progress.TimeRemainingColumn(),
    )
    console = Console(stderr=True, highlight=False)
    with progress.Progress(*columns, console=console, transient=True) as shown:
        total = standings.tournament.planned
        task, last = shown.add_task("", total=total, completed=standings.played), 0.0

        def report(pairing: Pairing) -> None:
            nonlocal last
            if (now := time.perf_counter()) - last > REFRESH:
                last = now
                shown.update(
                    task, completed=standings.played, description=_line(standings, pairing)
                )

        yield report


def _plain(standings: Standings) -> Report:
    started = last_time = time.perf_counter()
    total = standings.tournament.planned
    first = last_count = standings.played  # those of an earlier process

    def report(pairing: Pairing) -> None:
        nonlocal last_time, last_count
        now, count = time.perf_counter(), standings.played
        if now - last_time < PAUSE or count - last_count < total / LINES or count == total:
            return
        last_time, last_count = now, count
        left = (now - started) * (total - count) / (count - first)
        line = f"{count}/{total} matches: {_line(standings, pairing)}, {left:.0f} s left"
        typer.echo(line, err=True)

    return report


def _line(standings: Standings, pairing: Pairing) -> str:
    players, counts = standings.tournament.players, standings.tallies[pairing].counts
    names = f"{players[pairing.a].name} against {players[pairing.b].name}"
    return f"{names} +{counts.wins} ={counts.draws} -{counts.losses}"
