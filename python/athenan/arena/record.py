"""The record of a match, whoever played it, and its one form as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from athenan._core import Error, State

VERSION = 1


@dataclass(frozen=True)
class Effort:
    """What one player spent in a match, or in several."""

    moves: int = 0
    seconds: float = 0.0
    """Not a number where matches shared a pool: there a clock runs while others work."""
    expansions: int = 0
    evaluations: int = 0

    def __add__(self, other: Effort) -> Effort:
        """Return both together."""
        return Effort(
            self.moves + other.moves,
            self.seconds + other.seconds,
            self.expansions + other.expansions,
            self.evaluations + other.evaluations,
        )

    @property
    def per_move(self) -> dict[str, float | None]:
        """What a move cost on average; None where nothing was measured."""
        return {
            f"{name}_per_move": finite(spent / self.moves) if self.moves and spent else None
            for name, spent in asdict(self).items()
            if name != "moves"
        }


@dataclass(frozen=True)
class Match:
    """One match, also an unfinished one: the position and the moves replay it."""

    game: str
    position: str
    """Where it began."""
    players: tuple[str, ...]
    """The name of the first player, and of the second if there is one."""
    moves: tuple[str, ...]
    """In the notation of the game."""
    outcome: int | None
    """+1, 0 or -1 for the first player; None before the end."""
    reason: str | None = None
    """What ended it if not the rules: "resigned"."""
    opening: int = 0
    """How many of the moves were the opening, played by nobody."""
    efforts: tuple[Effort, ...] = ()
    """Of the first player and of the second, where they were measured."""
    memory_full: int = 0
    """How many searches the limit of memory ended."""
    index: int = 0
    """In a series: in the even matches a plays first, in the odd ones b."""
    seed: int = 0

    @property
    def gain(self) -> int:
        """+1, 0 or -1 for the player a of a series."""
        assert self.outcome is not None
        return -self.outcome if self.index % 2 else self.outcome

    @property
    def efforts_of_players(self) -> tuple[Effort, Effort]:
        """Of the players a and b of a series."""
        first, second = self.efforts
        return (second, first) if self.index % 2 else (first, second)

    def as_json(self) -> dict[str, Any]:
        """Return everything, ready for JSON; what was not measured becomes null."""
        efforts = [asdict(each) | {"seconds": finite(each.seconds)} for each in self.efforts]
        return {"version": VERSION, **asdict(self), "efforts": efforts}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Match:
        """Return the match of `as_json`.

        >>> match = Match("tic_tac_toe", "3/3/3 x", ("a", "b"), ("b2",), None)
        >>> Match.from_json(match.as_json()) == match
        True
        """
        values = {name: value for name, value in data.items() if name != "version"}
        if data.get("version") != VERSION or not values.keys() <= cls.__dataclass_fields__.keys():
            raise Error(f"this is no record of a match in the version {VERSION} of its form")
        lists = {name: tuple(data[name]) for name in ("players", "moves")}
        efforts = tuple(
            Effort(**{**each, "seconds": math.nan if each["seconds"] is None else each["seconds"]})
            for each in data["efforts"]
        )
        return cls(**{**values, **lists, "efforts": efforts})


def finite(number: float) -> float | None:
    """Return a number that JSON can hold: None for one that is not finite."""
    return number if math.isfinite(number) else None


def notation_of(start: State, moves: Iterable[int]) -> tuple[str, ...]:
    """Return moves in the notation of the game."""
    notation = []
    for move in moves:
        notation.append(start.move_to_string(move))
        start = start.play(move)
    return tuple(notation)
