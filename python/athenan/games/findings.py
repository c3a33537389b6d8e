"""What `athenan check` finds, and where: a sentence and the moves that lead there."""

from __future__ import annotations

from dataclasses import dataclass, field

from athenan._core import State
from athenan.games.words import counted


@dataclass(frozen=True)
class Finding:
    """Something that a game does and should not."""

    name: str
    """Which promise is broken, in a word or two."""
    sentence: str
    moves: tuple[str, ...] | None = ()
    """From the start to the state in question; None if it is about no state alone."""
    grave: bool = True

    def __str__(self) -> str:
        """Say what happened, and after which moves."""
        place = "" if self.moves is None else where(self.moves)
        return f"{self.name}: {place}{self.sentence}"


@dataclass
class Visit:
    """A state of a random match, and what was seen in all matches before it."""

    state: State
    moves: tuple[str, ...]
    seen: Seen
    earlier: frozenset[str]
    """The positions of this match before it."""

    @property
    def board(self) -> str:
        """The position without the ply that the engine adds to it."""
        return board_of(self.state)


@dataclass
class Seen:
    """What equal positions and planes said when they were first met."""

    answers: dict[str, tuple[object, ...]] = field(default_factory=dict)
    players: dict[bytes, tuple[int, tuple[str, ...]]] = field(default_factory=dict)


def where(moves: tuple[str, ...]) -> str:
    """Write how a state is reached; of a long way the end.

    >>> where(()), where(("a1", "b2"))
    ('at the start ', 'after a1 b2 ')
    """
    if not moves:
        return "at the start "
    shown = " ".join(moves[-12:])
    return (
        f"after {shown} "
        if len(moves) <= 12
        else f"after {counted(len(moves), 'ply')}, the last {shown}, "
    )


def board_of(state: State) -> str:
    """Return the position without the ply that the engine adds where the board does not tell it."""
    position = state.position
    determined = state.game.datasheet.board_determines_ply
    return position if determined else position.rpartition(" @")[0]
