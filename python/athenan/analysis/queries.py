"""Queries of the JSON-lines engine: what a line asks for, checked field by field."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from athenan._core import Error, Game, Search, SearchSpec, State
from athenan.analysis.analyse import EXPANSIONS, limited
from athenan.evaluators import Evaluator
from athenan.games import make_game
from athenan.games.python_files import is_python_file
from athenan.searches import combined, refuse_silent

MAX_LINE = 1 << 20  # characters
MAX_PLIES = 10_000  # positions of one query
MAX_ID = 200  # characters

Id = str | int


@dataclass(frozen=True)
class Query:
    """Positions to judge, and how."""

    id: Id
    states: tuple[State, ...]
    """From the first position to that after the last move."""
    moves: tuple[str, ...]
    wanted: tuple[int, ...]
    """Which of the states are judged."""
    is_match: bool
    """Whether the mistakes are told as well."""
    spec: SearchSpec
    seed: int
    priority: int
    report_every: float
    """Seconds between two answers that are not final; 0 for none."""
    top: int | None


class Command(NamedTuple):
    """Something else than a query: cancel, status or version."""

    id: Id | None
    action: str
    query: Id | None


class Refusal(Error):  # noqa: N818 (it is answered, not raised to a user)
    """What cannot be answered, with the id of the line if it has one."""

    def __init__(self, identity: Id | None, sentence: str) -> None:
        super().__init__(sentence)
        self.id = identity


class Field(NamedTuple):
    """What a field of a query accepts."""

    accepts: Callable[[Any], bool]
    words: str


def _integer(low: int, high: int) -> Field:
    return Field(
        lambda value: type(value) is int and low <= value <= high,
        f"an integer from {low} to {high}",
    )


def _number(low: float, high: float) -> Field:
    return Field(
        lambda value: type(value) in (int, float) and math.isfinite(value) and low <= value <= high,
        f"a number from {low:g} to {high:g}",
    )


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _plies(value: Any) -> bool:
    return value == "all" or (
        isinstance(value, list) and all(type(each) is int and each >= 0 for each in value)
    )


TEXT = Field(lambda value: isinstance(value, str), "a text")
IDENTITY = Field(
    lambda value: type(value) is int or (isinstance(value, str) and len(value) <= MAX_ID),
    f"a text of at most {MAX_ID} characters or an integer",
)
QUERY: Mapping[str, Field] = {
    "id": IDENTITY,
    "game": TEXT,
    "position": TEXT,
    "moves": Field(_texts, "a list of texts"),
    "plies": Field(_plies, 'a list of integers from 0 on, or "all"'),
    "search": TEXT,
    "expansions": _integer(1, 10**12),
    "seconds": _number(0.001, 1e6),
    "seed": _integer(0, 2**63),
    "priority": _integer(-(10**9), 10**9),
    "report_every": _number(0.01, 1e6),
    "top": _integer(1, 10**6),
}
"""The fields of a query."""
COMMAND: Mapping[str, Field] = {"id": IDENTITY, "action": TEXT, "query": IDENTITY}
ACTIONS = ("cancel", "status", "version")


def read_line(line: str) -> dict[str, Any]:
    """Return the object of a line."""
    if len(line) > MAX_LINE:
        raise Refusal(None, f"a line may have {MAX_LINE} characters, not {len(line)}")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as problem:
        reason = str(problem).split("\n")[0] if isinstance(problem, ValueError) else "too deep"
        raise Refusal(None, f"this line is not JSON: {reason}") from None
    if not isinstance(data, dict):
        raise Refusal(None, f"a query is a JSON object, not {type(data).__name__}")
    return data


def read_command(data: dict[str, Any]) -> Command:
    """Return the command of an object that has an action."""
    _check(data, COMMAND)
    if data["action"] not in ACTIONS:
        raise Refusal(
            _id_of(data),
            f"there is no action {data['action']!r}; there are {', '.join(ACTIONS)}",
        )
    return Command(_id_of(data), data["action"], data.get("query"))


class QueryReader:
    """Makes queries of objects, for one engine: its game, its search, its evaluator."""

    def __init__(
        self,
        game: Game,
        spec_of: Callable[[Game], SearchSpec],
        evaluator: Evaluator,
        memory_mb: int,
    ) -> None:
        self._game = game
        self._spec_of = spec_of
        self._evaluator = evaluator
        self._memory_mb = memory_mb

    def read(self, data: dict[str, Any]) -> Query:
        """Return the query of an object; refuse it in one sentence."""
        _check(data, QUERY)
        if "id" not in data:
            raise Refusal(None, "a query needs an id, by which it is answered")
        try:
            return self._read(data)
        except Error as problem:
            raise Refusal(data["id"], str(problem)) from None

    def _read(self, data: dict[str, Any]) -> Query:
        game = self._game_of(data.get("game"))
        texts = data.get("moves", [])
        if len(texts) >= MAX_PLIES:
            raise Error(f"a query may have {MAX_PLIES - 1} moves, not {len(texts)}")
        states, moves = _played(game, data.get("position"), texts)
        plies = data.get("plies", [len(moves)])
        wanted = tuple(range(len(states))) if plies == "all" else tuple(dict.fromkeys(plies))
        if any(ply > len(moves) for ply in wanted):
            raise Error(f"the query has {len(moves)} moves: its plies are 0 to {len(moves)}")
        return Query(
            id=data["id"],
            states=states,
            moves=moves,
            wanted=wanted,
            is_match=plies == "all",
            spec=self._spec(game, data),
            seed=data.get("seed", 0),
            priority=data.get("priority", 0),
            report_every=data.get("report_every", 0.0),
            top=data.get("top"),
        )

    def _game_of(self, text: str | None) -> Game:
        if text is None or text == self._game.id:
            return self._game
        if is_python_file(text):
            raise Error(f"the Python game {text} runs only if the engine was started with it")
        return make_game(text)

    def _spec(self, game: Game, data: dict[str, Any]) -> SearchSpec:
        spec = combined(self._spec_of(game), data.get("search", ""))
        limits = {name: data[name] for name in ("expansions", "seconds") if name in data}
        if len(limits) > 1:
            raise Error("expansions and seconds exclude each other: give one of them")
        if limits:
            spec = spec.unlimited.with_(**limits)
        refuse_silent(spec, self._evaluator.says_of_moves, "the model of the engine")
        own = int(spec.options["memory_mb"])
        share = min(own, self._memory_mb) if own and self._memory_mb else own or self._memory_mb
        made = limited(spec, EXPANSIONS).with_(memory_mb=share)
        Search(game, made)  # refuses a terminal evaluation that makes no sense for the game
        return made


def _played(
    game: Game, position: str | None, texts: list[str]
) -> tuple[tuple[State, ...], tuple[str, ...]]:
    states = [game.initial_state() if position is None else game.parse_position(position)]
    moves = []
    for text in texts:
        move = states[-1].parse_move(text)
        moves.append(states[-1].move_to_string(move))
        states.append(states[-1].play(move))
    return tuple(states), tuple(moves)


def _id_of(data: dict[str, Any]) -> Id | None:
    identity = data.get("id")
    return identity if IDENTITY.accepts(identity) else None


def _check(data: dict[str, Any], fields: Mapping[str, Field]) -> None:
    identity = _id_of(data)
    for name, value in data.items():
        if name not in fields:
            raise Refusal(identity, f"there is no field {name!r}; there are {', '.join(fields)}")
        if not fields[name].accepts(value):
            raise Refusal(identity, f"{name} takes {fields[name].words}")
