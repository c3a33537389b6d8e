"""Engines from texts: gtp:"gnugo --mode gtp"@seconds=1, or a name from an engines.toml."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from athenan._core import Error, Game, ParameterError
from athenan.arena.draft import Draft
from athenan.arena.engines.driver import Driver
from athenan.arena.engines.player import EngineSpec, refuse_limit
from athenan.arena.engines.registry import DRIVERS

FILE = "engines.toml"
OWN = {
    "seconds": float,
    "nodes": int,
    "depth": int,
    "threads": int,
    "timeout": float,
    "time": str,
    "dialect": str,
    "directory": str,
    "transcript": Path,
}
"""What may be said of an engine beside its command and the options of its protocol."""
GAMES = "games"
"""Of a table: the games for which `athenan ladder` takes the engine by itself."""
TIME_MODELS = ("clock", "move", "none")
LONGEST = 1e6


@dataclass(frozen=True)
class EngineDraft(Draft):
    """An engine, whose game is named where it is used."""

    spec_without_game: EngineSpec

    def spec(self, game: Game, budget: str = "") -> EngineSpec:
        """Return the player of a game; a budget is for one that names no limit."""
        from athenan.dialects import dialect_for

        spec = self.spec_without_game
        dialect_for(spec.protocol, game, spec.dialect)
        name, _, value = budget.partition("=")
        name = "nodes" if name == "expansions" else name
        if spec.seconds or spec.nodes or spec.depth or name not in DRIVERS[spec.protocol].limits:
            return spec
        return replace(spec, **{name: OWN[name](value)})


def read_command(text: str) -> EngineDraft | None:
    """Read protocol:"command"@options; None for the text of another kind."""
    protocol, colon, rest = text.partition(":")
    if not colon or protocol not in DRIVERS:
        return None
    command, options = _split(rest)
    if not command.strip():
        raise ParameterError(f'the player {text!r} has no command; write {protocol}:"program …"')
    given = dict(_pair(each) for each in options.split(",") if each)
    return EngineDraft(engine_spec(text, {"protocol": protocol, "command": command} | given))


def read_name(text: str, file: Path | None = None) -> EngineDraft | None:
    """Read the name of an engine in an engines.toml: in that file, or where such files are."""
    for path in [file] if file else usual_files():
        name, _, options = text.partition("@")
        if name in (engines := engines_of(path)):
            given = dict(_pair(each) for each in options.split(",") if each)
            return EngineDraft(engine_spec(name, engines[name] | given))
    return None


def usual_files() -> list[Path]:
    """Return the files of engines that there are, in the order in which they are asked."""
    configured = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    places = [Path(FILE), Path(configured) / "athenan" / FILE]
    return [each for each in places if each.is_file()]


def engines_for(game: Game, file: Path | None = None) -> list[str]:
    """Return the names of the engines whose `games` name a game, as in games = ["go"]."""
    found = {}
    for path in [file] if file else reversed(usual_files()):
        for name, table in engines_of(path).items():
            games = table.get(GAMES, [])
            if not isinstance(games, list):
                raise Error(f"in {str(path)!r}, games of {name} is a list of names of games")
            found[name] = game.name in games or game.id in games
    return [name for name, plays in found.items() if plays]


def engines_of(file: Path) -> dict[str, dict[str, Any]]:
    """Read a file of engines: a table for each."""
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise Error(f"the engines file {str(file)!r} cannot be read: {problem}") from None
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise Error(
                f"in {str(file)!r}, {name} is not an engine: write [{name}] and its command"
            )
    return tables


def engine_spec(name: str, table: Mapping[str, Any]) -> EngineSpec:
    """Return the engine of a table; what is no setting of ours is an option of its protocol.

    >>> spec = engine_spec("fairy", {"protocol": "uci", "command": "fairy-stockfish", "nodes": 9})
    >>> spec.nodes, spec.options
    (9, {})
    """
    known = {each.name for each in fields(EngineSpec)} | {GAMES}
    protocol, command = table.get("protocol"), table.get("command")
    if protocol not in DRIVERS:
        raise ParameterError(
            f"the engine {name} needs a protocol, one of {', '.join(DRIVERS)}, not {protocol!r}"
        )
    if not isinstance(command, str) or not command.strip():
        raise ParameterError(f"the engine {name} needs a command, not {command!r}")
    own = {key: _own(name, key, table[key]) for key in OWN if key in table}
    for limit in Driver.limits:
        if limit in own:
            refuse_limit(protocol, limit, name)
    if "threads" in own and not DRIVERS[protocol].has_threads:
        raise ParameterError(
            f"{protocol} has no command for the threads of the engine {name}. "
            "The engine's own options may have one"
        )
    options = {key: value for key, value in table.items() if key not in known}
    options |= _texts(name, "options", table.get("options", {}))
    return EngineSpec(
        name=name,
        protocol=protocol,
        command=command,
        options={key: _text(value) for key, value in options.items()},
        environment=_texts(name, "environment", table.get("environment", {})),
        **own,
    )


def _own(name: str, key: str, value: Any) -> Any:
    try:
        read = OWN[key](value)
    except (TypeError, ValueError):
        raise ParameterError(f"{key} of the engine {name} is wrong: {value!r}") from None
    if isinstance(read, int | float) and not 0 <= read <= (LONGEST if key != "nodes" else 1e15):
        raise ParameterError(f"{key} of the engine {name} is out of range: {value!r}")
    if key == "time" and read not in TIME_MODELS:
        raise ParameterError(
            f"time of the engine {name} is one of {', '.join(TIME_MODELS)}, not {value!r}"
        )
    return read


def _texts(name: str, key: str, table: Any) -> dict[str, str]:
    if not isinstance(table, Mapping):
        raise ParameterError(f"{key} of the engine {name} is a table, not {table!r}")
    return {str(each): _text(value) for each, value in table.items()}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _split(rest: str) -> tuple[str, str]:
    """Split a command, perhaps in quotes, from the options after it."""
    if rest[:1] not in ('"', "'"):
        return rest, ""
    end = rest.find(rest[0], 1)
    if end < 0:
        raise ParameterError(f"the command {rest} has no closing quote")
    command, after = rest[1:end], rest[end + 1 :]
    if after and not after.startswith("@"):
        raise ParameterError(
            f"after the command {rest[: end + 1]} come @ and options, not {after!r}"
        )
    return command, after[1:]


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ParameterError(f"an option of an engine is name=value, not {text!r}")
    return name.strip(), value.strip()
