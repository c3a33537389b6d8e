"""How far a learning process has come, and which matches follow.

Matches have numbers, from which come their seeds; limits of matches and of time end the process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from threading import Event, Thread, Timer
from time import monotonic, process_time
from typing import Annotated

import numpy as np
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from athenan._core import Game, MatchRecord, Stop
from athenan.learning.settings import Config
from athenan.selfplay.openings import random_opening
from athenan.selfplay.source import Source

CPU_LOOK = 0.1  # seconds between two looks at the processor time
MATCHES, PRETRAINING, OPENINGS = 2, 3, 4  # what seeds are for
Count = Annotated[int, Field(ge=0, lt=1 << 63)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Reading = tuple[float, float]
"""Seconds of the clock on the wall, and of the processor."""


@dataclass(config=ConfigDict(extra="forbid"))
class Counters:
    """What has been done so far: part of a checkpoint, and checked when it is read."""

    pretrained: Count = 0
    started: Count = 0
    matches: Count = 0
    generated: Count = 0
    learned: Count = 0
    expansions: Count = 0
    evaluations: Count = 0
    seconds: Seconds = 0.0
    cpu_seconds: Seconds = 0.0
    forgotten_at_seconds: Seconds = 0.0
    forgotten_at_matches: Count = 0
    unfinished: list[Count] = field(default_factory=list)
    """Matches in progress: a resumed run begins them anew."""

    def count(self, record: MatchRecord, generated: int, learned: int) -> None:
        """Count a match that was learned."""
        self.unfinished.remove(record.index)
        self.matches += 1
        self.generated += generated
        self.learned += learned
        self.expansions += sum(each.expansions for each in record.spent)
        self.evaluations += sum(each.evaluations for each in record.spent)


class Clock:
    """Counts the seconds of training, and asks it to stop when its time is over.

    It stands while the process does something else. Beside the time of the clock on the wall it
    counts that of the processor: what all threads of the process worked, and others for it.
    """

    def __init__(
        self,
        stop: Stop,
        limit: float = 0.0,
        elsewhere: Callable[[], float] = lambda: 0.0,
        cpu_limit: float = 0.0,
    ) -> None:
        self._stop = stop
        self._elsewhere = elsewhere
        """The processor time of other processes that work for this one."""
        self._limit = limit
        """Seconds; 0 for none."""
        self._cpu_limit = cpu_limit
        """Likewise of the processor."""
        self._counted: tuple[Reading, Reading | None] = (0.0, 0.0), None
        """What was counted until it was halted last, and since when it runs again. One value, for
        it is read by other threads meanwhile."""
        self._alarm: Timer | None = None
        self._halted = Event()

    def seconds(self) -> float:
        """Return the time so far, that of earlier sessions included."""
        return self._passed()[0]

    def cpu_seconds(self) -> float:
        """Return the processor time so far, that of earlier sessions included."""
        return self._passed()[1]

    def set(self, seconds: float, cpu_seconds: float) -> None:
        """Go on from the time of an earlier session."""
        self._counted = (seconds, cpu_seconds), self._counted[1]

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
        was_running = self._counted[1] is not None
        self._halt()
        try:
            yield
        finally:
            if was_running:
                self._start()

    def _passed(self) -> Reading:
        (wall, cpu), since = self._counted
        if since is None:
            return wall, cpu
        now = self._now()
        return wall + now[0] - since[0], cpu + now[1] - since[1]

    def _now(self) -> Reading:
        return monotonic(), process_time() + self._elsewhere()

    def _start(self) -> None:
        before = self._counted[0]
        self._counted = before, self._now()
        if self._limit:
            self._alarm = Timer(max(0.0, self._limit - before[0]), self._stop.request)
            self._alarm.start()
        if self._cpu_limit:
            self._halted = Event()
            Thread(target=self._watch, args=(self._halted,), daemon=True).start()

    def _watch(self, halted: Event) -> None:
        """Ask to stop when the processor time is spent: no clock rings then."""
        while not halted.wait(CPU_LOOK):
            if self.cpu_seconds() >= self._cpu_limit:
                self._stop.request()
                return

    def _halt(self) -> None:
        self._counted = self._passed(), None
        self._halted.set()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


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

    def progress(self, matches: int, counters: Counters) -> float:
        """Return t / t_max after a number of matches; 0 for a process without an end."""
        limit = self._config.stop.matches
        part = matches / limit if limit else 0.0
        return min(1.0, max(part, self._clock.progress, self._spent(counters)))

    def is_over(self, counters: Counters) -> bool:
        """Whether expansions, evaluations or processor time of the whole process are spent."""
        return self._spent(counters) >= 1

    def _spent(self, counters: Counters) -> float:
        """Return the part of expansions, evaluations or processor time that is spent."""
        stop = self._config.stop
        expansions = counters.expansions / stop.expansions if stop.expansions else 0.0
        evaluations = counters.evaluations / stop.evaluations if stop.evaluations else 0.0
        cpu = self._clock.cpu_seconds() / (60 * stop.cpu_minutes) if stop.cpu_minutes else 0.0
        return max(expansions, evaluations, cpu)

    def begin(self, count: int, source: Source, counters: Counters) -> int:
        """Give a source this many matches, or as many as may begin now; return their number."""
        limit = 0 if self.is_over(counters) else self._limit(counters.matches)
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
        source.add(index, self._seed(MATCHES, index), self.progress(index + 1, counters), opening)

    def _limit(self, matches: int) -> int | None:
        """Return the number of matches that may have been started by now.

        A process comes to rest at the end of a stage, and a deterministic one at each checkpoint,
        so that it can be resumed bit for bit.
        """
        config = self._config
        limits = [config.stop.matches or None, config.stage_end(matches)]
        every = config.checkpoints.every_matches
        if config.hardware.deterministic and every:
            limits.append((matches // every + 1) * every)
        return min((limit for limit in limits if limit is not None), default=None)

    def forgets(self, counters: Counters, known: int) -> bool:
        """Whether it is time to forget the resolved states; the next period begins then.

        `known` is how many there are.
        """
        selfplay, seconds = self._config.selfplay, self._clock.seconds()
        hours = (seconds - counters.forgotten_at_seconds) / 3600
        matches = counters.matches - counters.forgotten_at_matches
        over = 0 < selfplay.forget_hours <= hours or 0 < selfplay.forget_matches <= matches
        if not over and known < selfplay.forget_states:
            return False
        counters.forgotten_at_seconds = seconds
        counters.forgotten_at_matches = counters.matches
        return True

    def pretraining_seed(self, learned: int) -> int:
        """Return the seed of the next final states after a number of them."""
        return int(self._sequence(PRETRAINING, learned).generate_state(1)[0])

    def _seed(self, purpose: int, number: int) -> int:
        """Return a number that only this purpose of this process gets."""
        return int(self._sequence(purpose, number).generate_state(1, np.uint64)[0])

    def _sequence(self, purpose: int, number: int) -> np.random.SeedSequence:
        return np.random.SeedSequence([self._config.seed, purpose, number])
