"""How many matches at a time while a process runs: few at first, and no more than learning follows.

Matches begun together are played with the same weights. Thousands of them make a GPU fastest; but
where learning takes longer than playing, they would all be old by the time they are learned.
"""

from __future__ import annotations

BUSY = 0.9  # part of the time from which on learning is what the process waits for
IDLE = 0.6  # part of the time that self-play may wait for learning


class Pace:
    """The number of matches at a time, judged anew after each generation.

    A generation is as many learned matches as are played at a time. While learning has time to
    spare the number doubles, up to `most`; while self-play waits most of the time, it halves, down
    to `few`.
    """

    def __init__(self, first: int, few: int, most: int) -> None:
        self.matches = min(first, most)
        self._few = min(few, most)
        self._most = most
        self.begin(0.0, 0.0, 0.0)

    def begin(self, seconds: float, worked: float, waited: float) -> None:
        """Begin a generation now, by the clocks of `learned`."""
        self._learned = 0
        self._before = (seconds, worked, waited)

    def learned(self, seconds: float, worked: float, waited: float) -> None:
        """Hear of one more match, and of three clocks: the training's, that of learning at work,
        and that of self-play waiting for it.
        """
        self._learned += 1
        if self._learned < self.matches:
            return
        now = (seconds, worked, waited)
        elapsed, busy, idle = (new - old for new, old in zip(now, self._before, strict=True))
        if idle > IDLE * elapsed:
            self.matches = max(self._few, self.matches // 2)
        elif busy < BUSY * elapsed:
            self.matches = min(self._most, 2 * self.matches)
        self.begin(*now)
