"""Progress lines of work that would otherwise be silent for long."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

from athenan.terminal.page import say

Words = Callable[[], str]
"""Says how far the work is."""
Tell = Callable[[str], None]
"""Prints a line on standard output beside such words."""

OFTEN = 0.2  # seconds between two looks of the line that changes, at a terminal
RARELY = 9.0  # seconds between two lines elsewhere: after ten, at most, there is one
CHECK = 0.5  # seconds between two looks whether a line is due


class Lines:
    """Lines of a pipe or a file, which is never silent for longer than ten seconds.

    Where nothing new is told, the words are said again with the time that the work has taken.
    """

    def __init__(self, words: Words, err: bool = True) -> None:
        self._words = words
        self._err = err
        self._started = self._told = time.monotonic()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._repeat, name="progress", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def tell(self, line: str, err: bool | None = None) -> None:
        """Print a line, at once."""
        with self._lock:
            self._told = time.monotonic()
            say(line, self._err if err is None else err)

    def _repeat(self) -> None:
        while not self._ended.wait(min(CHECK, RARELY)):
            now = time.monotonic()
            if now - self._told < RARELY:
                continue
            try:
                self.tell(f"{self._words()}, {now - self._started:.0f} s")
            except (OSError, ValueError):  # nobody reads it any more
                return


@contextmanager
def shown(words: Words) -> Iterator[Tell]:
    """Show on standard error how far some work is, as a line that changes, or in a pipe as lines.

    Work that ends within moments shows nothing. Results meanwhile are told by what is yielded.
    """
    if not sys.stderr.isatty():
        with Lines(words) as lines:
            yield lambda result: lines.tell(result, err=False)
        return
    done, lock, started = threading.Event(), threading.Lock(), time.monotonic()

    def watch() -> None:
        while not done.wait(OFTEN):
            with lock:
                _write(f"\r\033[K{words()}, {time.monotonic() - started:.0f} s")

    def tell(result: str) -> None:
        with lock:
            _write("\r\033[K")
            say(result)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        done.set()
        thread.join()
        _write("\r\033[K")


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads it any more
        pass
