"""A model that was loaded to be used: it thinks about states, and plays.

Its network is prepared once for all searches, which `athenan.search(state, model)` would do anew
for each.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Self

from athenan._core import Game, SearchSpec, State, Stop
from athenan.evaluators import Evaluator
from athenan.games import game_of_record
from athenan.networks.model import Model
from athenan.searches import (
    FilePath,
    SearchResult,
    check_model,
    chosen_search,
    model_evaluator,
    read_model,
    refuse_no_state,
    thought,
)

USUAL_SECONDS = 1.0
"""The limit per move if none is given."""


@dataclass(frozen=True, eq=False)
class TrainedModel(Model):
    """A model with what it needs to think; `close` it, or use it in a `with`, to free threads.

    >>> import athenan
    >>> with athenan.load("hex-5") as model:
    ...     state = model.make_game().initial_state()
    ...     while not state.is_terminal:
    ...         state = model.play(state, expansions=5)
    >>> state.outcome
    -1
    """

    _evaluators: dict[bool, Evaluator] = field(default_factory=dict, repr=False)
    _held: ExitStack = field(default_factory=ExitStack, repr=False)

    def __repr__(self) -> str:
        weights = self.weights.weight_count
        return f"<TrainedModel of {self.game}: {weights:,} weights, plays with {self.search}>"

    def make_game(self) -> Game:
        """Make the game that it plays; of a game in Python, `athenan.make_game(file)` does."""
        return game_of_record(None, self.game, self.game_sha256, "the model", "athenan.make_game")

    def think(
        self,
        state: State,
        spec: SearchSpec | str | None = None,
        *,
        seed: int = 0,
        stop: Stop | None = None,
        **options: int | float | bool | str,
    ) -> SearchResult:
        """Think about a state, as `athenan.search` does; for a second, if no limit is named."""
        refuse_no_state(state, "think")
        chosen = chosen_search(self, spec, options)
        check_model(self, state.game, chosen)
        if not chosen.is_limited:
            chosen = chosen.with_(seconds=USUAL_SECONDS)
        return thought(chosen, state, self._evaluator(state.game, chosen), seed, stop)

    def play(
        self,
        state: State,
        spec: SearchSpec | str | None = None,
        *,
        seed: int = 0,
        stop: Stop | None = None,
        **options: int | float | bool | str,
    ) -> State:
        """Return the state after the move that it thinks best."""
        best = self.think(state, spec, seed=seed, stop=stop, **options).best_move
        return state.play(best)

    def _evaluator(self, game: Game, spec: SearchSpec) -> Evaluator:
        """Return the evaluator for searches with a clock, or the one for those without."""
        if spec.is_timed not in self._evaluators:
            made = self._held.enter_context(model_evaluator(self, game, spec))
            self._evaluators[spec.is_timed] = made
        return self._evaluators[spec.is_timed]

    def close(self) -> None:
        """Give the threads of its evaluators back."""
        self._evaluators.clear()
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def load(name: FilePath) -> TrainedModel:
    """Read a model: by its name, as `athenan models` lists them, from its file, or from a run.

    >>> import athenan
    >>> model = athenan.load("hex-5")
    >>> state = model.make_game().initial_state()
    >>> model.think(state, expansions=20).spent.expansions
    20
    >>> model.play(state, expansions=20).ply
    1
    >>> athenan.load("models/nothing")
    Traceback (most recent call last):
    athenan._core.Error: there is no model file 'models/nothing'

    `athenan.search(state, model)` thinks with it too.
    """
    model = read_model(name)
    return TrainedModel(model.given, model.game, model.search, model.info, model.game_sha256)
