"""Ctrl-C and SIGTERM: both end a command, promptly and in good order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from athenan import Stop

__all__ = ["INTERRUPTED", "stopped_by_signals", "terminable"]

INTERRUPTED = 130
"""The exit code of a command that was ended by a signal."""


@contextmanager
def terminable() -> Iterator[None]:
    """Turn SIGTERM into what Ctrl-C is: a KeyboardInterrupt."""
    with _handling(signal.default_int_handler, signal.SIGTERM):
        yield


@contextmanager
def stopped_by_signals() -> Iterator[Stop]:
    """Give a token that the first Ctrl-C or SIGTERM requests; the next is a KeyboardInterrupt.

    Whoever takes the token stops where nothing is half done.
    """
    stop = Stop()

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.requested:
            signal.default_int_handler(number, frame)
        stop.request()

    with _handling(handle, signal.SIGINT, signal.SIGTERM):
        yield stop


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
