"""A player that goes on learning while it plays: after each of its searches, from their tree.

The perspective "online learning" of the paper (§14.3): a learning phase follows each search, not
each match. What was learned is forgotten when the next match begins.
"""

from __future__ import annotations

import copy

import numpy as np
import torch

from athenan._core import Budget, Game, Search, SearchSpec, State, Stop, encode_packed
from athenan.arena.player import Thought
from athenan.arena.search_player import SearchPlayer, Watch
from athenan.evaluators.network import NetworkEvaluator
from athenan.evaluators.torch_cpu import one_thread
from athenan.networks.network import Network

STATES = 1024
"""Of the tree, drawn at random, that a learning phase learns once each."""
BATCH = 128


class OnlinePlayer(SearchPlayer):
    """A search whose network learns the states of its tree, with their values, after each move."""

    evaluator: NetworkEvaluator

    def __init__(
        self,
        name: str,
        game: Game,
        search: SearchSpec,
        network: Network,
        evaluator: NetworkEvaluator,
        rate: float,
    ) -> None:
        super().__init__(name, game, search, evaluator)
        self._search = Search(game, search, keep_terminals=True)  # they are learned, too
        self._original = network
        self._device = torch.device(evaluator.device)
        self._rate = rate
        self._random = np.random.default_rng(0)
        self._forget()

    def begin(self, game: Game, seed: int) -> None:
        """Empty the tree, and forget what the last match taught."""
        super().begin(game, seed)
        self._random = np.random.default_rng(seed)
        self._forget()

    def think(
        self,
        state: State,
        budget: Budget | None = None,
        stop: Stop | None = None,
        watch: Watch | None = None,
    ) -> Thought:
        """Search, then learn; a request to stop leaves the learning out."""
        thought = super().think(state, budget, stop, watch)
        if stop is None or not stop.requested:
            self._learn()
        return thought

    def _forget(self) -> None:
        self._network = copy.deepcopy(self._original).to(self._device)
        parameters = [each for each in self._network.parameters() if each.requires_grad]
        self._optimizer = torch.optim.Adam(parameters, lr=self._rate)
        self.evaluator.update(self._network)

    def _learn(self) -> None:
        """Make a pass over states of the tree, and let the next search ask the new weights."""
        packed, values = self._search.targets()
        rows = self._random.permutation(len(values))[:STATES]
        if not len(rows):
            return
        planes = encode_packed(self._search.game, packed, rows, 1)
        with one_thread():
            inputs = torch.from_numpy(planes).to(self._device).float()
            wanted = torch.from_numpy(values[rows]).to(self._device)
            for start in range(0, len(rows), BATCH):
                part, aims = inputs[start : start + BATCH], wanted[start : start + BATCH]
                self._optimizer.zero_grad()
                (self._network(part) - aims).square().mean().backward()
                self._optimizer.step()
        self.evaluator.update(self._network)
