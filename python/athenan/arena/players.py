"""Players from texts.

runs/hex5                          a run directory: its latest model, the search it plays best
model.safetensors                  a model file, likewise
runs/hex5@seconds=0.2              the same with options of that search
runs/hex5@alphabeta:depth=2        the same with another search
mcts:seconds=1                     a search without a network
random                             any legal move, all equally probable
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from athenan._core import Game, ParameterError, Search, SearchSpec, algorithms
from athenan.arena.search_player import SearchPlayerSpec
from athenan.searches import check_model, combined, model_at, model_evaluator

if TYPE_CHECKING:
    from athenan.networks import Model


def player(text: str, game: Game, budget: str = "") -> SearchPlayerSpec:
    """Return the player that a text describes.

    `budget`, as in "seconds=1", limits a player whose text names no limit. A player whose text
    and model name none and that gets none searches until the outcome is proven.
    """
    return read_player(text).spec(game, budget)


def read_player(text: str) -> Draft:
    """Return what a text says of a player; whose model it names tells the game."""
    if SearchSpec.names_algorithm(text):
        return Draft(text, None, text)
    if _exists(text):
        return Draft(text, Path(text), "")
    path, _, search = text.rpartition("@")  # a path may itself contain an @
    if _exists(path):
        return Draft(text, Path(path), search)
    searches = ", ".join(each.name for each in algorithms())
    raise ParameterError(
        f"there is no player {text!r}; a player is a run directory or a model file (each may be "
        f"followed by @ and a search), or a search ({searches})"
    )


@dataclass(frozen=True)
class Draft:
    """A player as its text describes it, without a game and a budget as yet."""

    text: str
    path: Path | None
    """Of its model; without one it knows only what it proves."""
    search: str

    @cached_property
    def _model(self) -> Model | None:
        return model_at(self.path) if self.path else None

    @property
    def game(self) -> str | None:
        """The game that it is made for, if there is only one."""
        return self._model.game if self._model else None

    def spec(self, game: Game, budget: str = "") -> SearchPlayerSpec:
        """Return the player of a game; `budget`, as in "seconds=1", is for one without a limit."""
        if self._model is None:
            search = SearchSpec(self.search)
            if budget and not search.is_limited:
                search = search.updated(budget)
            evaluators = None
        else:
            search = combined(SearchSpec(self._model.search), self.search, budget)
            check_model(self._model, game, search, f"the model {str(self.path)!r}")
            evaluators = partial(model_evaluator, self._model, game, search)
        Search(game, search)  # refuses a terminal evaluation that makes no sense for the game
        return SearchPlayerSpec(self.text, search, evaluators)


def _exists(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False
