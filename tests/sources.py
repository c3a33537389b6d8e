"""Sources of matches for tests: one that is watched, one in another thread, one that replays."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from athenan._core import MatchRecord, ResolvedMemory, Stop
from athenan.selfplay.source import Source, WorkerState
from athenan.selfplay.work import Work


class Watched(Source):
    """Another source, and notes of what it is told and what it gives."""

    def __init__(self, inner: Source, weights_cost: float = 0.0) -> None:
        self.inner = inner
        self.weights_cost = weights_cost
        self.added: list[tuple[int, float, list[int]]] = []
        self.ended: list[MatchRecord] = []
        self.weights_taken_after: list[int] = []
        self.matches_learned: Callable[[], int] = lambda: 0

    @property
    def work(self) -> Work:
        return self.inner.work

    @property
    def at_rest(self) -> bool:
        return self.inner.at_rest

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        self.added.append((index, progress, list(opening)))
        self.inner.add(index, seed, progress, opening)

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        records = self.inner.step(stop)
        self.ended += records
        return records

    def take_weights(self, *networks: Any) -> None:
        time.sleep(self.weights_cost)
        self.inner.take_weights(*networks)
        self.weights_taken_after.append(self.matches_learned())

    @property
    def is_elsewhere(self) -> bool:  # type: ignore[override]
        return self.inner.is_elsewhere

    @property
    def suits(self) -> tuple[int, int] | None:
        return self.inner.suits

    @property
    def cpu_seconds(self) -> float:
        return self.inner.cpu_seconds

    def take_stage(self, matches: int) -> None:
        self.inner.take_stage(matches)

    @property
    def workers(self) -> tuple[WorkerState, ...]:
        return self.inner.workers

    def prepare(self, stop: Stop) -> None:
        self.inner.prepare(stop)

    def take_resolved(self, memory: ResolvedMemory) -> None:
        self.inner.take_resolved(memory)

    def rest(self) -> None:
        self.inner.rest()

    def close(self) -> None:
        self.inner.close()


class Elsewhere(Watched):
    """A source whose steps are made by a thread of its own, as those of another process are."""

    def __init__(self, inner: Source) -> None:
        super().__init__(inner)
        self._thread = ThreadPoolExecutor(1)
        self._step: Future[list[MatchRecord]] | None = None

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        self._step = self._thread.submit(super().step, stop)
        return self._step.result()

    def close(self) -> None:
        super().close()
        self._thread.shutdown()


class Recorded(Source):
    """Matches that were played before: the next record for each match that is asked for."""

    def __init__(self, records: Sequence[MatchRecord]) -> None:
        self.records = {record.index: record for record in records}
        self.waiting: list[int] = []
        self.weights = 0

    @property
    def work(self) -> Work:
        return Work()

    @property
    def at_rest(self) -> bool:
        return not self.waiting

    def add(self, index: int, seed: int, _progress: float, _opening: Sequence[int] = ()) -> None:
        assert self.records[index].seed == seed
        self.waiting.append(index)

    def step(self, _stop: Stop | None = None) -> list[MatchRecord]:
        ended, self.waiting = self.waiting[:1], self.waiting[1:]
        return [self.records[index] for index in ended]

    def take_weights(self, *_networks: Any) -> None:
        self.weights += 1
