"""Games in Python files: run when the user names the file, recorded by what the file says.

Such a file is a program. `load_game` alone runs one, for `make_game`, because the user named it.
Models, settings and runs record its name and the SHA-256 of its content; by these `recorded_game`
finds a file that was loaded before, and never loads one.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from pathlib import Path
from types import ModuleType

from athenan._core import Error, Game, ParameterError, make_builtin_game, make_python_game
from athenan.games.rules import Rules
from athenan.games.simple import SimpleRules
from athenan.games.value_rules import ValueRules

MODULE = "athenan_game_"  # followed by the SHA-256 of the file: the name of its module


def is_python_file(identity: str) -> bool:
    """Tell whether a game's text names a Python file."""
    return identity.partition(":")[0].endswith(".py")


def load_game(identity: str) -> Game:
    """Make a game of the file that the user names, with options for its constructor."""
    file, _, options = identity.partition(":")
    return _game(_load_module(Path(file)), file, options)


def author_of(game: Game) -> object:
    """Return the object that the author of a Python game wrote; None of a built-in game."""
    rules: object = game.__reduce__()[1][1]  # type: ignore[index]
    return rules.simple if isinstance(rules, ValueRules) else rules


def engine_rules(rules: object) -> object:
    """Return what the engine asks, of the rules that an author wrote."""
    return ValueRules(rules) if isinstance(rules, SimpleRules) else rules


# Records.


def record_of(game: Game) -> tuple[str, str]:
    """Return how files name a game: its text and, of a game in a Python file, the file's SHA-256.

    That text has the name of the file alone: it may lie elsewhere on another machine.
    """
    module = type(author_of(game)).__module__
    if not module.startswith(MODULE):
        return game.id, ""
    return _without_folder(game.id), module.removeprefix(MODULE)


def recorded_game(identity: str, sha256: str) -> Game | None:
    """Make the game that a file records; None for a Python file that the user has not named."""
    if not is_python_file(identity):
        return make_builtin_game(identity)
    module = sys.modules.get(MODULE + sha256)
    file, _, options = _without_folder(identity).partition(":")
    return None if module is None else _game(module, file, options)


def refuse_other_game(game: Game, identity: str, sha256: str, what: str) -> None:
    """Refuse a game that is not the one which `what`, as in "the model x", was trained on.

    Older files have no SHA-256: of them only the names are compared.
    """
    (found, own), wanted = record_of(game), _without_folder(identity)
    if own and own == sha256:  # the same file, whatever its name is now
        found, wanted = (each.partition(":")[2] for each in (found, wanted))
    elif own and sha256 and is_python_file(identity):
        raise Error(f"{game.id} is not the file with which {what} was trained")
    if found != wanted:
        raise Error(f"{what} plays {identity}, not {game.id}")


def game_of_record(
    given: Game | None, identity: str, sha256: str, what: str, how: str = "--game"
) -> Game:
    """Make the game that `what` was trained on; of a Python file the user must have given it."""
    if given is not None:
        refuse_other_game(given, identity, sha256, what)
        return given
    made = recorded_game(identity, sha256)
    if made is None:
        text = _without_folder(identity)
        raise Error(
            f"{what} was trained on the Python game {text}; name its file, as in {how} {text}"
        )
    return made


def _without_folder(identity: str) -> str:
    file, colon, options = identity.partition(":")
    return Path(file).name + colon + options if is_python_file(identity) else identity


# Modules.


def _load_module(path: Path) -> ModuleType:
    if not path.is_file():
        raise ParameterError(f"there is no game file {str(path)!r}")
    source, file = path.read_bytes(), str(path.resolve())
    name = MODULE + hashlib.sha256(source).hexdigest()
    if name in sys.modules:
        return sys.modules[name]
    if any(each.startswith(MODULE) and m.__file__ == file for each, m in sys.modules.items()):
        raise ParameterError(f"the game file {str(path)!r} was changed: start Python anew")
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = file
    try:
        exec(compile(source, file, "exec", dont_inherit=True), vars(module))
    except Exception as problem:
        del sys.modules[name]
        raise ParameterError(
            f"the game file {str(path)!r} cannot be loaded: {problem}"
        ) from problem
    return module


def _game(module: ModuleType, file: str, options: str) -> Game:
    found = [
        member
        for member in vars(module).values()
        if inspect.isclass(member)
        and issubclass(member, Rules | SimpleRules)
        and member.__module__ == module.__name__
        and not inspect.isabstract(member)
    ]
    if len(found) != 1:
        raise ParameterError(
            f"{file} must define exactly one subclass of Rules or SimpleRules, not {len(found)}"
        )
    given = _options_of(found[0], file, options)
    text = ",".join(f"{key}={_written(value)}" for key, value in given.items())
    return make_python_game(file, text, engine_rules(found[0](**given)))


def _written(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _options_of(rules: type, file: str, text: str) -> dict[str, bool | int | str]:
    accepted = inspect.signature(rules).parameters
    given: dict[str, bool | int | str] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if key not in accepted or not equals:
            takes = ", ".join(accepted) or "no options"
            raise ParameterError(f"{file} has no option {item!r}; it takes {takes}")
        given[key] = _option(accepted[key].default, file, key, value)
    return given


def _option(default: object, file: str, key: str, value: str) -> bool | int | str:
    """Read the value of an option as its default is: yes or no, a number, or a text."""
    if isinstance(default, bool):
        if value not in ("true", "false"):
            raise ParameterError(f"the option {key} of {file} is true or false, not {value!r}")
        return value == "true"
    if value.removeprefix("-").isdecimal() and not isinstance(default, str):
        return int(value)
    if isinstance(default, int):
        raise ParameterError(f"the option {key} of {file} is a whole number, not {value!r}")
    return value
