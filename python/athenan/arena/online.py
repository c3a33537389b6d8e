"""Players that go on learning while they play, as texts; `online_player` is what they do.

runs/hex5@online                                      the search of the model, learning after it
runs/hex5@online:ubfm-safe:expansions=50              another search
runs/hex5@online:ubfm-safe:expansions=50,rate=1e-3    with another learning rate
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from athenan._core import Game, ParameterError, Search, SearchSpec
from athenan.arena.draft import SearchingDraft, split_model, without_threads
from athenan.arena.player import PlayerSpec
from athenan.searches import check_model, combined, within_memory

if TYPE_CHECKING:
    from athenan.arena.online_player import OnlinePlayer
    from athenan.networks import Model

PREFIX = "online"
RATE = 1e-4
"""The learning rate, unless it is named."""


@dataclass(frozen=True, eq=False)
class OnlinePlayerSpec(PlayerSpec):
    """A model, the search that it plays with, and how fast it goes on learning."""

    name: str
    model: Model
    search: SearchSpec
    rate: float = RATE
    threads: int = 0
    """Of its evaluator; 0 leaves that to who makes the player."""

    @property
    def description(self) -> str:
        """Its name and its search."""
        return f"{self.name} with {self.search}"

    @property
    def is_timed(self) -> bool:
        """Whether seconds limit its thinking."""
        return self.search.is_timed

    def make(self, game: Game, threads: int = 0) -> OnlinePlayer:
        """Make the player, with a network of its own."""
        from athenan.arena.online_player import OnlinePlayer
        from athenan.evaluators import network_evaluator

        evaluator = network_evaluator(
            self.model.network,
            threads=self.threads or threads,
            batch_invariant=not self.search.is_timed,
        )
        search, network = within_memory(self.search), self.model.network
        return OnlinePlayer(self.name, game, search, network, evaluator, self.rate)

    def within(self, megabytes: int) -> OnlinePlayerSpec:
        """Return this player with so much memory for its tree, unless it names its own limit."""
        if self.search.options["memory_mb"]:
            return self
        return replace(self, search=self.search.with_(memory_mb=megabytes))


@dataclass(frozen=True)
class OnlineDraft(SearchingDraft):
    """A model that goes on learning."""

    rate: float = RATE

    def spec(self, game: Game, budget: str = "") -> OnlinePlayerSpec:
        """Return the player of a game; `budget` is for one without a limit."""
        if self.model is None:
            raise ParameterError(
                f"the player {self.text!r} learns while it plays, and has no network: name a model "
                "before it, as in runs/hex5@online"
            )
        search = combined(SearchSpec(self.model.search), self.search, budget)
        if not search.algorithm.needs_evaluator:
            raise ParameterError(
                f"the player {self.text!r} uses no network, so it has nothing to learn"
            )
        check_model(self.model, game, search, f"the model {str(self.path)!r}")
        Search(game, search)  # refuses a terminal evaluation that makes no sense for the game
        return OnlinePlayerSpec(self.text, self.model, search, self.rate, self.threads)


def read_online(text: str) -> OnlineDraft | None:
    """Read a text such as runs/hex5@online:ubfm-safe:expansions=50."""
    path, search = split_model(text)
    if search.partition(":")[0] != PREFIX:
        return None
    search, threads = without_threads(search)
    search, rate = without_rate(search)
    return OnlineDraft(text, search, path, threads, rate)


def without_rate(text: str) -> tuple[str, float]:
    """Return the search of a text that begins with online, and the learning rate.

    >>> without_rate("online:ubfm:expansions=9,rate=1e-3"), without_rate("online")
    (('ubfm:expansions=9', 0.001), ('', 0.0001))
    """
    head, _, words = text.removeprefix(PREFIX).removeprefix(":").rpartition(":")
    options = words.split(",")
    rates = [word.removeprefix("rate=") for word in options if word.startswith("rate=")]
    others = ",".join(word for word in options if not word.startswith("rate="))
    search = f"{head}:{others}" if head and others else head or others
    return search, _number(rates[-1]) if rates else RATE


def search_of(text: str) -> str:
    """Return the search of what follows a model and @ in the text of a player.

    >>> search_of("online:expansions=9,rate=1e-3"), search_of("ubfm:expansions=9")
    ('expansions=9', 'ubfm:expansions=9')
    """
    return without_rate(text)[0] if text.partition(":")[0] == PREFIX else text


def _number(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not 0 < rate <= 1:
        raise ParameterError(
            f"rate is the learning rate, a number above 0 and up to 1, not {text!r}"
        )
    return rate
