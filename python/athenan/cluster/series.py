"""Series of matches on a cluster: in parts, as tasks of Ray or by the workers of a training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any

from athenan._core import Stop
from athenan.arena.series import Played, PlaySeries, SeriesSpec
from athenan.cluster.connection import Cluster
from athenan.cluster.crew import Crew, Worker
from athenan.cluster.parts import Part, parts_of, play_part
from athenan.cluster.pieces import Hands, Tasks, Work, results

REST = 3.0  # seconds that a worker which died has to come back


def play_as_tasks(cluster: Cluster, threads: int = 0) -> PlaySeries:
    """Return who plays series as tasks of so many threads; 0 for a group of cores, or a GPU."""
    share = cluster.share(threads, on_cpu=False, workers=0)

    def play(series: Iterable[SeriesSpec], stop: Stop | None = None) -> Played:
        tasks, places = Tasks(cluster, play_part, share), cluster.room(share)
        return _matches(cluster, tasks, parts_of(cluster, series, places, share.cpus), stop)

    return play


def play_by_workers(
    cluster: Cluster, crew: Crew, threads: int, prepare: Callable[[Stop], None]
) -> PlaySeries:
    """Return who plays series by the workers of a training, which play nothing else meanwhile."""

    def play(series: Iterable[SeriesSpec], stop: Stop | None = None) -> Played:
        if not crew.ready:
            prepare(stop or Stop())
        parts = parts_of(cluster, series, len(crew.ready), threads)
        return _matches(cluster, _Workers(cluster, crew), parts, stop)

    return play


class _Workers(Hands):
    """The workers of a training, one part at a time for each."""

    def __init__(self, cluster: Cluster, crew: Crew) -> None:
        self._cluster = cluster
        self._crew = crew
        self._busy: dict[Any, Worker] = {}
        self._away: dict[str, float] = {}
        """Until when those are left alone that were lost."""

    def begin(self, work: Work) -> Any | None:
        """Let a worker that has no part play one; it ends its order first."""
        busy, now = [worker.name for worker in self._busy.values()], monotonic()
        for worker in self._crew.ready:
            if worker.name not in busy and now >= self._away.get(worker.name, 0.0):
                reference = worker.actor.play_part.remote(*work.arguments)
                self._busy[reference] = worker
                return reference
        return None

    def ended(self, reference: Any, *, lost: bool) -> None:
        """Take the worker back; one that died begins another life."""
        worker = self._busy.pop(reference)
        if lost:
            self._away[worker.name] = monotonic() + REST

    def give_up(self, reference: Any) -> None:
        """Take a part back that has not begun; one that has ends in its own time."""
        with suppress(Exception):
            self._cluster.ray.cancel(reference)


def _matches(cluster: Cluster, hands: Hands, parts: Iterator[Part], stop: Stop | None) -> Played:
    for part, found in results(cluster, hands, parts, stop):
        for match in found:
            yield part.number, match
