"""Which matches a learning process plays: their numbers, their seeds, and when they may begin."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np

from athenan._core import Game
from athenan.learning.clock import Clock
from athenan.learning.counters import Counters
from athenan.learning.settings import Config
from athenan.selfplay.openings import random_opening
from athenan.selfplay.source import Source

MATCHES, PRETRAINING, OPENINGS = 2, 3, 4  # what seeds are for


class Schedule:
    """Begins matches. What a match is depends on the seed of the process and on its number."""

    def __init__(self, config: Config, game: Game, clock: Clock) -> None:
        self._config = config
        self._game = game
        self._clock = clock
        self._again: deque[int] = deque()

    def begin_again(self, unfinished: Iterable[int]) -> None:
        """Begin with the matches that an earlier session did not finish."""
        self._again = deque(sorted(unfinished))

    def progress(self, started: int) -> float:
        """Return t / t_max after so many matches; 0 for a process without an end."""
        matches = self._config.stop.matches
        return min(1.0, max(started / matches if matches else 0.0, self._clock.progress))

    def begin(self, count: int, source: Source, counters: Counters) -> int:
        """Give a source so many matches, or as many as may begin by now; return their number."""
        limit = self._limit(counters.matches)
        for begun in range(count):
            if limit is not None and counters.started - len(self._again) >= limit:
                return begun
            self._add_next(source, counters)
        return max(0, count)

    def _add_next(self, source: Source, counters: Counters) -> None:
        if self._again:
            index = self._again.popleft()
        else:
            index = counters.started
            counters.started += 1
            counters.unfinished.append(index)
        max_moves = self._config.selfplay.random_moves
        opening = random_opening(self._game, max_moves, self._seed(OPENINGS, index))
        source.add(index, self._seed(MATCHES, index), self.progress(index + 1), opening)

    def _limit(self, matches: int) -> int | None:
        """Return the number of matches that may have been started by now.

        A deterministic process comes to rest at each checkpoint, so that it can be resumed bit for
        bit.
        """
        stop = self._config.stop.matches or None
        every = self._config.checkpoints.every_matches
        if not (self._config.hardware.deterministic and every):
            return stop
        rest = (matches // every + 1) * every
        return rest if stop is None else min(stop, rest)

    def pretraining_seed(self, learned: int) -> int:
        """Return the seed of the final states that follow so many."""
        return int(self._sequence(PRETRAINING, learned).generate_state(1)[0])

    def _seed(self, purpose: int, number: int) -> int:
        """Return a number that only this purpose of this process gets."""
        return int(self._sequence(purpose, number).generate_state(1, np.uint64)[0])

    def _sequence(self, purpose: int, number: int) -> np.random.SeedSequence:
        return np.random.SeedSequence([self._config.seed, purpose, number])
