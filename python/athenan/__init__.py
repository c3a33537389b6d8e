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
    State,
)
from athenan.games import Rules, game_from_rules, game_names, game_parameters, make_game

__all__ = [
    "Datasheet",
    "Error",
    "Game",
    "IllegalMoveError",
    "ParameterError",
    "PositionError",
    "Rules",
    "State",
    "game_from_rules",
    "game_names",
    "game_parameters",
    "make_game",
]

__version__ = "0.1.0"
