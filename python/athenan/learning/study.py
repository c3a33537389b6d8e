"""What is learned: the replay memory, the learner, and the random draws between them."""

from __future__ import annotations

import numpy as np
import torch

from athenan._core import Game, Stop, Stopped, random_ends
from athenan.learning.learner import Learner, PhaseReport
from athenan.learning.replay import Data, ReplayTable, Rows, make_memory, with_symmetries
from athenan.learning.settings import Learning
from athenan.networks.network import Network


class Study:
    """Learns data with a network. A request to stop ends it in `Stopped`, within moments."""

    def __init__(
        self,
        game: Game,
        network: Network,
        settings: Learning,
        *,
        device: str,
        threads: int,
        seed: int,
        stop: Stop,
    ) -> None:
        self.memory = make_memory(settings.replay, game)
        self.learner = Learner(game, network, settings, torch.device(device), threads)
        self.random = np.random.default_rng([seed, 1])
        self.was_cut = False
        """A phase was stopped in the middle: weights have changed, and the phase does not count."""
        self._game = game
        self._settings = settings
        self._stop = stop

    def learn_match(self, data: Data, progress: float) -> tuple[int, PhaseReport]:
        """Make the phase of a match; return its pairs, symmetric copies included."""
        if self._settings.symmetry:
            data = with_symmetries(self._game, data, self.random, self.learner.threads)
        minibatches = self.memory.phase(data, self._settings.batch_size, self.random)
        self.learner.anneal(progress)
        try:
            return len(data), self._learn(self.memory.table, minibatches)
        except Stopped:
            self.memory.withdraw(data)
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
            return self.learner.learn(table, minibatches, self._stop)
        except Stopped:
            self.was_cut = True
            raise
