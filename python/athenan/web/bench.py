"""The bench of one searching thread: the evaluators and engines that it keeps between searches."""

from __future__ import annotations

import math
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from athenan._core import Budget, Error, Game, Search, SearchSpec, State, Stop
from athenan.arena import Player
from athenan.arena.players import usual_player
from athenan.evaluators import Evaluator, constant_evaluator
from athenan.searches import SearchResult, combined, model_evaluator
from athenan.web.catalogue import Catalogue
from athenan.web.settings import Settings
from athenan.web.shelf import Shelf

KEPT_EVALUATORS = 4
KEPT_PLAYERS = 8
USUAL_BUDGET = "seconds=1"
"""Of a player that was told none."""
Line = tuple[tuple[State, int], ...]
"""The moves of a match, each with the state in which it was played."""


@dataclass(frozen=True)
class Thinker:
    """Who thinks: a model, a player that the server knows, or base MCTS if neither is named."""

    model: str | None = None
    player: str | None = None


class Bench:
    """What one thread searches with; only that thread uses it."""

    def __init__(self, catalogue: Catalogue, settings: Settings, shelf: Shelf) -> None:
        self.shelf = shelf
        self._catalogue, self._settings = catalogue, settings
        self._evaluators: OrderedDict[tuple[Any, ...], Evaluator] = OrderedDict()
        self._zeros = constant_evaluator()
        self._players: OrderedDict[tuple[str, str], Player] = OrderedDict()
        self._heard: dict[tuple[str, str], Line] = {}

    def ask(
        self, name: str, line: Line, state: State, seconds: float, stop: Stop
    ) -> SearchResult | int:
        """Let a player of the server think; return what it found, or only its move.

        It keeps to its own limits unless there are seconds.
        """
        player = self._player(name, state.game)
        budget = Budget(seconds=seconds) if math.isfinite(seconds) else None
        try:
            self._tell(name, player, state.game, line)
            thought = player.think(state, budget, stop)
        except Error:  # a new one, perhaps a new process, answers the next time
            self._forget((name, state.game.id))
            raise
        return thought.move if thought.result is None else thought.result

    def search(self, model: str | None, game: Game, seed: int = 0) -> Search:
        """Return a new search."""
        return Search(game, self.spec(model, game), seed)

    def spec(self, model: str | None, game: Game, budget: str = "seconds=1") -> SearchSpec:
        """Return the search of a model within the server's memory; without one base MCTS."""
        if model is not None:
            spec = combined(SearchSpec(self._catalogue.listed(model).search), budget)
        else:
            spec = SearchSpec(usual_player(game)).updated(budget)
        return spec.with_(memory_mb=self._settings.limits.memory_mb)

    def evaluator(self, identity: str | None, game: Game) -> Evaluator:
        """Return what gives values to the search of a model; without one it needs none."""
        if identity is None:
            return self._zeros
        listed = self._catalogue.listed(identity)
        key = (listed.id, listed.changed, game.id)
        if key not in self._evaluators:
            search = combined(SearchSpec(listed.search), "seconds=1")
            model = self._catalogue.model(identity)
            self._evaluators[key] = model_evaluator(model, game, search, threads=1)
        self._evaluators.move_to_end(key)
        while len(self._evaluators) > KEPT_EVALUATORS:
            self._evaluators.popitem(last=False)[1].close()
        return self._evaluators[key]

    def _player(self, name: str, game: Game) -> Player:
        key = name, game.id
        if key not in self._players:
            spec = self._settings.players[name].spec(game, USUAL_BUDGET)
            self._players[key] = spec.called(name).make(game, threads=1)  # visitors see no command
        self._players.move_to_end(key)
        while len(self._players) > KEPT_PLAYERS:
            self._forget(next(iter(self._players)))
        return self._players[key]

    def _tell(self, name: str, player: Player, game: Game, line: Line) -> None:
        """Let a player hear of the moves of a match; it may have followed it already."""
        heard = self._heard.get((name, game.id))
        if heard is None or line[: len(heard)] != heard:
            player.begin(game, secrets.randbits(31))
            heard = ()
        for state, move in line[len(heard) :]:
            player.hear(state, move)
        self._heard[name, game.id] = tuple(line)

    def _forget(self, key: tuple[str, str]) -> None:
        self._heard.pop(key, None)
        self._players.pop(key).close()

    def close(self) -> None:
        """Give back what it keeps."""
        for evaluator in self._evaluators.values():
            evaluator.close()
        for player in self._players.values():
            player.close()
