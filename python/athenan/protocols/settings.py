"""What can be set of athenan as an engine, by the command line or by a protocol's options."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from athenan._core import Game, ParameterError
from athenan.arena.player import PlayerSpec
from athenan.arena.players import read_player, usual_player
from athenan.arena.search_player import SearchPlayerSpec

MAX_SEED = 2**63
MAX_EXPANSIONS = 10**12
DEFAULT_SECONDS = 1.0
"""Per turn, where neither the player nor the protocol names a limit."""
USUAL_LIMIT = f"seconds={DEFAULT_SECONDS:g}"


@dataclass(frozen=True)
class Settings:
    """The options of an engine, as a value.

    >>> Settings().with_option("Expansions", "50").expansions
    50
    >>> Settings().with_option("threads", "many")
    Traceback (most recent call last):
    ...
    athenan._core.ParameterError: the option threads takes an integer from 0 to 1024, not 'many'
    """

    model: str = ""
    """A player as everywhere: a model, a run, a search, an engine; empty is base MCTS."""
    expansions: int = 0
    seconds: float = 0
    seed: int | None = None
    """Of the next match; None draws one."""
    threads: int = 0
    ponder: bool = False
    """Think while the opponent does, where the protocol leaves this to the engine."""
    multipv: int = 1
    """How many moves a protocol's analysis shows."""

    def with_option(self, name: str, value: str) -> Settings:
        """Return the settings after an option is set; names are read in any case."""
        option = OPTIONS.get(name.lower())
        if option is None:
            raise ParameterError(f"there is no option {name!r}; there are {', '.join(OPTIONS)}")
        try:
            read = option.read(value.strip())
        except (ValueError, OverflowError):
            raise ParameterError(
                f"the option {name} takes {option.accepted}, not {value!r}"
            ) from None
        return replace(self, **{name.lower(): read})

    def without_player(self) -> Settings:
        """Return what does not need another player when it changes."""
        return replace(self, seed=None, ponder=False, multipv=1)

    def spec(self, game: Game, usual: str = USUAL_LIMIT) -> PlayerSpec:
        """Return the player; `usual` limits a search that has no other limit."""
        budget = ""
        if self.expansions:
            budget = f"expansions={self.expansions}"
        elif self.seconds:
            budget = f"seconds={self.seconds:g}"
        draft = read_player(self.model or usual_player(game))
        spec = draft.spec(game, budget)
        if isinstance(spec, SearchPlayerSpec) and not spec.search.is_limited:
            return draft.spec(game, usual)
        return spec

    def match_seed(self) -> int:
        """Return the seed of a match."""
        return secrets.randbits(62) if self.seed is None else self.seed


class Option(NamedTuple):
    """One option: how it is read, and what protocols tell of it."""

    read: Callable[[str], Any]
    accepted: str
    kind: str
    """UCI's word: string, spin or check."""
    bounds: tuple[int, int] | None = None


def _integer(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text)
        if not low <= number <= high:
            raise ValueError
        return number

    return read


def _spin(low: int, high: int) -> Option:
    return Option(_integer(low, high), f"an integer from {low} to {high}", "spin", (low, high))


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= 1e6:
        raise ValueError
    return seconds


def _truth(text: str) -> bool:
    return {"true": True, "false": False, "1": True, "0": False}[text.lower()]


def _check(text: str) -> bool:
    try:
        return _truth(text)
    except KeyError:
        raise ValueError from None


OPTIONS = {
    "model": Option(str, "a model, a run, or any player", "string"),
    "expansions": _spin(0, MAX_EXPANSIONS),
    "seconds": Option(_seconds, "a number of seconds, 0 for no limit", "string"),
    "seed": _spin(0, MAX_SEED),
    "threads": _spin(0, 1024),
    "ponder": Option(_check, "true or false", "check"),
    "multipv": _spin(1, 500),
}
"""By name; each is a field of the settings."""

assert {each.name for each in fields(Settings)} == OPTIONS.keys()
