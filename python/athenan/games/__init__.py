"""The games: made by name, listed, or brought by the user as a Python file."""

from __future__ import annotations

from athenan._core import Game, State, make_builtin_game, make_python_game
from athenan._core import game_names as game_names
from athenan._core import game_parameters as game_parameters
from athenan.games.python_files import game_of_record as game_of_record
from athenan.games.python_files import is_python_file, load_game
from athenan.games.python_files import record_of as record_of
from athenan.games.python_files import recorded_game as recorded_game
from athenan.games.python_files import refuse_other_game as refuse_other_game
from athenan.games.rules import ONGOING as ONGOING
from athenan.games.rules import Rules as Rules
from athenan.games.rules import StateBytes as StateBytes


def make_game(name: str, **options: int | bool | str) -> Game:
    """Make a game: `make_game("hex", size=11)`, `make_game("hex:size=11,swap=false")`.

    A name that ends in `.py` is a file with a `Rules` subclass; options go to its constructor. The
    file is run as a program: name your own, never one that a model or somebody's settings name.
    """
    identity = _with_options(name, options)
    return load_game(identity) if is_python_file(identity) else make_builtin_game(identity)


def game_from_rules(rules: Rules, name: str | None = None) -> Game:
    """Make a game of rules written in Python."""
    return make_python_game(name or type(rules).__name__, "", rules)


def restore_game(identity: str, rules: Rules | None) -> Game:
    """Rebuild a pickled game, of its own rules if these are a Python object."""
    if rules is None:
        return make_builtin_game(identity)
    name, _, options = identity.partition(":")
    return make_python_game(name, options, rules)


def restore_state(game: Game, data: bytes) -> State:
    """Rebuild a pickled state."""
    return game.state_from_bytes(data)


def _with_options(name: str, options: dict[str, int | bool | str]) -> str:
    words = [
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in options.items()
    ]
    separator = "" if not words else "," if ":" in name else ":"
    return name + separator + ",".join(words)
