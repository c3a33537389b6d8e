"""athenan learns board games from their rules alone, and plays them.

>>> import athenan
>>> game = athenan.make_game("hex", size=5, swap=False)
>>> state = game.initial_state()
>>> state = state.play("c3")
>>> state.to_move
1
"""

from athenan._core import (
    Datasheet,
    Error,
    Game,
    IllegalMoveError,
    ParameterError,
    PositionError,
    Random,
    State,
    algorithms,
)
from athenan.evaluators import constant_evaluator, hash_evaluator
from athenan.games import Rules, game_from_rules, game_names, game_parameters, make_game
from athenan.searches import SearchResult, Solution, search, solve

__all__ = [
    "Datasheet",
    "Error",
    "Game",
    "IllegalMoveError",
    "ParameterError",
    "PositionError",
    "Random",
    "Rules",
    "SearchResult",
    "Solution",
    "State",
    "algorithms",
    "constant_evaluator",
    "game_from_rules",
    "game_names",
    "game_parameters",
    "hash_evaluator",
    "make_game",
    "search",
    "solve",
]

__version__ = "0.1.0"
