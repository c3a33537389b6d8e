"""The games: made by name, listed, or brought by the user as a Python file."""

from __future__ import annotations

from typing import Any

import numpy as np

from athenan._core import Error, Game, ParameterError, State, make_builtin_game, make_python_game
from athenan._core import game_names as game_names
from athenan._core import game_parameters as game_parameters
from athenan.expected import expect_state, expect_text, shown, wrong
from athenan.games.batch_rules import BatchRules as BatchRules
from athenan.games.batch_rules import Expanded as Expanded
from athenan.games.batch_rules import States as States
from athenan.games.python_files import author_of as author_of
from athenan.games.python_files import engine_rules, is_python_file, load_game
from athenan.games.python_files import game_of_record as game_of_record
from athenan.games.python_files import record_of as record_of
from athenan.games.python_files import recorded_game as recorded_game
from athenan.games.python_files import refuse_other_game as refuse_other_game
from athenan.games.rules import ONGOING as ONGOING
from athenan.games.rules import Rules as Rules
from athenan.games.rules import StateBytes as StateBytes
from athenan.games.simple import SimpleRules as SimpleRules
from athenan.games.value_rules import ValueRules


def make_game(name: str, **options: int | bool | str) -> Game:
    """Make a game: `make_game("hex", size=11)`, `make_game("hex:size=11,swap=false")`.

    A name that ends in `.py` is a file with a subclass of `SimpleRules` or `Rules`; options go to
    its constructor. The file is run as a program: name your own, never one that a model or
    somebody's settings name.

    >>> import athenan
    >>> athenan.make_game("hex", size=5, swap=False)
    athenan.make_game('hex:size=5,swap=false')
    """
    if not isinstance(name, str):
        raise ParameterError(f"a game is named by a text such as 'hex:size=5', not {shown(name)}")
    identity = expect_text(_with_options(name, options), "the text of a game and its options")
    return load_game(identity) if is_python_file(identity) else make_builtin_game(identity)


def game_from_rules(rules: Rules | SimpleRules[Any, Any], name: str | None = None) -> Game:
    """Make a game of rules written in Python.

    >>> import athenan, runpy
    >>> own = runpy.run_path("examples/tic_tac_toe.py")["TicTacToe"]
    >>> athenan.game_from_rules(own()).perft(2)
    72
    """
    if name is not None:
        expect_text(name, "the name of a game")
    if isinstance(rules, type):
        raise wrong(rules, f"an object with the rules of a game, such as {rules.__name__}()")
    if not isinstance(rules, Rules | SimpleRules):
        raise wrong(rules, "an object of a subclass of athenan.Rules or athenan.SimpleRules")
    return make_python_game(name or type(rules).__name__, "", engine_rules(rules))


def restore_game(identity: str, rules: Rules | ValueRules | None) -> Game:
    """Rebuild a pickled game, of its own rules if these are a Python object."""
    if rules is None:
        return make_builtin_game(identity)
    name, _, options = identity.partition(":")
    return make_python_game(name, options, rules)


def restore_state(game: Game, data: bytes) -> State:
    """Rebuild a pickled state."""
    return game.state_from_bytes(data)


def value_of(state: State) -> Any:
    """Return the author's value of a state of a simple game.

    >>> import athenan
    >>> game = athenan.make_game("examples/simple_tic_tac_toe.py")  # doctest: +SKIP
    >>> value_of(game.initial_state().play("b2"))  # doctest: +SKIP
    '....x....'
    """
    rules = _value_rules(expect_state(state))
    if rules is None:
        raise Error(f"{state.game.id} is not a game of SimpleRules: its states are bytes")
    return rules.value_of(bytes(state)[_HEADER:])


def own_picture(state: State) -> str | None:
    """Return the picture that the author of a simple game draws; None without one."""
    rules = _value_rules(expect_state(state))
    return None if rules is None else rules.picture(bytes(state)[_HEADER:])


def goes_on(state: State) -> bool:
    """Tell whether the rules of a Python game would go on where the engine ended the match.

    >>> import athenan
    >>> goes_on(athenan.make_game("tic_tac_toe").initial_state())
    False
    """
    rules: Rules | ValueRules | None = expect_state(state).game.__reduce__()[1][1]  # type: ignore[index]
    if rules is None or state.outcome != 0 or state.ply < state.game.datasheet.max_length:
        return False
    return rules.bridge("result", bytes(state)[_HEADER:]) is None


def _value_rules(state: State) -> ValueRules | None:
    rules: object = state.game.__reduce__()[1][1]  # type: ignore[index]
    return rules if isinstance(rules, ValueRules) else None


OPTION = bool | int | float | str | np.integer | np.floating
_HEADER = 16  # bytes of the engine before those of the rules


def _with_options(name: str, options: dict[str, int | bool | str]) -> str:
    words = [f"{key}={_option(key, value)}" for key, value in options.items()]
    separator = "" if not words else "," if ":" in name else ":"
    return name + separator + ",".join(words)


def _option(key: str, value: object) -> str:
    """Write the value of an option; a comma would begin another one."""
    if not isinstance(value, OPTION) or "," in str(value):
        raise wrong(value, f"the option {key} to be a number, True, False or a text without commas")
    return str(value).lower() if isinstance(value, bool) else str(value)
