"""A model of workers and one learner, and workers that sleep instead of playing.

Their orders, answers and waiting are real. A worker ends a match every PLAYING seconds, and
learning from one takes LEARNING seconds of sleep, so that the clock counts even where cores are few
or busy. `cluster.py wait` compares the model with them, up to where the learner is the limit.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from athenan import Stop
from athenan._core import MatchRecord
from athenan.cluster import Cluster, ClusterSource, connected
from athenan.cluster.shares import Share
from athenan.cluster.worker import SelfPlayWorker
from athenan.learning import complete_config, merged, preset
from athenan.learning.concurrency import Plan
from athenan.networks import build_network
from athenan.networks.network import Network
from athenan.selfplay.source import Source
from athenan.selfplay.work import Work

PLAYING, LEARNING = 1.0, 0.4  # seconds of a match: one learner carries 2.5 workers
SLOTS = 8  # matches at a time of a worker
LONGEST = 0.05  # seconds of a sleep


class Asleep(Source):
    """Ends a match every PLAYING seconds; it is played in a moment, when it ends."""

    def __init__(self, inner: Source) -> None:
        self._inner = inner
        self._queue: deque[tuple[int, int, float, Sequence[int]]] = deque()
        self._next = 0.0

    @property
    def work(self) -> Work:
        return self._inner.work

    @property
    def at_rest(self) -> bool:
        return not self._queue

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        if not self._queue:
            self._next = max(self._next, time.monotonic()) + PLAYING
        self._queue.append((index, seed, progress, opening))

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        left = self._next - time.monotonic()
        if left > 0:
            time.sleep(min(left, LONGEST))
            return []
        self._inner.add(*self._queue.popleft())
        records: list[MatchRecord] = []
        while not records:
            records = self._inner.step(stop)
        self._next += PLAYING if self._queue else 0.0
        return records

    def take_weights(self, *networks: Network) -> None:
        self._inner.take_weights(*networks)

    def close(self) -> None:
        self._inner.close()


class SleepingWorker(SelfPlayWorker):
    def _source_of(self, stage: int) -> Source:
        return Asleep(super()._source_of(stage))


class SleepingCluster(Cluster):
    """Its self-play workers sleep."""

    def actor(self, kind: type, share: Share, **options: Any) -> Any:
        given = SleepingWorker if kind is SelfPlayWorker else kind
        return super().actor(given, share, **options)


def matches_per_second(cluster: Cluster, workers: int, matches: int) -> float:
    """Let so many workers and one learner sleep for so many matches."""
    changes = {
        "game": "tic_tac_toe",
        "network": {"filters": 8, "blocks": 1, "margin": "same", "dense": [8]},
        "selfplay": {"search": "descent:expansions=1", "matches": SLOTS * workers},
        "hardware": {"device": "cpu", "threads": 1, "backend": "torch", "precision": "float32"},
    }
    config = complete_config(merged(preset("small"), changes))
    plan = Plan.of(config)
    source = ClusterSource(SleepingCluster(cluster.ray), config, plan, workers)
    try:
        source.prepare(Stop())
        source.take_weights(build_network(config.network, plan.game, 1))
        started = time.monotonic()
        for index in range(SLOTS * workers):
            source.add(index, index, 0.0)
        ended, learner = 0, started
        while ended < matches:
            for _ in source.step():
                learner = max(learner, time.monotonic()) + LEARNING
                time.sleep(max(0.0, learner - time.monotonic()))
                source.add(SLOTS * workers + ended, ended, 0.0)
                ended += 1
        return ended / (time.monotonic() - started)
    finally:
        source.close()


def simulated(workers: int, playing: float, learning: float, slots: int, matches: int) -> float:
    """Return the matches per second of workers with so many slots each, and one learner.

    A worker ends a match every `playing` seconds while its slots are busy, a slot begins the next
    one when its last was learned, and the learner takes them in the order in which they ended.
    """
    ended = [(playing * (slot + 1), worker) for worker in range(workers) for slot in range(slots)]
    heapq.heapify(ended)
    last = [playing * slots] * workers
    learner = 0.0
    for _ in range(matches):
        time_of_end, worker = heapq.heappop(ended)
        learner = max(learner, time_of_end) + learning
        last[worker] = max(last[worker], learner) + playing
        heapq.heappush(ended, (last[worker], worker))
    return matches / learner


def wait() -> None:
    """Compare the simulation with workers and a learner that sleep, by the clock."""
    print("model against workers that sleep, by the clock:")
    with connected(processes=4) as cluster:
        for workers in (1, 2, 4):
            matches = 32 * min(workers, 2)
            real = matches_per_second(cluster, workers, matches)
            model = simulated(workers, PLAYING, LEARNING, SLOTS, matches)
            ratio = model / real
            print(f"  {workers} workers: {real:.2f} matches/s, model {model:.2f} ({ratio:.2f})")
