"""The clock of a match, run by the server: time controls and what is left are the arena's."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from athenan._core import Error, State
from athenan.arena.clocks import Clock, TimeControl, thinking_seconds

MAX_TEXT = 50
LONGEST = 24 * 3600.0  # seconds of any part of a time control


class RunningClock:
    """What is left to both players, while the time of one of them runs.

    >>> now = [0.0]
    >>> clock = RunningClock(TimeControl.parse("60+5"), lambda: now[0])
    >>> clock.start(0)
    >>> now[0] = 10.0
    >>> clock.press(1)
    >>> clock.left(0), clock.left(1)
    (55.0, 60.0)
    >>> now = [0.0]
    >>> clock = RunningClock(TimeControl.parse("move=5"), lambda: now[0])
    >>> clock.start(0)
    >>> now[0] = 2.0
    >>> clock.left(0), clock.left(1)
    (3.0, 5.0)
    """

    def __init__(self, control: TimeControl, now: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._now = Clock.of(control), now
        self._running: int | None = None
        self._since = 0.0

    @classmethod
    def of(cls, request: object) -> RunningClock | None:
        """Return the clock that a request asks for: a time control as text, such as 300+3."""
        if request is None:
            return None
        if not isinstance(request, str) or len(request) > MAX_TEXT:
            raise Error("a clock is a text, as in 300+3, 60/3x10 or move=5")
        control = TimeControl.parse(request)
        longest = max(control.seconds, control.increment, control.byo_yomi, control.move_seconds)
        if not control.is_timed or longest > LONGEST:
            raise Error(f"a clock has seconds, and at most {LONGEST:g}: 300+3, 60/3x10 or move=5")
        return cls(control)

    def start(self, player: int) -> None:
        """Let the time of a player run."""
        self._running, self._since = player, self._now()

    def press(self, following: int) -> None:
        """End a ply; the turn ends with it unless the same player follows."""
        self._count(ends_turn=following != self._running)
        self.start(following)

    def stop(self) -> None:
        """Stop both."""
        self._count(ends_turn=False)
        self._running = None

    def _count(self, *, ends_turn: bool) -> None:
        if self._running is not None:
            seconds = self._now() - self._since
            self._clock = self._clock.after(self._running, seconds, ends_turn=ends_turn)

    @property
    def now(self) -> Clock:
        """What is left at this moment."""
        if self._running is None:
            return self._clock
        return self._clock.after(self._running, self._now() - self._since, ends_turn=False)

    def left(self, player: int) -> float:
        """Return the seconds after which a player has run out of time."""
        now = self.now
        if player != self._running:
            now = replace(now, spent=0.0)  # that is the time of the player to move
        return 0.0 if now.fallen == player else max(0.0, now.available(player))

    def for_thinking(self, state: State) -> float:
        """Return how long a machine to move may think."""
        now = self.now
        return math.inf if now.fallen is not None else thinking_seconds(now, state) or math.inf

    def as_json(self) -> dict[str, Any]:
        """Return what the page shows."""
        now = self.now
        return {
            "control": str(now.control),
            "left": [round(self.left(n), 2) for n in (0, 1)],
            "byo_yomi": now.byo_yomi,
            "running": self._running,
        }
