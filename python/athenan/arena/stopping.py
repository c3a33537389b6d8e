"""Stopping a caller's own threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from athenan._core import Stop

PATIENCE = 0.02
"""Seconds between two looks whether to stop."""


@contextmanager
def relayed(asked: Stop | None) -> Iterator[Stop]:
    """Give a token for the caller's own threads, and request it at the end.

    The caller's request is passed on, and so is the end of a program that left these threads alone,
    as one does that takes only some matches of a series.
    """
    stop, finished = Stop(), threading.Event()

    def watch() -> None:
        while not finished.wait(PATIENCE):
            if (asked and asked.requested) or not threading.main_thread().is_alive():
                stop.request()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield stop
    finally:
        stop.request()
        finished.set()
        watcher.join()
