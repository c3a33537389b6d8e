"""Progress of work that nobody sees otherwise, on standard error."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Words = Callable[[], str]
"""Says how far the work is."""

OFTEN, RARELY = 0.2, 10.0  # seconds between two looks: at a terminal, in a pipe or a file


@contextmanager
def shown(words: Words) -> Iterator[None]:
    """Show how far some work is while it lasts: a line that changes, or in a pipe one every 10 s.

    Work that ends within moments shows nothing.
    """
    done = threading.Event()
    started = time.monotonic()
    live = sys.stderr.isatty()

    def watch() -> None:
        while not done.wait(OFTEN if live else RARELY):
            line = f"{words()}, {time.monotonic() - started:.0f} s"
            _write(f"\r\033[K{line}" if live else f"{line}\n")

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        if live:
            _write("\r\033[K")


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads it any more
        pass
