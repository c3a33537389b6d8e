"""Games in Python files: run when the user names the file, recorded by what the file says.

Such a file is a program. `load_game` alone runs one, for `make_game`, because the user named it.
Models, settings and runs record its name and the SHA-256 of its content; by these `recorded_game`
finds a file that was loaded before, and never loads one.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from types import ModuleType

from athenan._core import Error, Game, ParameterError, make_builtin_game, make_python_game
from athenan.games.rules import Rules
from athenan.games.simple import SimpleRules
from athenan.games.value_rules import ValueRules
from athenan.programs import (
    classes_in,
    load_program,
    named_as,
    named_before,
    options_of,
    options_text,
    refuse_unfinished,
    sha256_of,
)


def is_python_file(identity: str) -> bool:
    """Tell whether a game's text names a Python file."""
    return identity.partition(":")[0].endswith(".py")


def names_game_file(text: str) -> bool:
    """Tell whether a text is a file with a game, and not one with a search; this runs the file."""
    file, _, options = text.partition(":")
    if not (file.endswith(".py") and Path(file).is_file()) or (options and "=" not in options):
        return False
    return bool(classes_in(load_program(Path(file), "game file"), (Rules, SimpleRules)))


def load_game(identity: str) -> Game:
    """Make a game of the file that the user names, with options for its constructor."""
    file, _, options = identity.partition(":")
    return _game(load_program(Path(file), "game file"), file, options)


def author_of(game: Game) -> object:
    """Return the object that the author of a Python game wrote; None of a built-in game."""
    rules: object = game.__reduce__()[1][1]  # type: ignore[index]
    return rules.simple if isinstance(rules, ValueRules) else rules


def forget_values(game: Game) -> None:
    """Let a simple game be asked anew: drop what is remembered of its states."""
    rules: object = game.__reduce__()[1][1]  # type: ignore[index]
    if isinstance(rules, ValueRules):
        rules.forget()


def engine_rules(rules: object) -> object:
    """Return what the engine asks, of the rules that an author wrote."""
    return ValueRules(rules) if isinstance(rules, SimpleRules) else rules


# Records.


def record_of(game: Game) -> tuple[str, str]:
    """Return how files name a game: its text and, of a game in a Python file, the file's SHA-256.

    That text has the name of the file alone: it may lie elsewhere on another machine.
    """
    sha256 = sha256_of(type(author_of(game)))
    return (_without_folder(game.id), sha256) if sha256 else (game.id, "")


def recorded_game(identity: str, sha256: str) -> Game | None:
    """Make the game that a file records; None for a Python file that the user has not named."""
    if not is_python_file(identity):
        return make_builtin_game(identity)
    module = named_before(sha256)
    file, _, options = _without_folder(identity).partition(":")
    return None if module is None else _game(module, file, options)


def known_game(identity: str) -> Game | None:
    """Make the game of a record that has no SHA-256; of a Python file the one named here before."""
    if not is_python_file(identity):
        return make_builtin_game(identity)
    file, _, options = identity.partition(":")
    module = named_as(file)
    return None if module is None else _game(module, file, options)


def refuse_other_game(
    game: Game, identity: str, sha256: str, what: str, free: Collection[str] = ()
) -> None:
    """Refuse a game that is not the one which `what`, as in "the model x", was trained on.

    `free` are options that may differ. Older files have no SHA-256: of them only the names are
    compared.
    """
    (found, own), wanted = record_of(game), _without_folder(identity)
    if own and own == sha256:  # the same file, whatever its name is now
        found, wanted = (each.partition(":")[2] for each in (found, wanted))
    elif own and sha256 and is_python_file(identity):
        raise Error(f"{game.id} is not the game file with which {what} was trained")
    if _without_options(found, free) != _without_options(wanted, free):
        raise Error(f"{what} plays {identity}, not {game.id}")


def game_of_record(
    given: Game | None, identity: str, sha256: str, what: str, how: str = "--game"
) -> Game:
    """Make the game that `what` was trained on; of a Python file the user must have given it.

    `how` is what to write before the file, or with {} in its place.
    """
    if given is not None:
        refuse_other_game(given, identity, sha256, what)
        return given
    made = recorded_game(identity, sha256)
    if made is None:
        text = _without_folder(identity)
        raise Error(
            f"{what} was trained on the Python game {text}; name its file, as in "
            + (how if "{}" in how else f"{how} {{}}").replace("{}", text)
        )
    return made


def _without_options(identity: str, names: Collection[str]) -> str:
    name, _, options = identity.partition(":")
    kept = [each for each in options.split(",") if each.partition("=")[0] not in names]
    return f"{name}:{','.join(kept)}"


def _without_folder(identity: str) -> str:
    file, colon, options = identity.partition(":")
    return Path(file).name + colon + options if is_python_file(identity) else identity


# Classes.


def _game(module: ModuleType, file: str, options: str) -> Game:
    found = classes_in(module, (Rules, SimpleRules))
    if not found:
        refuse_unfinished(module, file, (Rules, SimpleRules))
    if len(found) != 1:
        raise ParameterError(
            f"{file} must define exactly one subclass of Rules or SimpleRules, not {len(found)}"
        )
    given = options_of(found[0], file, options)
    return make_python_game(file, options_text(given), engine_rules(found[0](**given)))
