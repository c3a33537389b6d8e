"""The searches of `athenan.reference` as players: slow, and move for move as those in C++."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from athenan import reference as ref
from athenan._core import Budget, Error, Game, ParameterError, Search, SearchSpec, State, Stopped
from athenan.arena.python_player import (
    LIMITS,
    Choice,
    PythonPlayerSpec,
    PythonSearch,
    is_limited,
    split_model,
    values_of,
)
from athenan.evaluators import Evaluator, Planes, Values
from athenan.searches import combined, model_at

if TYPE_CHECKING:
    from athenan.networks import Model

PREFIX = "reference:"


class ReferencePlayer(PythonSearch):
    """A search of `athenan.reference`, as the text of the search in C++ describes it."""

    def __init__(self, game: Game, evaluator: Evaluator | None = None, spec: str = "ubfm") -> None:
        super().__init__(game, evaluator)
        self.spec = SearchSpec(spec)
        self._think: Thinking | None = None

    def begin(self, game: Game, seed: int) -> None:
        """Forget the tree."""
        super().begin(game, seed)
        self._think = None

    def choose(self, state: State, budget: Budget) -> Choice:
        """Search, and decide as the search in C++ does."""
        if not (is_limited(budget) or self.spec.is_limited):
            raise Error(f"{self.name} has no limit, and a tree in Python soon fills the memory")
        self._think = self._think or FAMILIES[self.spec.name](self)
        limits = {limit: getattr(budget, limit) or None for limit in LIMITS}
        try:
            return self._think(state, limits)
        except Stopped:
            self._think = None  # an expansion was cut short: the tree is not whole
            raise

    def evaluate(self, planes: Planes) -> Values:
        """Give values to states, unless a stop was requested."""
        self.refuse_if_stopped()
        return self.evaluator(planes)

    def terminal(self) -> ref.TerminalEvaluation:
        """Return the terminal evaluation that the text names."""
        name = self.spec.options["terminal"]
        for each in [*ref.heuristics_of(self.game), ref.ARIMAA]:
            if each.name == name:
                return each
        raise ParameterError(f"athenan.reference has no terminal evaluation {name!r}")


Thinking = Callable[[State, dict[str, Any]], Choice]


def _best_first(player: ReferencePlayer) -> Thinking:
    options = player.spec.options
    config = ref.BestFirst(
        "terminal" if player.spec.name == "descent" else "expansion",
        **{
            switch: bool(options[switch])
            for switch in ("completion", "transpositions", "reuse", "early_stop")
        },
    )
    search = ref.BestFirstSearch(config, player.evaluate, player.terminal(), player.random)

    def think(state: State, limits: dict[str, Any]) -> Choice:
        root = search.search(state, ref.Budget(**limits)).root
        if not config.completion:
            edge = ref.plain_best_action(state, root.edges, player.random)
        elif options["decision"] == "best":
            edge = ref.best_action(root, player.random)
        elif options["prefer_draws"] in ("both", ("first", "second")[state.to_move]):
            edge = ref.safest_action_preferring_draws(root, player.random)
        else:
            edge = ref.safest_action(root, player.random)
        return edge.move, float(root.c if root.r else root.v)

    return think


def _alpha_beta(player: ReferencePlayer) -> Thinking:
    search = ref.AlphaBetaSearch(player.evaluate, player.terminal())

    def think(state: State, limits: dict[str, Any]) -> Choice:
        depth = int(player.spec.options["depth"])
        if depth:
            limits = {**limits, "iterations": min(limits["iterations"] or depth, depth)}
        result = search.search(state, ref.Budget(**limits))
        return result.move, float(result.value)

    return think


def _uct(player: ReferencePlayer) -> Thinking:
    formula = ref.Uct(float(player.spec.options["c"]))
    leaf = ref.network_leaf(player.evaluate)
    search = ref.MctsSearch(formula, leaf, player.terminal(), player.random)

    def think(state: State, limits: dict[str, Any]) -> Choice:
        root = search.search(state, ref.Budget(**limits))
        return search.decide(state).move, float(np.float32(root.value))

    return think


FAMILIES: dict[str, Callable[[ReferencePlayer], Thinking]] = {
    "descent": _best_first,
    "ubfm": _best_first,
    "ubfm-safe": _best_first,
    "alphabeta": _alpha_beta,
    "uct": _uct,
}
"""How each search is put together from the parts of `athenan.reference`."""


@dataclass(frozen=True)
class ReferenceDraft:
    """A reference search as its text describes it."""

    text: str
    search: str
    path: Path | None

    @cached_property
    def _model(self) -> Model | None:
        return model_at(self.path) if self.path else None

    @property
    def game(self) -> str | None:
        """The game of its model, if it has one."""
        return self._model.game if self._model else None

    def spec(self, game: Game, budget: str = "") -> PythonPlayerSpec:
        """Return the player of a game; `budget` is for one without a limit."""
        search = SearchSpec(self.search)
        if search.name not in FAMILIES:
            raise ParameterError(
                f"athenan.reference plays {', '.join(FAMILIES)}, not {search.name}"
            )
        if self._model is not None:
            search = combined(SearchSpec(self._model.search).unlimited, self.search, budget)
        elif budget and not search.is_limited:
            search = search.updated(budget)
        Search(game, search)  # refuses a terminal evaluation that makes no sense for the game
        limits = tuple((limit, float(n)) for limit in LIMITS if (n := search.options[limit]))
        options = (("spec", str(search)),)
        return PythonPlayerSpec(
            self.text, ReferencePlayer, options, limits, values_of(self._model, game)
        )


def read_reference(text: str) -> ReferenceDraft | None:
    """Read a text such as reference:ubfm-safe:expansions=50."""
    path, search = split_model(text)
    if not search.startswith(PREFIX):
        return None
    return ReferenceDraft(text, search.removeprefix(PREFIX), path)
