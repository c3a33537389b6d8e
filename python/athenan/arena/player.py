"""What a player is: someone who thinks about positions and names moves.

A new kind of player is a subclass of `Player` that thinks, and one of `PlayerSpec` that makes it;
docs/playing.md has an example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import is_dataclass, replace
from typing import Literal, NamedTuple, Self

from athenan._core import Budget, Error, Game, State, Stop
from athenan.arena.clocks import Clock
from athenan.expected import expect, expect_state, expect_stop
from athenan.searches import SearchResult

FaultKind = Literal["crash", "hang", "illegal", "malformed", "late"]


class Fault(Error):  # noqa: N818 (one word, as in --faults)
    """A player failed to do its part: a finding about the player, not a result of the match.

    It died (crash), did not answer (hang), named a move that the rules refuse (illegal), said what
    cannot be understood (malformed), or answered after its time (late).
    """

    def __init__(self, kind: FaultKind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: FaultKind = kind
        self.who: int | None = None
        """The side at fault, once the referee knows it."""


class Resigned(Exception):  # noqa: N818 (it is no error)
    """A player gives up instead of naming a move."""


class Thought(NamedTuple):
    """The move that a player chose, and what it found out if it tells."""

    move: int
    result: SearchResult | None = None


class Player(ABC):
    """One who plays a side, match after match. One thread at a time may ask it."""

    name: str

    def begin(self, game: Game, seed: int) -> None:  # noqa: B027 (some forget nothing)
        """Begin a new match: what was thought about another one is forgotten.

        What takes long, such as the start of a process, belongs here: no clock runs. This, `think`
        and `hear` may raise a `Fault`.
        """

    def set_clock(self, clock: Clock | None) -> None:  # noqa: B027 (some need not hurry)
        """Hear what is left of the time, before each `think`; None where no clock runs."""

    @abstractmethod
    def think(
        self, state: State, budget: Budget | None = None, stop: Stop | None = None
    ) -> Thought:
        """Choose a move in a state that is not ended.

        `budget` replaces the player's own. A request to stop ends the thinking at once; the move
        is the best so far. Who gives up raises `Resigned`.
        """

    @property
    def value(self) -> float | None:
        """What it made of the state it thought about last, from the first player's point of view.

        +1 is a sure win of the first player; None if it does not say.
        """
        return None

    def hear(self, state: State, move: int) -> None:  # noqa: B027 (some need not know)
        """Hear of a move that somebody played in a state, oneself included."""

    @property
    def is_exclusive(self) -> bool:
        """Whether it thinks with what no other player should use meanwhile, such as a GPU."""
        return False

    def close(self) -> None:  # noqa: B027 (some hold nothing to give back)
        """Give back threads and memory."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def refuse_wrong_question(state: object, budget: object, stop: object) -> None:
    """Refuse what a player cannot be asked about."""
    expect_state(state)
    expect_stop(stop)
    if budget is not None:
        expect(budget, Budget, "a Budget or None")


class PlayerSpec(ABC):
    """Describes a player: a value that is cheap to keep, to compare and to hand around."""

    name: str

    @property
    def description(self) -> str:
        """What it is, in full."""
        return self.name

    @property
    def is_timed(self) -> bool:
        """Whether a clock limits its thinking: then what it plays depends on the machine."""
        return False

    @property
    def thinks_elsewhere(self) -> bool:
        """Whether it thinks in another process, and costs this one next to nothing."""
        return False

    def within(self, megabytes: int) -> PlayerSpec:  # noqa: ARG002 (some need next to none)
        """Return this player with so much memory for its tree, unless it names its own limit."""
        return self

    def called(self, name: str) -> PlayerSpec:
        """Return this player under another name, as far as it can have one."""
        return replace(self, name=name) if is_dataclass(self) and self.name != name else self

    @abstractmethod
    def make(self, game: Game, threads: int = 0) -> Player:
        """Make the player, which uses a number of threads; 0 is one per core."""
