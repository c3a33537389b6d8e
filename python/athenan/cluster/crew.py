"""The crew: self-play workers that join, die, come back, and what each of them is doing.

Ray begins another life of a worker that was killed, on another machine if need be; here is noticed
that a life has ended, and what was lost with it. Machines that join a cluster get workers of their
own.
"""

from __future__ import annotations

import pickle
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from athenan._core import Error
from athenan.cluster.connection import Cluster
from athenan.cluster.messages import Answer, Ready, Setup, Task
from athenan.cluster.reasons import own_version, raised, reason
from athenan.cluster.shares import Share
from athenan.cluster.worker import SelfPlayWorker
from athenan.selfplay.source import WorkerState
from athenan.selfplay.work import Work

CALLS = 2  # under way to each worker: it has the next order before it has answered the last
LOOKS = 5.0  # seconds between two looks whether machines have joined
PAUSE = 0.3  # seconds before a worker that could not be reached is called again
PATIENCE = 900.0  # seconds without an answer after which a worker is killed: it hangs
LIVES = 5  # of a worker, in a row, that came to nothing: another one will not help


@dataclass
class Worker:
    """One of the crew, as the learner knows it."""

    name: str
    actor: Any
    life: str = ""
    """Empty until it is ready."""
    ready: Ready | None = None
    calls: deque[Any] = field(default_factory=deque)
    """References to the answers under way, oldest first."""
    tasks: dict[int, Task] = field(default_factory=dict)
    """What it is playing."""
    version: int = 0
    """Of the weights that were sent to it last."""
    handed_at: int = 0
    """How many matches had been learned from when these were made."""
    weights_due: float = 0.0
    told: int = 0
    """How many of the resolved states' parts it was told."""
    stillborn: int = 0
    """Lives in a row that ended before it was ready."""
    lost: int = 0
    """Lives, in all."""
    work: Work = field(default_factory=Work)
    heard: float = field(default_factory=monotonic)
    call_again: float = 0.0
    cpu_seconds: float = 0.0
    """Of the processor, in all its lives."""

    @property
    def slots(self) -> int:
        """How many matches it can play at a time."""
        return self.ready.slots if self.ready is not None and self.life else 0


class Crew:
    """All workers."""

    def __init__(self, cluster: Cluster, setup: Setup, share: Share, given: int) -> None:
        self._cluster = cluster
        self._packed_setup = pickle.dumps(setup)  # another version may not be able to read it
        self._share = share
        self._given = given
        """How many workers the user wants; 0: as many as there is room for."""
        self._next_look = 0.0
        self._fruitless: Counter[str] = Counter()
        """Lives of each worker that have ended since a match did, whoever played it."""
        self.workers: list[Worker] = []
        self.losses = 0

    @property
    def ready(self) -> list[Worker]:
        """Those that can play."""
        return [worker for worker in self.workers if worker.life]

    @property
    def is_complete(self) -> bool:
        """Whether all that are wanted by now are ready."""
        return bool(self.workers) and all(worker.life for worker in self.workers)

    def look_around(self) -> None:
        """Hire for machines that have joined, and call those again that could not be reached."""
        now = monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOKS
            wanted = self._given or self._cluster.room(self._share)
            while len(self.workers) < wanted:
                self._hire()
            for worker in self.workers:
                if worker.life and now - worker.heard > PATIENCE and self._is_silent(worker):
                    self._cluster.ray.kill(worker.actor, no_restart=False)
        for worker in self.workers:
            if not worker.calls and not worker.life and now >= worker.call_again:
                self._call_to_begin(worker)

    def _is_silent(self, worker: Worker) -> bool:
        """Whether a worker owes an answer: one may lie there that nobody had time to take."""
        calls = list(worker.calls)[:1]
        return bool(calls) and not self._cluster.ray.wait(calls, num_returns=1, timeout=0)[0]

    def _hire(self) -> None:
        name = f"worker {len(self.workers) + 1}"
        actor = self._cluster.actor(SelfPlayWorker, self._share).remote()
        self.workers.append(Worker(name, actor))

    def _call_to_begin(self, worker: Worker) -> None:
        worker.calls.append(worker.actor.begin.remote(own_version(), self._packed_setup))

    def heard(self, timeout: float) -> Iterator[tuple[Worker, Answer]]:
        """Yield what workers have answered; wait for the first answer, but not for long.

        An answer without a life is that of a worker whose life has ended.
        """
        by_call = {worker.calls[0]: worker for worker in self.workers if worker.calls}
        if not by_call:
            return
        calls = list(by_call)
        done, rest = self._cluster.ray.wait(calls, num_returns=1, timeout=timeout)
        if done and rest:
            done += self._cluster.ray.wait(rest, num_returns=len(rest), timeout=0)[0]
        for call in done:
            worker = by_call[call]
            worker.calls.popleft()
            answer = self._answer(worker, call)
            if answer is not None:
                yield worker, answer

    def _answer(self, worker: Worker, call: Any) -> Answer | None:
        try:
            said: Ready | Answer = self._cluster.ray.get(call)
        except self._cluster.ray.exceptions.RayError as problem:
            if self._cluster.is_raised(problem):
                raise Error(f"{worker.name} failed: {raised(problem.cause)}") from None
            return self._ended(worker, problem)
        worker.heard = monotonic()
        if isinstance(said, Ready):
            worker.ready, worker.life, worker.stillborn = said, said.life, 0
            worker.version = worker.told = 0
            return None
        if said.life != worker.life:
            return self._ended(worker, None)
        if said.records:
            self._fruitless.clear()
        worker.work += said.work
        worker.cpu_seconds += said.cpu_seconds
        return said

    def _ended(self, worker: Worker, problem: Exception | None) -> Answer | None:
        """Note that a life has ended, once; what was under way in it is lost."""
        lived = bool(worker.life)
        worker.calls.clear()
        worker.life = ""
        worker.call_again = monotonic() + PAUSE
        if not lived:
            coming = isinstance(problem, self._cluster.ray.exceptions.ActorUnavailableError)
            worker.stillborn += not coming
            if worker.stillborn >= LIVES:
                raise Error(f"{worker.name} dies whenever it begins: {reason(problem)}")
            return None
        self._fruitless[worker.name] += 1
        if self._fruitless[worker.name] >= LIVES:
            raise Error(f"{worker.name} dies whenever it plays: {reason(problem)}")
        worker.lost += 1
        self.losses += 1
        return Answer(life="")

    def states(self, handed: int) -> tuple[WorkerState, ...]:
        """Return how each worker fares, when so many matches have been handed over."""
        return tuple(
            WorkerState(
                name=worker.name,
                place=f"{worker.ready.node} {worker.ready.device}" if worker.ready else "",
                alive=bool(worker.life),
                evaluations=worker.work.evaluations,
                staleness=handed - worker.handed_at if worker.life and worker.tasks else 0,
                playing=len(worker.tasks),
                calls=len(worker.calls),
                lost=worker.lost,
            )
            for worker in self.workers
        )

    def close(self) -> None:
        """Dismiss all workers."""
        for worker in self.workers:
            self._cluster.ray.kill(worker.actor)
        self.workers = []
