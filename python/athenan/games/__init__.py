"""The games: made by name, listed, or brought by the user as a Python file."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType

from athenan._core import Game, ParameterError, State, make_builtin_game, make_python_game
from athenan._core import game_names as game_names
from athenan._core import game_parameters as game_parameters
from athenan.games.rules import ONGOING as ONGOING
from athenan.games.rules import Rules as Rules
from athenan.games.rules import StateBytes as StateBytes


def make_game(name: str, **options: int | bool | str) -> Game:
    """Make a game: `make_game("hex", size=11)`, `make_game("hex:size=11,swap=false")`.

    A name that ends in `.py` is a file with a `Rules` subclass; options go to its constructor.
    """
    identity = _with_options(name, options)
    base, _, given = identity.partition(":")
    if base.endswith(".py"):
        return _game_from_file(base, given)
    return make_builtin_game(identity)


def game_from_rules(rules: Rules, name: str | None = None) -> Game:
    """Make a game of rules written in Python."""
    return make_python_game(name or type(rules).__name__, "", rules)


def restore_game(identity: str, rules: Rules | None) -> Game:
    """Rebuild a pickled game: from its rules if these are a Python object without a file."""
    if rules is None or identity.partition(":")[0].endswith(".py"):
        return make_game(identity)
    return game_from_rules(rules, identity)


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


def _game_from_file(file: str, options: str) -> Game:
    module = _load_module(Path(file))
    found = [
        member
        for member in vars(module).values()
        if inspect.isclass(member)
        and issubclass(member, Rules)
        and member.__module__ == module.__name__
        and not inspect.isabstract(member)
    ]
    if len(found) != 1:
        raise ParameterError(f"{file} must define exactly one subclass of Rules, not {len(found)}")
    given = _options_of(found[0], file, options)
    text = ",".join(f"{key}={value}" for key, value in given.items())
    return make_python_game(file, text, found[0](**given))


def _load_module(path: Path) -> ModuleType:
    if not path.is_file():
        raise ParameterError(f"there is no game file {str(path)!r}")
    name = f"athenan_user_game_{path.resolve().as_posix().replace('/', '_').removesuffix('.py')}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        del sys.modules[name]
        raise ParameterError(
            f"the game file {str(path)!r} cannot be loaded: {problem}"
        ) from problem
    return module


def _options_of(rules: type[Rules], file: str, text: str) -> dict[str, int | str]:
    accepted = [name for name in inspect.signature(rules).parameters]
    given: dict[str, int | str] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if key not in accepted or not equals:
            takes = ", ".join(accepted) or "no options"
            raise ParameterError(f"{file} has no option {item!r}; it takes {takes}")
        given[key] = int(value) if value.lstrip("-").isdigit() else value
    return given
