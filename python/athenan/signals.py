"""Ctrl-C and SIGTERM: both end a program, promptly and in good order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
"""The exit code of a command that was ended by a signal."""


@contextmanager
def terminable() -> Iterator[None]:
    """Turn SIGTERM into what Ctrl-C is: a KeyboardInterrupt."""
    with _handling(signal.default_int_handler, signal.SIGTERM):
        yield


@contextmanager
def on_interrupt(first: Callable[[], None]) -> Iterator[None]:
    """Call `first` at the first Ctrl-C or SIGTERM; the second one is a KeyboardInterrupt.

    `first` may not print, for what it interrupts may be printing.
    """
    asked = False

    def handle(_signal: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        first()

    with _handling(handle, signal.SIGINT, signal.SIGTERM):
        yield


@contextmanager
def _handling(
    handler: Callable[[int, FrameType | None], object], *signals: signal.Signals
) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # Python lets no other thread
        yield
        return
    previous = {each: signal.signal(each, handler) for each in signals}
    try:
        yield
    finally:
        for each, before in previous.items():
            signal.signal(each, before)
