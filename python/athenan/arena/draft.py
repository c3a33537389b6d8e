"""A player as its text describes it: what comes before a `PlayerSpec`.

Nothing is read and nothing runs before a draft is asked for its game or for its spec.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from athenan._core import Game, ParameterError
from athenan.arena.player import PlayerSpec
from athenan.searches import read_model
from athenan.zoo import model_path

if TYPE_CHECKING:
    from athenan.networks import Model

MAX_THREADS = 1024


class Draft(Protocol):
    """What a text says of a player, without a game and a budget as yet."""

    @property
    def game(self) -> str | None:
        """The game that it is made for, if there is only one."""
        return None

    def spec(self, game: Game, budget: str = "") -> PlayerSpec:
        """Return the player of a game; `budget`, as in "seconds=1", is for one without a limit."""


@dataclass(frozen=True)
class SearchingDraft(Draft):
    """A search in any language, with the network of a model or without one."""

    text: str
    search: str
    path: Path | None = None
    """Of its model; without one it knows only what it proves."""
    threads: int = 0
    """Of its evaluator; 0 leaves that to who makes the player."""

    @cached_property
    def model(self) -> Model | None:
        """The model, read when it is asked for."""
        return read_model(self.path) if self.path else None

    @property
    def game(self) -> str | None:
        """The game of its model, if it has one."""
        return self.model.game if self.model else None


def split_model(text: str) -> tuple[Path | None, str]:
    """Split a text such as runs/hex5@reference:ubfm into the model's path and the rest."""
    named, _, search = text.rpartition("@")
    return (model_path(named) or Path(named), search) if named else (None, text)


def without_threads(text: str) -> tuple[str, int]:
    """Take threads=N, which is for the evaluator, out of the options of a search.

    >>> without_threads("mcts:seconds=1,threads=2"), without_threads("threads=2")
    (('mcts:seconds=1', 2), ('', 2))
    """
    head, colon, options = text.rpartition(":")
    words = options.split(",")
    given = [word.removeprefix("threads=") for word in words if word.startswith("threads=")]
    others = ",".join(word for word in words if not word.startswith("threads="))
    return f"{head}{colon}{others}" if others else head, _threads(given[-1]) if given else 0


def _threads(number: str) -> int:
    if not number.isdecimal() or not 1 <= int(number) <= MAX_THREADS:
        raise ParameterError(f"threads is a number from 1 to {MAX_THREADS}, not {number!r}")
    return int(number)
