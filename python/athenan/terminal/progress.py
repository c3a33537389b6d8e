"""How far many matches are, on standard error: how many have ended, some words, the time left.

A terminal shows one line that changes; a file or a pipe gets a line now and then, and at least
every ten seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from athenan.games.words import counted
from athenan.terminal.waiting import Lines

LINES = 10  # in a pipe, of a series that is soon over
PAUSE = 1.0  # seconds between them, at least
REFRESH = 0.2  # seconds between two looks of the line that changes

Describe = Callable[[], str]
Report = Callable[[int, Describe], None]
"""Hears how many matches have ended; the words are asked for only when they are shown."""


@contextmanager
def progress(matches: int, already: int = 0) -> Iterator[Report]:
    """Give a function that shows how many of the matches have been played.

    Those that an earlier process played `already` say nothing about the time left.
    """
    if sys.stderr.isatty():
        with _live(matches, already) as report:
            yield report
    else:
        with _plain(matches, already) as report:
            yield report


@contextmanager
def _live(matches: int, already: int) -> Iterator[Report]:
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
        task, last = shown.add_task("", total=matches, completed=already), 0.0

        def report(played: int, describe: Describe) -> None:
            nonlocal last
            if (now := time.perf_counter()) - last > REFRESH:
                last = now
                shown.update(task, completed=played, description=describe())

        yield report


@contextmanager
def _plain(matches: int, already: int) -> Iterator[Report]:
    started = last_time = time.perf_counter()
    last_count = count = already
    describe: Describe | None = None

    def words() -> str:
        said = f"{count}/{counted(matches, 'match')}"
        return said if describe is None else f"{said}: {describe()}"

    with Lines(words) as lines:

        def report(played: int, latest: Describe) -> None:
            nonlocal last_time, last_count, count, describe
            count, describe, now = played, latest, time.perf_counter()
            few = played - last_count < matches / LINES
            if now - last_time < PAUSE or few or played == matches:
                return
            last_time, last_count = now, played
            left = (now - started) * (matches - played) / (played - already)
            lines.tell(f"{words()}, {left:.0f} s left")

        yield report
