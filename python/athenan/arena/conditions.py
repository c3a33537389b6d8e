"""The conditions of a match: its time control, what is adjudicated, and what a fault costs.

Adjudication is named by texts, any number of them:

proven             by a completed search of the referee's own, 200 expansions after each move
proven=5000        likewise with 5,000 expansions
agreed=0.9x4       the values of both players were beyond 0.9 for the same side, 4 moves of each
resign=0.95x3      a player that values its own side below -0.95 for 3 of its moves has resigned
length=200         a match of 200 plies is a draw
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from athenan._core import ParameterError
from athenan.arena.clocks import LONGEST, TimeControl
from athenan.expected import expect, expect_number, expect_whole, wrong

FORMS = "proven, proven=5000, agreed=0.9x4, resign=0.95x3 or length=200"
MOST = 10**9
EXPANSIONS = 200  # of the referee after each move, if it is to prove outcomes

_TEXT = re.compile(r"(proven|agreed|resign|length)(?:=(\d+(?:\.\d+)?)(?:x(\d+))?)?")


class Threshold(NamedTuple):
    """A value, and for how many moves it must be exceeded."""

    value: float
    moves: int


@dataclass(frozen=True)
class Adjudication:
    """How a referee may end a match before its rules do; 0 and None are never.

    >>> Adjudication.parse(["proven", "agreed=0.9x4"])
    Adjudication(proven=200, agreed=Threshold(value=0.9, moves=4), resign=None, length=0)
    """

    proven: int = 0
    """Expansions of the referee's own search after each move."""
    agreed: Threshold | None = None
    resign: Threshold | None = None
    length: int = 0

    def __post_init__(self) -> None:
        expect_whole(self.proven, "the expansions of a proof", 0, MOST)
        expect_whole(self.length, "the plies of an adjudicated match", 0, MOST)
        for name in ("agreed", "resign"):
            if (limit := getattr(self, name)) is not None:
                object.__setattr__(self, name, _threshold(limit, name))

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Adjudication:
        """Read texts as at the top of this file."""
        found = cls()
        for text in texts:
            found = found._with(text)
        return found

    def _with(self, text: str) -> Adjudication:
        name, number, moves = given.groups() if (given := _TEXT.fullmatch(text)) else ("",) * 3
        if name in ("agreed", "resign") and moves and float(number) > 0 and int(moves) > 0:
            limit = Threshold(float(number), int(moves))
            return replace(self, agreed=limit) if name == "agreed" else replace(self, resign=limit)
        whole = EXPANSIONS if name == "proven" and not number else _count(number)
        if whole and not moves and name == "proven":
            return replace(self, proven=whole)
        if whole and not moves and name == "length":
            return replace(self, length=whole)
        raise ParameterError(f"there is no adjudication {text!r}; accepted are {FORMS}")


@dataclass(frozen=True)
class Conditions:
    """What both players of a match accept."""

    control: TimeControl = TimeControl()  # noqa: RUF009 (a value)
    margin: float = 0.1
    """Seconds that a move may come late: the clock of the referee is not that of the player."""
    faults: Literal["void", "lose"] = "void"
    """Whether a fault makes the match void, which is the default, or loses it."""
    adjudication: Adjudication = Adjudication()

    def __post_init__(self) -> None:
        expect(self.control, TimeControl, "a TimeControl, as in TimeControl.parse('5+0.1')")
        expect(self.adjudication, Adjudication, "an Adjudication, as Adjudication.parse reads it")
        expect_number(self.margin, "the margin of a clock", 0, LONGEST)
        if not isinstance(self.faults, str) or self.faults not in ("void", "lose"):
            raise wrong(self.faults, "what a fault makes of a match, 'void' or 'lose'")

    @property
    def need_referee(self) -> bool:
        """Whether anybody must look on: otherwise two searches may play in a pool."""
        limits = self.control.is_timed or self.control.nodes
        return bool(limits) or self.adjudication != Adjudication()


def _count(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and int(text) <= MOST else 0


def _threshold(limit: object, name: str) -> Threshold:
    """Return a threshold, given as one or as a pair."""
    what = f"{name} to be None or a pair of a value above 0 and a number of moves, as in (0.9, 4)"
    if not isinstance(limit, tuple) or len(limit) != 2:
        raise wrong(limit, what)
    value = expect_number(limit[0], f"the value of {name}", sys.float_info.min)
    return Threshold(value, expect_whole(limit[1], f"the moves of {name}", 1, MOST))
