"""athenan learns board games from their rules alone, and plays them.

>>> import athenan
>>> game = athenan.make_game("hex", size=5, swap=False)
>>> state = game.initial_state()
>>> state = state.play("c3")
>>> state.to_move
1
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from athenan._core import (
    Budget,
    Datasheet,
    Error,
    Game,
    IllegalMoveError,
    MovePath,
    ParameterError,
    PositionError,
    Random,
    SearchSpec,
    State,
    Stop,
    Stopped,
    algorithms,
)
from athenan.evaluators import constant_evaluator, hash_evaluator
from athenan.games import (
    BatchRules,
    Rules,
    SimpleRules,
    game_from_rules,
    game_names,
    game_parameters,
    make_game,
)
from athenan.searches import SearchResult, Solution, search, solve

if TYPE_CHECKING:
    from athenan.evaluators import network_evaluator
    from athenan.learning import network_for_preset
    from athenan.networks import load_model
    from athenan.trained import TrainedModel, load

__all__ = [
    "BatchRules",
    "Budget",
    "Datasheet",
    "Error",
    "Game",
    "IllegalMoveError",
    "MovePath",
    "ParameterError",
    "PositionError",
    "Random",
    "Rules",
    "SearchResult",
    "SearchSpec",
    "SimpleRules",
    "Solution",
    "State",
    "Stop",
    "Stopped",
    "TrainedModel",
    "algorithms",
    "constant_evaluator",
    "game_from_rules",
    "game_names",
    "game_parameters",
    "hash_evaluator",
    "load",
    "load_model",
    "make_game",
    "network_evaluator",
    "network_for_preset",
    "search",
    "solve",
]

__version__ = "0.1.0"

# Packages for more than games and searches, and what needs torch: imported when first used.
_PACKAGES = (
    "analysis",
    "arena",
    "evaluators",
    "games",
    "learning",
    "networks",
    "pictures",
    "reference",
    "runs",
    "selfplay",
)
_LAZY = {
    "TrainedModel": "athenan.trained",
    "load": "athenan.trained",
    "load_model": "athenan.networks",
    "network_evaluator": "athenan.evaluators",
    "network_for_preset": "athenan.learning",
}


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES, "__version__"])


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)
