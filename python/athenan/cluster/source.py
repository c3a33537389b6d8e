"""A source of matches whose workers play on Ray.

It hands out matches by their numbers and seeds, and hands over each record once: a match that was
lost with its worker is handed out anew, and a second record of it is recognised by its number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heapreplace
from time import monotonic
from typing import Any

from athenan._core import Error, Game, MatchRecord, ResolvedMemory, Stop, Stopped
from athenan.cluster.connection import Cluster
from athenan.cluster.crew import CALLS, Crew, Worker
from athenan.cluster.messages import Order, Setup, Task, unpacked, weights_of
from athenan.cluster.proven import ProvenStates
from athenan.cluster.series import play_by_workers
from athenan.cluster.shares import Share
from athenan.games.words import counted
from athenan.learning.concurrency import Plan
from athenan.learning.phases import MAX_AGE, SHARE
from athenan.learning.settings import Config
from athenan.networks.network import Network
from athenan.programs import programs_with
from athenan.selfplay.source import Source, WorkerState
from athenan.selfplay.work import Work

WAIT = 0.2  # seconds until it is looked whether to stop; an answer ends it
ANSWERS = 500  # a second that the learner has time for
SECONDS = 1.0  # of an order, unless there are so many workers that it must be longer; each order
# costs some milliseconds of both sides, more where other programs have the caches
LOOK = 0.5  # seconds between two looks at how the workers fare
PROMPT = 60.0  # seconds that the first worker waits for the others at the start


@dataclass(frozen=True)
class _Weights:
    version: int
    reference: Any
    handed: int
    """How many matches had been handed over when they were made."""


class ClusterSource(Source):
    """Plays matches on the workers of a cluster."""

    is_elsewhere = True

    def __init__(self, cluster: Cluster, config: Config, plan: Plan, workers: int = 0) -> None:
        refuse_unless_fit(config)
        on_cpu = config.hardware.device == "cpu" or not cluster.has_gpus
        share = cluster.share(config.hardware.threads, on_cpu, workers)
        count = workers or cluster.room(share)
        if not cluster.grows:
            _refuse_unless_roomy(cluster.room(share), count, share)
        given = config.selfplay.matches
        hardware = config.hardware.model_copy(
            update={"threads": share.cpus, "device": "cpu" if on_cpu else "cuda"}
        )
        own = config.model_copy(update={"hardware": hardware})
        programs = programs_with(config.game_sha256, config.network.code_sha256)
        setup = Setup(own, programs, -(-given // count) if given else 0)
        self.dashboard = cluster.dashboard
        self.shortage = _shortage(cluster.room_now(share), count) if cluster.grows else ""
        """Why not all workers can begin now; empty if they can."""
        self._cluster = cluster
        self._game: Game = plan.game
        self._given = given
        self.crew = Crew(cluster, setup, share, workers)
        self.play_series = play_by_workers(cluster, self.crew, share.cpus, self.prepare)
        """Plays evaluation matches, while no others are wanted."""
        self._to_the_letter = given == 1
        self._waiting: deque[Task] = deque()
        self._under_way: set[int] = set()
        self._ended: deque[MatchRecord] = deque()
        self._weights: _Weights | None = None
        self._proven = ProvenStates()
        self._states: tuple[WorkerState, ...] = ()
        self._look_again = 0.0
        self._handed = 0
        self._work = Work()
        self._stage = 0
        self.duplicates = 0
        """Records of matches that had ended before."""
        self.handed_out_again = 0
        self.bytes_received = 0

    # What the learning process asks.

    @property
    def work(self) -> Work:
        """What was done so far, as far as it was told: unfinished matches included."""
        return self._work

    @property
    def at_rest(self) -> bool:
        """Whether every match added so far has ended and was handed over."""
        return not self._under_way and not self._ended

    @property
    def cpu_seconds(self) -> float:
        """The processor time of all workers, so far."""
        return sum(worker.cpu_seconds for worker in self.crew.workers)

    @property
    def suits(self) -> tuple[int, int] | None:
        """How many matches at a time suit the workers: to begin with, and at most."""
        if self._given or not (ready := self.crew.ready):
            return None
        firsts = sum(worker.ready.first for worker in ready if worker.ready is not None)
        return firsts, sum(worker.slots for worker in ready)

    @property
    def workers(self) -> tuple[WorkerState, ...]:
        """How each worker fares, as of a moment ago: they may be a thousand."""
        if monotonic() >= self._look_again:
            self._look_again = monotonic() + LOOK
            self._states = self.crew.states(self._handed)
        return self._states

    def prepare(self, stop: Stop) -> None:
        """Wait for the workers: for the first as long as it takes, for the others a while."""
        since = None
        while not self.crew.is_complete:
            if stop.requested:
                raise Stopped
            self._listen()
            if self.crew.ready:
                since = since or monotonic()
                if monotonic() - since > PROMPT:
                    return

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        """Queue a match."""
        self._waiting.append(Task(index, seed, progress, tuple(opening)))
        self._under_way.add(index)

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        """Send orders, take answers, and return the matches that ended."""
        if stop is not None and stop.requested:
            return []
        self._send()
        self._listen()
        if self._is_too_stale:
            return []
        ended, self._ended = list(self._ended), deque()
        self._handed += len(ended)
        return ended

    def take_stage(self, matches: int) -> None:
        """Let the workers play on as the stage after so many matches wants it."""
        self._stage = matches

    def take_weights(self, *networks: Network) -> None:
        """Offer new weights to the workers; any thread may call it."""
        version = self._weights.version + 1 if self._weights else 1
        reference = self._cluster.ray.put(tuple(map(weights_of, networks)))
        self._weights = _Weights(version, reference, self._handed)

    def take_resolved(self, memory: ResolvedMemory) -> None:
        """Let all workers know what was proven, and forget what is no longer there."""
        self._proven.begin(memory)
        for worker in self.crew.workers:
            worker.told = 0

    def rest(self) -> None:
        """Wait for the answers to all orders; the next step hands over what they bring."""
        while any(worker.calls for worker in self.crew.ready):
            self._listen()

    def close(self) -> None:
        """Give up all matches, and dismiss the workers."""
        self.crew.close()

    # Orders.

    def _send(self) -> None:
        """Give every worker its next order, if it has room for one."""
        seconds = max(SECONDS, len(self.crew.ready) / ANSWERS)
        for worker, tasks in self._dealt():
            if tasks:
                self._order(worker, tasks, seconds)
            while worker.tasks and len(worker.calls) < CALLS:
                self._order(worker, [], seconds)

    def _dealt(self) -> list[tuple[Worker, list[Task]]]:
        """Return who may have an order, with its new matches: first for those that play least.

        Nobody gets more than its part of all matches: others may have an order soon.
        """
        slots = sum(worker.slots for worker in self.crew.ready)
        free = [worker for worker in self.crew.ready if len(worker.calls) < CALLS]
        dealt: list[list[Task]] = [[] for _ in free]
        least = [(len(worker.tasks) / worker.slots, number) for number, worker in enumerate(free)]
        heapify(least)
        while self._waiting and least:
            _, number = least[0]
            worker, new = free[number], dealt[number]
            playing = len(worker.tasks) + len(new)
            part = -(-len(self._under_way) * worker.slots // slots)
            if playing >= min(part, worker.slots):
                heappop(least)
            else:
                new.append(self._waiting.popleft())
                heapreplace(least, ((playing + 1) / worker.slots, number))
        return list(zip(free, dealt, strict=True))

    def _order(self, worker: Worker, tasks: list[Task], seconds: float) -> None:
        order = Order(worker.life, seconds, tuple(tasks), self._stage)
        weights = self._weights
        if weights is not None and self._is_due(worker, weights):
            order = replace(order, version=weights.version)
            worker.version, worker.handed_at = weights.version, weights.handed
        forget, proven, worker.told = self._proven.news(worker.told)
        order = replace(order, forget=forget, proven=proven)
        reference = weights.reference if weights is not None and order.version else None
        worker.tasks |= {task.index: task for task in tasks}
        worker.heard = worker.heard if worker.calls else monotonic()
        worker.calls.append(worker.actor.play.remote(order, reference))

    def _is_due(self, worker: Worker, weights: _Weights) -> bool:
        """Whether a worker should take the latest weights: they cost it time, but not for long."""
        if worker.version == weights.version:
            return False
        if self._to_the_letter or not worker.version or monotonic() >= worker.weights_due:
            return True
        return weights.handed - worker.handed_at >= MAX_AGE * len(self._under_way)

    @property
    def _is_too_stale(self) -> bool:
        """Whether a worker plays with weights older than a generation of matches.

        Nothing is learned until it has newer ones.
        """
        if self._weights is None:
            return False
        oldest = min((each.handed_at for each in self.crew.ready if each.tasks), default=None)
        bound = max(len(self._under_way), CALLS * len(self.crew.workers))
        return oldest is not None and self._weights.handed - oldest > bound

    # Answers.

    def _listen(self) -> None:
        self.crew.look_around()
        for worker, answer in self.crew.heard(WAIT):
            if not answer.life:
                self._hand_out_again(worker)
                continue
            self._work += answer.work
            if answer.weights_seconds:
                worker.weights_due = monotonic() + answer.weights_seconds / SHARE
            for data in answer.records:
                self._take(worker, data)

    def _take(self, worker: Worker, data: bytes) -> None:
        record = unpacked(self._game, data)
        self.bytes_received += len(data)
        worker.tasks.pop(record.index, None)
        if record.index not in self._under_way:
            self.duplicates += 1
            return
        self._under_way.discard(record.index)
        self._proven.add(record)
        self._proven.trim(each.told for each in self.crew.ready if each.tasks)
        self._ended.append(record)

    def _hand_out_again(self, worker: Worker) -> None:
        """Queue what was lost with the life of a worker, before what has not begun."""
        lost = [task for index, task in worker.tasks.items() if index in self._under_way]
        worker.tasks.clear()
        self.handed_out_again += len(lost)
        self._waiting.extendleft(reversed(lost))


def _shortage(room: int, workers: int) -> str:
    """Return what is to be said where workers have to wait for a place; empty if none has."""
    if room >= workers:
        return ""
    return (
        f"the cluster has room for {room} of {counted(workers, 'worker')} now: the others begin "
        "when machines join, or are left by other work"
    )


def _refuse_unless_roomy(room: int, workers: int, share: Share) -> None:
    """Refuse workers that nobody will ever have room for."""
    if room < workers:
        raise Error(
            f"{workers} workers of {share.cpus} threads each need {workers * share.cpus} cores: "
            f"this machine has room for {room}"
        )


def refuse_unless_fit(config: Config) -> None:
    """Refuse settings that only hold within one process."""
    if config.hardware.deterministic:
        raise Error(
            "a deterministic training plays on one machine: which match ends first on a cluster "
            "depends on its machines"
        )
