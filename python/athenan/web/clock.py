"""The clocks of a match, measured by the server."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from athenan._core import Error

MAX_MINUTES = 24 * 60.0
MAX_INCREMENT = 3600.0


class Clock:
    """Time for a whole match per player, and what each move adds.

    >>> now = [0.0]
    >>> clock = Clock(60, 5, lambda: now[0])
    >>> clock.start(0)
    >>> now[0] = 10.0
    >>> clock.press(1)
    >>> clock.left(0), clock.left(1)
    (55.0, 60.0)
    """

    def __init__(
        self, seconds: float, increment: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._left = [seconds, seconds]
        self._increment, self._now = increment, now
        self._running: int | None = None
        self._since = 0.0

    @classmethod
    def of(cls, request: object) -> Clock | None:
        """Return the clock that a request asks for, as in {"minutes": 5, "increment": 3}."""
        if request is None:
            return None
        given: dict[str, Any] = request if isinstance(request, dict) else {}
        minutes, increment = given.get("minutes"), given.get("increment", 0)
        if not (_is_within(minutes, 0.01, MAX_MINUTES) and _is_within(increment, 0, MAX_INCREMENT)):
            raise Error('a clock has minutes above 0, and seconds per move as "increment"')
        return cls(60 * float(minutes or 0), float(increment))

    def start(self, player: int) -> None:
        """Let the time of a player run."""
        self._running, self._since = player, self._now()

    def press(self, following: int) -> None:
        """End a ply: the time of the player who moved stops, and that of the next one runs."""
        moved = self._running
        self.stop()
        if moved is not None:
            self._left[moved] += self._increment
        self.start(following)

    def stop(self) -> None:
        """Stop both."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
        self._running = None

    def left(self, player: int) -> float:
        """Return the seconds that a player has left."""
        elapsed = self._now() - self._since if player == self._running else 0.0
        return max(0.0, self._left[player] - elapsed)

    def as_json(self) -> dict[str, Any]:
        """Return what the page shows."""
        return {"left": [round(self.left(n), 2) for n in (0, 1)], "running": self._running}


def _is_within(number: object, low: float, high: float) -> bool:
    return isinstance(number, int | float) and low <= number <= high
