"""A series as a value: what two players are to play, wherever that is.

A `PlaySeries` plays several series: one after the other in this process, or on other
machines, match by match and in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from athenan._core import Game, Stop
from athenan.arena.conditions import Conditions
from athenan.arena.matches import play_matches
from athenan.arena.openings import Opening
from athenan.arena.player import PlayerSpec
from athenan.arena.record import Match


@dataclass(frozen=True)
class SeriesSpec:
    """Some matches of two players; see `play_matches`."""

    game: Game
    a: PlayerSpec
    b: PlayerSpec
    matches: int
    openings: Sequence[Opening]
    seed: int = 0
    conditions: Conditions = Conditions()  # noqa: RUF009 (a value)
    played: frozenset[int] = frozenset()
    """Matches that need not be played again, by their indices."""

    @property
    def missing(self) -> list[int]:
        """The matches that are still to be played."""
        return [index for index in range(self.matches) if index not in self.played]

    def play(self, stop: Stop | None = None, workers: int = 0) -> Generator[Match, None, None]:
        """Play what is missing and yield each match when it ends."""
        return play_matches(
            self.game,
            self.a,
            self.b,
            self.matches,
            seed=self.seed,
            workers=workers,
            openings=self.openings,
            conditions=self.conditions,
            played=self.played,
            stop=stop,
        )


Played = Generator[tuple[int, Match], None, None]
PlaySeries = Callable[[Iterable[SeriesSpec], Stop | None], Played]
"""Plays what is missing of some series; yields each match with the number of its series."""


def in_turn(series: Iterable[SeriesSpec], stop: Stop | None = None) -> Played:
    """Play one series after the other, in this process.

    >>> import athenan
    >>> from athenan.arena import distinct_openings, player
    >>> game = athenan.make_game("tic_tac_toe")
    >>> players = player("mcts:iterations=50", game), player("random", game)
    >>> one = SeriesSpec(game, *players, 4, distinct_openings(game, 2), played=frozenset({0}))
    >>> sorted((number, match.index) for number, match in in_turn([one, one]))
    [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]
    """
    for number, each in enumerate(series):
        for match in each.play(stop):
            yield number, match


def only_matches(played: Played) -> Generator[Match, None, None]:
    """Yield the matches without the numbers of their series."""
    with closing(played):
        for _, match in played:
            yield match
