"""Ctrl-C, SIGTERM and the end of the terminal: each ends a program, promptly and in good order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from athenan._core import interrupt_rules

HANGUP = (signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()  # Windows has none
INTERRUPTED = 130
"""The exit code of a command that was ended by a signal."""


@contextmanager
def terminable() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into what Ctrl-C is: a KeyboardInterrupt."""
    with _handling(signal.default_int_handler, signal.SIGTERM, *HANGUP):
        yield


@contextmanager
def on_interrupt(first: Callable[[], None]) -> Iterator[None]:
    """Call `first` at the first Ctrl-C, SIGTERM or SIGHUP; a second one is a KeyboardInterrupt.

    The second one is raised in the rules of a Python game too, which may not come to an end.
    A second SIGHUP is none: the system and the shell may both tell of the end of a terminal.
    `first` may not print, for what it interrupts may be printing.
    """
    asked = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked and number not in HANGUP:
            interrupt_rules()
            raise KeyboardInterrupt
        if not asked:
            asked = True
            first()

    with _handling(handle, signal.SIGINT, signal.SIGTERM, *HANGUP):
        yield


@contextmanager
def on_ctrl_c(first: Callable[[], None]) -> Iterator[None]:
    """Call `first` at the first Ctrl-C; a second one is a KeyboardInterrupt, as is any SIGTERM."""
    asked = False

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        first()

    with _handling(handle, signal.SIGINT):
        yield


@contextmanager
def _handling(
    handler: Callable[[int, FrameType | None], object], *signals: signal.Signals
) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # Python lets no other thread
        yield
        return
    heard = [each for each in signals if each not in HANGUP or not _is_ignored(each)]
    previous = {each: signal.signal(each, handler) for each in heard}
    try:
        yield
    finally:
        for each, before in previous.items():
            signal.signal(each, before)


def _is_ignored(number: signal.Signals) -> bool:
    """Tell whether a signal is to be ignored, as nohup asks."""
    return signal.getsignal(number) == signal.SIG_IGN
