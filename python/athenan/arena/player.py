"""What a player is: someone who thinks about positions and names moves.

A new kind of player is a subclass of `Player` that thinks, and one of `PlayerSpec` that makes it;
docs/playing.md has an example.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple, Self

from athenan._core import Budget, Game, State, Stop
from athenan.searches import SearchResult


class Thought(NamedTuple):
    """The move that a player chose, and what it found out if it tells."""

    move: int
    result: SearchResult | None = None


class Player(ABC):
    """One who plays a side, match after match. One thread at a time may ask it."""

    name: str

    def begin(self, game: Game, seed: int) -> None:  # noqa: B027 (some forget nothing)
        """Begin a new match: what was thought about another one is forgotten."""

    @abstractmethod
    def think(
        self, state: State, budget: Budget | None = None, stop: Stop | None = None
    ) -> Thought:
        """Choose a move in a state that is not ended.

        `budget` replaces the player's own. A request to stop ends the thinking at once; the move
        is the best so far.
        """

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

    def within(self, megabytes: int) -> PlayerSpec:  # noqa: ARG002 (some need next to none)
        """Return this player with so much memory for its tree, unless it names its own limit."""
        return self

    @abstractmethod
    def make(self, game: Game, threads: int = 0) -> Player:
        """Make the player, which uses so many threads; 0 is one per core."""
