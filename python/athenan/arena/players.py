"""Players: a search, a way to choose the move, and what gives values to states.

A player is written as one text:

    runs/hex5                          a run directory: its latest model, the search it plays best
    model.safetensors                  a model file, likewise
    runs/hex5@seconds=0.2              the same with options of that search
    runs/hex5@alphabeta:depth=2        the same with another search
    mcts:seconds=1                     a search without a network
    random                             any legal move, all equally probable
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from athenan._core import Error, Game, Mind, ParameterError, Search, algorithms
from athenan.evaluators import Evaluator, Planes, Policies, Values, constant_evaluator

if TYPE_CHECKING:
    from athenan.networks import Model

__all__ = ["EvaluatorFactory", "Player", "game_of", "player"]

EvaluatorFactory = Callable[[int], Evaluator]
"""Makes an evaluator that uses so many threads (0: one per core)."""

MODEL_FILE = "model.safetensors"  # of a run directory
BUDGETS = ("seconds", "expansions", "evaluations", "iterations")
DEPTH_LIMITED = "minimax"  # ends at its depth, budget or not

# Mere rules: one iteration lists the legal moves, the selection takes any of them.
RANDOM_SEARCH = "mcts:iterations=1"
RANDOM_SELECTION = "epsilon-greedy:exploitation=0,completed=false"


@dataclass(frozen=True)
class Player:
    """Who plays: see `player` for how one is made from a text."""

    name: str
    search: str
    selection: str | None = None
    """How the move is chosen; None plays what the search decides."""
    evaluator: EvaluatorFactory | None = None
    """None where the search asks for no values. Each worker makes its own and uses it alone."""

    def mind(self, evaluator: int) -> Mind:
        """Return the mind of this player in a pool, asking the evaluator of this number."""
        return Mind(self.search, self.selection, evaluator)

    def within(self, megabytes: int) -> Player:
        """Return this player with so much memory for its tree, unless it names its own limit."""
        if _options_in_full(self.search)["memory_mb"] != "0":
            return self
        return replace(self, search=_joined(self.search, f"memory_mb={megabytes}"))

    @property
    def description(self) -> str:
        """What it is, in full: its name and its search, or just the search."""
        if not self.thinks:
            return self.name
        named = _algorithm_of(self.name) is None
        return f"{self.name} with {self.search}" if named else self.search

    @property
    def thinks(self) -> bool:
        """Whether there is anything behind its moves."""
        return self.selection != RANDOM_SELECTION

    @property
    def is_timed(self) -> bool:
        """Whether seconds limit its thinking: then what it plays depends on the machine."""
        return _is_timed(self.search)


def player(text: str, game: Game, budget: str = "") -> Player:
    """Make the player that a text describes.

    `budget`, as in "seconds=1", limits a player whose text names no limit. A player whose text
    and model name none and that gets none searches until the outcome is proven.
    """
    if text == "random":
        return Player(text, RANDOM_SEARCH, RANDOM_SELECTION)
    if _algorithm_of(text) is not None:
        search = _limited(text, budget)
        return Player(text, search, evaluator=_zeros(game, search))
    file, given = _file_and_search(text)
    model = _loaded(file)
    if model.game != game.id:
        raise Error(f"the model {str(file)!r} plays {model.game}, not {game.id}")
    search = _search_of_model(model, given, budget)
    if Search(game, search).wants_policy and not model.network.architecture.policy:
        raise Error(f"{search} needs a policy, and the network of {str(file)!r} has none")
    return Player(text, search, evaluator=_network(model, game, search))


def game_of(text: str) -> str | None:
    """Return the game of the model that a player's text names; None if it names no model."""
    if text == "random" or _algorithm_of(text) is not None:
        return None
    return _loaded(_file_and_search(text)[0]).game


def _algorithm_of(text: str) -> str | None:
    name = text.partition(":")[0]
    return name if name in {algorithm.name for algorithm in algorithms()} else None


