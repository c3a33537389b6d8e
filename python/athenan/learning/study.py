"""What is learned: network, replay memory, learner, and the random draws between them."""

from __future__ import annotations

import copy
import math
from dataclasses import replace

import numpy as np
import torch

from athenan._core import (
    Error,
    Game,
    ResolvedMemory,
    Stop,
    Stopped,
    check_packed,
    describe_moves,
    random_ends,
)
from athenan.files import Arrays
from athenan.learning.concurrency import Plan
from athenan.learning.growing import GrowingMemory, learn_anew
from athenan.learning.learner import Learner, PhaseReport
from athenan.learning.replay import ExperienceMemory, ReplayMemory, StratifiedMemory
from athenan.learning.settings import Config, Learning
from athenan.learning.table import Data, ReplayTable, Rows, with_symmetries
from athenan.networks.network import Network


class Study:
    """Learns data with a network. A request to stop ends it in `Stopped`, within moments."""

    def __init__(
        self,
        config: Config,
        plan: Plan,
        network: Network,
        stop: Stop,
        precision: str = "float32",
    ) -> None:
        self._game, self._settings, self._stop = plan.game, config.learning, stop
        teaches_values = config.learning.moves == "values"
        self._moves_taught = config.learning.moves_taught if teaches_values else 0
        self.network = network
        self.learner = make_learner(config, plan, network, precision)
        self.average = copy.deepcopy(network) if config.learning.averaging else None
        """The network with averaged weights, where the settings want it."""
        self._averaged = 0
        self._untrained = copy.deepcopy(network)
        self.memory = make_memory(config.learning, plan.game)
        self.resolved = ResolvedMemory() if config.selfplay.resolved_memory else None
        self.random = np.random.default_rng([config.seed, 1])
        self.was_cut = False
        """A phase was stopped in the middle: weights have changed, and the phase does not count."""

    def learn_match(self, data: Data, progress: float) -> tuple[int, PhaseReport]:
        """Make the phase of a match; return its pairs, symmetric copies included."""
        if data.moves is not None and (count := self._moves_taught):
            data = replace(data, moves=data.moves.drawn(count, self.random))
        if kind := self._settings.symmetry:
            threads, every = self.learner.threads, kind == "all"
            data = with_symmetries(self._game, data, self.random, threads, every_symmetry=every)
        minibatches = self.memory.phase(data, self._settings.batch_size, self.random)
        self.learner.anneal(progress)
        try:
            if isinstance(self.memory, GrowingMemory):
                return len(data), self._learn_anew(self.memory, minibatches)
            return len(data), self._learn(self.memory.table, minibatches)
        except Stopped:
            self.memory.withdraw(data)
            raise

    def weigh_values(self, weight: float) -> None:
        """Let the values count so much from now on."""
        self.learner.weigh_values(weight)

    def _learn_anew(self, memory: GrowingMemory, minibatches: list[Rows]) -> PhaseReport:
        """Learn everything with a new network, if it is time to."""
        if not minibatches:
            return PhaseReport(0, 0, 0.0)
        replay, size = self._settings.replay, self._settings.batch_size
        given = replay, size, self.random, self._stop
        try:
            return learn_anew(self.learner, self._untrained, memory, minibatches, *given)
        except Stopped:
            self.was_cut = True
            raise

    def learn_random_ends(self, terminal: str, count: int, seed: int) -> PhaseReport:
        """Learn final states of random matches."""
        ends = random_ends(self._game, terminal, count, seed, self.learner.threads, self._stop)
        table = ReplayTable(self._game.packed_size)
        table.append(Data(*ends))
        rows, size = np.arange(count), self._settings.batch_size
        return self._learn(table, [rows[i : i + size] for i in range(0, count, size)])

    def _learn(self, table: ReplayTable, minibatches: list[Rows]) -> PhaseReport:
        try:
            report = self.learner.learn(table, minibatches, self._stop)
        except Stopped:
            self.was_cut = True
            raise
        if self.average is not None:
            self._move_average(self.average, report.samples)
        return report

    @torch.no_grad()
    def _move_average(self, average: Network, states: int) -> None:
        """Move the averaged weights towards the weights after this many more states.

        At first they are the mean over all phases, so that the initial weights soon count little.
        """
        self._averaged += states
        if states:
            share = max(-math.expm1(-states / self._settings.averaging), states / self._averaged)
            for mean, latest in zip(average.parameters(), self.network.parameters(), strict=True):
                mean.lerp_(latest, share)

    def arrays(self) -> Arrays:
        """Return a copy of everything, for a checkpoint; the process goes on meanwhile."""
        weights = self.network.state_dict().items()
        resolved = self.resolved.arrays() if self.resolved is not None else ()
        average = self.average.state_dict().items() if self.average is not None else ()
        parts: dict[str, Arrays] = {
            "network": {name: value.detach().cpu().numpy().copy() for name, value in weights},
            "average": {name: value.detach().cpu().numpy().copy() for name, value in average}
            | ({"states": np.array(self._averaged)} if average else {}),
            "adam": self.learner.arrays(),
            "replay": self.memory.arrays(),
            "resolved": dict(zip(("keys", "values", "completions"), resolved, strict=False)),
        }
        return {f"{part}.{name}": parts[part][name] for part in parts for name in parts[part]}

    def start_from(self, network: Network) -> None:
        """Take the weights of a network of the same shape."""
        for each in (self.network, self.average):
            if each is not None:
                each.load_state_dict(network.state_dict())

    def restore(self, arrays: Arrays) -> None:
        """Become what `arrays` describes; those of an exported run have no replay memory."""
        names = ("network", "average", "adam", "replay", "resolved")
        parts: dict[str, Arrays] = {name: {} for name in names}
        for name, array in arrays.items():
            part, _, rest = name.partition(".")
            parts[part][rest] = array
        weights = {name: torch.from_numpy(np.array(a)) for name, a in parts["network"].items()}
        self.network.load_state_dict(weights)
        self._restore_average(parts["average"])
        self.learner.restore(parts["adam"])
        if parts["replay"]:
            check_packed(self._game, np.asarray(parts["replay"]["states"], np.uint8))
            if not np.isfinite(parts["replay"]["values"]).all():
                raise Error("a value of the replay memory is not a finite number")
            self._check_moves(Data.of_arrays(parts["replay"]))
            self.memory.restore(parts["replay"])
        if self.resolved is not None and (known := parts["resolved"]):
            self.resolved.load(
                np.asarray(known["keys"], np.uint64),
                np.asarray(known["values"], np.float32),
                np.asarray(known["completions"], np.int8),
            )

    def _check_moves(self, data: Data) -> None:
        """Refuse numbers that are no moves of their states."""
        if data.moves is not None:
            rows = np.arange(len(data))
            describe_moves(self._game, data.states, rows, data.moves.offsets, data.moves.numbers)

    def _restore_average(self, arrays: Arrays) -> None:
        """Take the averaged weights of a checkpoint; one without them begins with the latest."""
        if self.average is None:
            return
        arrays = dict(arrays)
        self._averaged = int(arrays.pop("states", 0))
        latest = self.network.state_dict()
        weights = {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
        self.average.load_state_dict(weights or latest)


def make_learner(config: Config, plan: Plan, network: Network, precision: str) -> Learner:
    """Return the learner of this process, with others beside it where the settings want some."""
    device, threads = torch.device(plan.device), plan.threads
    if config.hardware.learners == 1:
        return Learner(plan.game, network, config.learning, device, threads, precision)
    if config.stop.cpu_minutes:
        raise Error(
            "stop.cpu_minutes does not count the processes of hardware.learners: limit the "
            "training by minutes, matches, expansions or evaluations"
        )
    from athenan.learning.joint import JointLearner  # torch.distributed, for those who want it

    return JointLearner(config, plan.game, network, device, threads, precision)


def make_memory(learning: Learning, game: Game) -> ReplayMemory:
    """Return an empty memory."""
    settings = learning.replay
    table = ReplayTable(game.packed_size, with_moves=learning.moves != "none")
    if settings.kind == "growing":
        return GrowingMemory(settings, table)
    if settings.kind == "stratified":
        return StratifiedMemory(settings.size, settings.duplication, table)
    return ExperienceMemory(settings.size, settings.sampling, settings.unit == "matches", table)
