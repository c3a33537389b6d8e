"""How far many matches are, on standard error: how many have ended, some words, the time left.

A terminal shows one line that changes; a file or a pipe gets a line now and then.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from athenan.games.words import counted
from athenan.terminal.page import say

LINES = 10  # in a pipe, at most
PAUSE = 1.0  # seconds between them, at least
REFRESH = 0.2  # seconds between two looks of the line that changes

Describe = Callable[[], str]
Report = Callable[[int, Describe], None]
"""Hears how many matches have ended; the words are asked for only when they are shown."""


@contextmanager
def progress(matches: int, already: int = 0) -> Iterator[Report]:
    """Give a function that shows how far so many matches are.

    Those that an earlier process played `already` say nothing about the time left.
    """
    if sys.stderr.isatty():
        with _live(matches, already) as report:
            yield report
    else:
        yield _plain(matches, already)


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


def _plain(matches: int, already: int) -> Report:
    started = last_time = time.perf_counter()
    last_count = already

    def report(played: int, describe: Describe) -> None:
        nonlocal last_time, last_count
        now = time.perf_counter()
        few = played - last_count < matches / LINES
        if now - last_time < PAUSE or few or played == matches:
            return
        last_time, last_count = now, played
        left = (now - started) * (matches - played) / (played - already)
        say(f"{played}/{counted(matches, 'match')}: {describe()}, {left:.0f} s left", err=True)

    return report
