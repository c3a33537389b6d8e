"""The searches of `athenan.reference` as players: slow, and move for move as those in C++."""

from __future__ import annotations

from dataclasses import dataclass

from athenan import reference as ref
from athenan._core import Budget, Error, Game, ParameterError, Search, SearchSpec, State, Stopped
from athenan.arena.draft import SearchingDraft, split_model, without_threads
from athenan.arena.python_player import (
    LIMITS,
    Choice,
    PythonPlayerSpec,
    PythonSearch,
    is_limited,
    values_of,
)
from athenan.evaluators import Evaluator, Planes, Values
from athenan.searches import combined

PREFIX = "reference:"


class ReferencePlayer(PythonSearch):
    """A search of `athenan.reference`, as the text of the search in C++ describes it."""

    def __init__(self, game: Game, evaluator: Evaluator | None = None, spec: str = "") -> None:
        super().__init__(game, evaluator)
        self.spec = SearchSpec(spec)
        self._think: ref.Thinking | None = None

    def begin(self, game: Game, seed: int) -> None:
        """Forget the tree."""
        super().begin(game, seed)
        self._think = None

    def choose(self, state: State, budget: Budget) -> Choice:
        """Search, and decide as the search in C++ does."""
        if not (is_limited(budget) or self.spec.is_limited):
            raise Error(f"{self.name} has no limit: a tree in Python would soon fill the memory")
        self._think = self._think or ref.thinking(
            self.spec.name, self.spec.options, self.game, self.evaluate, self.random
        )
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


@dataclass(frozen=True)
class ReferenceDraft(SearchingDraft):
    """A reference search."""

    def spec(self, game: Game, budget: str = "") -> PythonPlayerSpec:
        """Return the player of a game; `budget` is for one without a limit."""
        search = SearchSpec(self.search)
        if search.name not in ref.NAMED:
            raise ParameterError(
                f"athenan.reference plays {', '.join(ref.NAMED)}, not {search.name}"
            )
        if self.model is not None:
            search = combined(SearchSpec(self.model.search).unlimited, self.search, budget)
        elif budget and not search.is_limited:
            search = search.updated(budget)
        Search(game, search)  # refuses a terminal evaluation that makes no sense for the game
        limits = tuple((limit, float(n)) for limit in LIMITS if (n := search.options[limit]))
        options = (("spec", str(search)),)
        values = values_of(self.model, game)
        return PythonPlayerSpec(self.text, ReferencePlayer, options, limits, values, self.threads)


def read_reference(text: str) -> ReferenceDraft | None:
    """Read a text such as reference:ubfm-safe:expansions=50."""
    path, search = split_model(text)
    if not search.startswith(PREFIX):
        return None
    search, threads = without_threads(search.removeprefix(PREFIX))
    return ReferenceDraft(text, search, path, threads)
