"""The clock of a learning process, which stands while it does something else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic

from athenan._core import Stop


class Clock:
    """Counts the seconds of training, and asks it to stop when its time is over."""

    def __init__(self, stop: Stop, limit: float = 0.0) -> None:
        self._stop = stop
        self._limit = limit
        """Seconds; 0 for none."""
        self._before = 0.0
        self._since: float | None = None
        self._alarm: Timer | None = None

    def seconds(self) -> float:
        """Return the time so far, that of earlier sessions included."""
        return self._before + (0.0 if self._since is None else monotonic() - self._since)

    def set(self, seconds: float) -> None:
        """Go on from the time of an earlier session."""
        self._before = seconds

    @property
    def progress(self) -> float:
        """The part of its time that is over; 0 without a limit."""
        return self.seconds() / self._limit if self._limit else 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let the time pass."""
        self._start()
        try:
            yield
        finally:
            self._halt()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let no time pass for a while."""
        was_running = self._since is not None
        self._halt()
        try:
            yield
        finally:
            if was_running:
                self._start()

    def _start(self) -> None:
        self._since = monotonic()
        if self._limit:
            self._alarm = Timer(max(0.0, self._limit - self._before), self._stop.request)
            self._alarm.start()

    def _halt(self) -> None:
        self._before, self._since = self.seconds(), None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
