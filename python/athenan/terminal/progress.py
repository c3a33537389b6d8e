"""The progress of a series of matches, on standard error.

A terminal shows one line that changes; a file or a pipe gets a line now and then.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from athenan.arena import Tally

LINES = 10  # in a pipe, at most
PAUSE = 1.0  # seconds between them, at least

Report = Callable[[Tally], None]


@contextmanager
def progress(matches: int) -> Iterator[Report]:
    """Give a function that shows the tally so far."""
    if sys.stderr.isatty():
        with _live(matches) as report:
            yield report
    else:
        yield _plain(matches)


def score_line(tally: Tally) -> str:
    """Say the tally of A in a few words."""
    counts = tally.counts
    low, high = counts.interval
    return (
        f"A +{counts.wins} ={counts.draws} -{counts.losses}, "
        f"score {counts.score:.3f} ({low:.3f} to {high:.3f})"
    )


@contextmanager
def _live(matches: int) -> Iterator[Report]:
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
        task = shown.add_task("", total=matches)
        yield lambda tally: shown.update(
            task, completed=tally.counts.matches, description=score_line(tally)
        )


def _plain(matches: int) -> Report:
    started = last_time = time.perf_counter()
    last_count = 0

    def report(tally: Tally) -> None:
        nonlocal last_time, last_count
        now, count = time.perf_counter(), tally.counts.matches
        if now - last_time < PAUSE or count - last_count < matches / LINES or count == matches:
            return
        last_time, last_count = now, count
        left = (now - started) * (matches - count) / count
        typer.echo(f"{count}/{matches} matches: {score_line(tally)}, {left:.0f} s left", err=True)

    return report
