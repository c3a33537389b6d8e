"""The record of a match between any players, and its one form as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from athenan._core import Error, ParameterError, State
from athenan.expected import expect, is_text, whole_of, wrong

VERSION = 3
READABLE = (1, 2, 3)
"""Version 1 had neither who nor sentence, control, seconds and values; 2 had no descriptions."""
FAULTS = ("crash", "hang", "illegal", "malformed", "late")
"""Reasons that are a player's failure, not a result."""
NO_RECORD = "this is not a record of a match: parts are missing or of a wrong kind"
LISTS = ("players", "moves", "seconds", "values", "descriptions")


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


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _is_effort(value: object) -> bool:
    return isinstance(value, Effort) and all(map(_is_number, vars(value).values()))


TUPLES: dict[str, tuple[Callable[[object], bool], str]] = {
    "players": (is_text, "names"),
    "moves": (is_text, "moves as texts"),
    "descriptions": (is_text, "texts"),
    "efforts": (_is_effort, "Efforts"),
    "seconds": (_is_number, "numbers"),
    "values": (lambda value: value is None or _is_number(value), "numbers and None"),
}
"""What the parts of a match hold that are tuples."""


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
    """What ended it if not the rules: "resigned", "time" (a flag fell), "proven", "agreed" (both
    players' values), "length", or the kind of a fault: one of `FAULTS`."""
    opening: int = 0
    """How many of the moves were the opening, which no player chose."""
    efforts: tuple[Effort, ...] = ()
    """Of the first player and of the second, where they were measured."""
    memory_full: int = 0
    """How many searches the limit of memory ended."""
    index: int = 0
    """In a series: in the even matches a plays first, in the odd ones b."""
    seed: int = 0
    who: int | None = None
    """Who resigned, ran out of time or was at fault: 0 for the first player, 1 for the second."""
    sentence: str = ""
    """What happened, where the reason does not say it all."""
    control: str = ""
    """The time control."""
    seconds: tuple[float, ...] = ()
    """How long each move after the opening took, where a clock was looked at."""
    values: tuple[float | None, ...] = ()
    """What its player made of the state before each of these moves: the first player's; None where
    it did not say. Empty if not recorded."""
    descriptions: tuple[str, ...] = field(default=(), repr=False)
    """Of the players, in full: two of one name may differ in how long they think."""

    def __post_init__(self) -> None:
        if (part := self._wrong_part()) is not None:
            name, what = part
            raise wrong(getattr(self, name), f"the {name} of a match to be {what}")

    @property
    def is_fault(self) -> bool:
        """Whether a player's failure ended it."""
        return self.reason in FAULTS

    @property
    def gain(self) -> int:
        """+1, 0 or -1 for the player a of a series."""
        if self.outcome is None:
            raise Error("the match has no outcome, so no player gained anything")
        return -self.outcome if self.index % 2 else self.outcome

    @property
    def who_of_players(self) -> int | None:
        """Who resigned, ran out of time or was at fault: 0 for the player a, 1 for b."""
        return None if self.who is None else self.who ^ (self.index % 2)

    @property
    def efforts_of_players(self) -> tuple[Effort, Effort]:
        """Of the players a and b of a series."""
        first, second = (*self.efforts, Effort(), Effort())[:2]
        return (second, first) if self.index % 2 else (first, second)

    def _repr_svg_(self) -> str | None:
        from athenan.arena.showing import svg_of_match

        return svg_of_match(self)

    def _repr_html_(self) -> str:
        from athenan.arena.showing import html_of_match

        return html_of_match(self)

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
        expect(data, dict, "the data of a match, as as_json returns them")
        values = {name: value for name, value in data.items() if name != "version"}
        known = cls.__dataclass_fields__.keys()
        if data.get("version") not in READABLE or not values.keys() <= known:
            raise Error(
                f"this is not a record of a match in a version from 1 to {VERSION} of its form"
            )
        try:
            lists = {name: tuple(data[name]) for name in LISTS if name in data}
            efforts = tuple(_effort(each) for each in data["efforts"])
            return cls(**{**values, **lists, "efforts": efforts})
        except (TypeError, LookupError, AttributeError, ParameterError):
            raise Error(NO_RECORD) from None

    def _wrong_part(self) -> tuple[str, str] | None:
        """Return which part cannot be that of a match, and what it must be; not whether the moves
        are legal; replaying them shows that.
        """
        for name in ("game", "position", "sentence", "control"):
            if not is_text(getattr(self, name)):
                return name, "a text"
        for name in ("opening", "index", "seed", "memory_full"):
            number = getattr(self, name)
            if type(number) is not int or number < 0:
                return name, "a whole number from 0"
        for name, (fits, what) in TUPLES.items():
            values = getattr(self, name)
            if type(values) is not tuple or not all(map(fits, values)):
                return name, f"a tuple of {what}"
        if not 1 <= len(self.players) <= 2:
            return "players", "one name or two"
        if len(self.descriptions) not in (0, len(self.players)):
            return "descriptions", "one for each player, or none"
        if len(self.efforts) > len(self.players):
            return "efforts", "at most one for each player"
        if self.opening > len(self.moves):
            return "opening", "at most the number of its moves"
        if self.outcome is not None and whole_of(self.outcome) not in (-1, 0, 1):
            return "outcome", "+1, 0, -1 or None"
        if self.who is not None and whole_of(self.who) not in (0, 1):
            return "who", "0, 1 or None"
        if self.reason is not None and not is_text(self.reason):
            return "reason", "a text or None"
        return None


def _effort(data: dict[str, Any]) -> Effort:
    return Effort(**{**data, "seconds": math.nan if data["seconds"] is None else data["seconds"]})


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
