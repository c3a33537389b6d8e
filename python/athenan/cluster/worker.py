"""A self-play worker: an actor of Ray that plays matches as one machine does, order by order."""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, process_time
from uuid import uuid4

from athenan._core import MatchRecord, ResolvedMemory
from athenan.arena.record import Match
from athenan.cluster.messages import Answer, Order, Ready, Setup, packed, take_weights
from athenan.cluster.parts import Travelling, play_part
from athenan.cluster.reasons import refuse_another_version
from athenan.files import Arrays
from athenan.learning.concurrency import Plan, best, trials
from athenan.learning.learner import prepare_thread
from athenan.networks import build_network
from athenan.programs import name_programs
from athenan.selfplay.source import Source
from athenan.selfplay.work import Work


class SelfPlayWorker:
    """Lives until it is killed; Ray begins another life of it then, which knows nothing."""

    def __init__(self) -> None:
        self._life = ""
        self._told = Work()

    def begin(self, version: str, packed_setup: bytes) -> Ready:
        """Make everything that matches need; what was under way before is forgotten."""
        refuse_another_version(version)
        setup: Setup = pickle.loads(packed_setup)
        self._life, self._told = uuid4().hex, Work()
        prepare_thread()
        name_programs(setup.programs)
        config = setup.config
        plan = Plan.of(config)
        count = config.selfplay.networks
        self._networks = [
            build_network(config.network, plan.game, config.seed) for _ in range(count)
        ]
        self._evaluators = [plan.evaluator(each, config.hardware) for each in self._networks]
        prepare_thread()  # again: the first session of onnxruntime undoes it
        if not plan.on_cpu:
            for evaluator in self._evaluators:
                evaluator.warm_up()
        slots = setup.slots or best(list(trials(config, plan, self._evaluators[0]))).concurrency
        self._memory = ResolvedMemory() if config.selfplay.resolved_memory else None
        lanes = plan.on_cpu and slots > 1 and self._memory is None
        self._lanes = (
            ThreadPoolExecutor(plan.threads, "self-play", prepare_thread) if lanes else None
        )
        self._config, self._plan, self._slots, self._stage = config, plan, slots, 0
        self._source = self._source_of(0)
        return Ready(
            life=self._life,
            node=socket.gethostname(),
            pid=os.getpid(),
            device=plan.device,
            threads=plan.threads,
            first=min(slots, setup.slots or plan.first_concurrency),
            slots=slots,
        )

    def _source_of(self, stage: int) -> Source:
        """Return self-play as the stage after so many matches wants it."""
        config, plan, slots = self._config.in_stage(stage), self._plan, self._slots
        first, *others = self._evaluators
        for second in others:
            return plan.source_of_two(config, (first, second), slots, self._memory)
        return plan.source(config, first, slots, self._lanes, self._memory)

    def play(self, order: Order, weights: Sequence[Arrays] | None) -> Answer:
        """Play until a match has ended, or for as long as the order says."""
        if order.life != self._life:
            return Answer(self._life)
        started, before = monotonic(), process_time()
        if order.stage != self._stage:
            self._source.close()
            self._source, self._stage, self._told = (
                self._source_of(order.stage),
                order.stage,
                Work(),
            )
        if weights is not None:
            self._take(weights)
        taken = monotonic()
        self._learn_of_others(order)
        for task in order.tasks:
            self._source.add(task.index, task.seed, task.progress, task.opening)
        records = self._played(started + order.seconds)
        work = self._source.work
        since, self._told = work - self._told, work
        return Answer(
            life=self._life,
            records=tuple(map(packed, records)),
            work=since,
            weights_seconds=taken - started if weights is not None else 0.0,
            cpu_seconds=process_time() - before,
        )

    def _take(self, weights: Sequence[Arrays]) -> None:
        for network, arrays, evaluator in zip(
            self._networks, weights, self._evaluators, strict=True
        ):
            take_weights(network, arrays)
            evaluator.update(network)

    def play_part(self, series: Travelling, indices: Collection[int], threads: int) -> list[Match]:
        """Play some matches of a series, between two orders."""
        return play_part(series, indices, threads)

    def _played(self, until: float) -> list[MatchRecord]:
        """Play for a while; a match that ended is told of at once, for others wait to begin."""
        records: list[MatchRecord] = []
        while not records and not self._source.at_rest and monotonic() < until:
            records += self._source.step()
        if self._memory is not None:
            for record in records:
                record.remember(self._memory)
        return records

    def _learn_of_others(self, order: Order) -> None:
        """Take the resolved states of the other workers' matches."""
        if self._memory is None:
            return
        if order.forget:
            self._memory.clear()
        for arrays in order.proven:
            self._memory.load(*arrays)