def _file_and_search(text: str) -> tuple[Path, str]:
    """Split PATH@SEARCH; a path may itself contain an @."""
    path, _, search = text.rpartition("@")
    if _exists(text):
        path, search = text, ""
    if not path or not _exists(path):
        names = ", ".join(algorithm.name for algorithm in algorithms())
        raise ParameterError(
            f"there is no player {text!r}; a player is a run directory or a model file (each may "
            f"be followed by @ and a search), a search ({names}), or random"
        )
    return Path(path), search


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False


def _loaded(path: Path) -> Model:
    from athenan.networks import load_model

    if not path.is_dir():
        return load_model(path)
    if not (path / MODEL_FILE).is_file():
        raise Error(f"the directory {str(path)!r} has no {MODEL_FILE}: it is no run that learned")
    return load_model(path / MODEL_FILE)


def _search_of_model(model: Model, given: str, budget: str) -> str:
    """Combine what the text says, what the model says and the common budget, in this order.

    Another search keeps the terminal evaluation of the model's own, for the network's values are
    on its scale.
    """
    if _algorithm_of(given) is not None:
        own = _options_in_full(model.search)["terminal"]
        search = given if "terminal=" in given else _joined(given, f"terminal={own}")
        return _limited(search, budget)
    if given and _has_limit(_joined(_name_of(model.search), given)):
        return _joined(_without_limits(model.search), given)
    own = _without_limits(model.search) if budget else model.search
    return _limited(_joined(own, given), budget)


def _name_of(search: str) -> str:
    return search.partition(":")[0]


def _joined(search: str, options: str) -> str:
    """Give a search these options too; they replace its own."""
    name, _, own = search.partition(":")
    merged = {item.partition("=")[0]: item for item in f"{own},{options}".split(",") if item}
    return f"{name}:{','.join(merged.values())}" if merged else name


def _without_limits(search: str) -> str:
    name, _, own = search.partition(":")
    kept = [item for item in own.split(",") if item and item.partition("=")[0] not in BUDGETS]
    return f"{name}:{','.join(kept)}" if kept else name


def _limited(search: str, budget: str) -> str:
    return search if not budget or _has_limit(search) else _joined(search, budget)


def _has_limit(search: str) -> bool:
    options = _options_in_full(search)
    limits = (*BUDGETS, "depth")
    return _name_of(search) == DEPTH_LIMITED or any(float(options.get(k, 0)) for k in limits)


def _options_in_full(search: str) -> dict[str, str]:
    """Return every option of a search; an unknown or impossible one is refused."""
    _, _, options = Mind(search).search.partition(":")
    return dict(item.split("=", 1) for item in options.split(","))


def _network(model: Model, game: Game, search: str) -> EvaluatorFactory:
    """Return what makes evaluators of a model.

    Without a clock everything that a player does depends on its seed alone: so must the values of
    states, which is to say not on the batches around them. With a clock an evaluator has worked
    before it is handed over: the first batches of a size can take a second.
    """
    timed = _is_timed(search)

    def make(threads: int) -> Evaluator:
        from athenan.evaluators import network_evaluator

        evaluate = network_evaluator(model.network, threads=threads, batch_invariant=not timed)
        if timed:
            planes = game.encode(game.initial_state().children())
            for power in range(len(planes).bit_length()):
                evaluate(planes[: 1 << power])
            evaluate(planes)
        return evaluate

    return make


def _is_timed(search: str) -> bool:
    return float(_options_in_full(search)["seconds"]) > 0


def _zeros(game: Game, search: str) -> EvaluatorFactory | None:
    """Return what a search without a network asks: it knows only what it proves."""
    mind = Search(game, search)  # refuses a terminal evaluation that this game has not
    if not mind.needs_evaluator:
        return None
    if not mind.wants_policy:
        return lambda _threads: constant_evaluator()

    def evaluate(planes: Planes) -> tuple[Values, Policies]:
        count = len(planes)
        return np.zeros(count, np.float32), np.zeros((count, game.move_count), np.float32)

    return lambda _threads: evaluate
