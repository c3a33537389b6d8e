"""Tournaments: every player against every other, or one against all others.

A tournament is a list of pairings, and each pairing is a series of its own with the same openings.
What its records file holds is not played again, so a tournament that was killed goes on where it
was.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

from athenan._core import Error, Game, Stop
from athenan.arena.conditions import Conditions
from athenan.arena.matches import MOST_WORKERS
from athenan.arena.openings import Opening, expect_openings
from athenan.arena.player import PlayerSpec
from athenan.arena.ratings import Rating, Results, ratings
from athenan.arena.record import Match
from athenan.arena.record_file import indices, of_series
from athenan.arena.search_player import SearchPlayerSpec
from athenan.arena.series import PlaySeries, SeriesSpec
from athenan.arena.statistics import Tally
from athenan.arena.tables import seed_of
from athenan.expected import (
    MOST_MATCHES,
    expect,
    expect_each,
    expect_game,
    expect_seed,
    expect_whole,
    wrong,
)
from athenan.machine import available_cores

Form = Literal["round-robin", "gauntlet"]
FORMS: tuple[Form, ...] = ("round-robin", "gauntlet")


class Pairing(NamedTuple):
    """Two players by their numbers; the first one is the a of their series."""

    a: int
    b: int


@dataclass(frozen=True)
class Tournament:
    """Who plays whom, how often, and under which conditions.

    >>> import athenan
    >>> from athenan.arena import distinct_openings, player
    >>> game = athenan.make_game("tic_tac_toe")
    >>> players = [player(text, game) for text in ("mcts:iterations=50", "minimax", "random")]
    >>> cup = Tournament(game, tuple(players), distinct_openings(game, 2), matches=4)
    >>> cup.pairings[0], cup.planned
    (Pairing(a=0, b=1), 12)
    >>> standings = Standings(cup)
    >>> for pairing, match in cup.play():
    ...     standings.add(pairing, match)
    >>> standings.order()[-1]
    2
    """

    game: Game
    players: tuple[PlayerSpec, ...]
    openings: Sequence[Opening]
    matches: int = 100
    """Of each pairing."""
    form: Form = "round-robin"
    """In a gauntlet the first player plays all others, who do not meet."""
    conditions: Conditions = Conditions()  # noqa: RUF009 (a value)
    seed: int = 0
    workers: int = 0

    def __post_init__(self) -> None:
        expect_game(self.game)
        what = "the players of a tournament, as player('mcts', game) returns them"
        players = expect_each(self.players, PlayerSpec, what)  # type: ignore[type-abstract]
        expect_openings(self.openings, self.game)
        expect_whole(self.matches, "the number of matches of a pairing", 0, MOST_MATCHES)
        expect_whole(self.workers, "the number of workers, 0 for one per core", 0, MOST_WORKERS)
        expect(self.conditions, Conditions, "Conditions")
        expect_seed(self.seed)
        if not isinstance(self.form, str) or self.form not in FORMS:
            raise wrong(self.form, f"the form of a tournament, {' or '.join(FORMS)}")
        names = [each.name for each in players]
        if len(names) < 2:
            raise Error(f"a tournament needs two players or more, not {len(names)}")
        for name in names:
            if names.count(name) > 1:
                raise Error(f"two players have the name {name!r}: give each a name of its own")

    @property
    def pairings(self) -> list[Pairing]:
        """Who meets whom."""
        if self.form == "gauntlet":
            return [Pairing(0, other) for other in range(1, len(self.players))]
        return [Pairing(a, b) for a, b in combinations(range(len(self.players)), 2)]

    @property
    def planned(self) -> int:
        """How many matches there are in all."""
        return len(self.pairings) * self.matches

    def played(self, records: Iterable[Match]) -> list[tuple[Pairing, Match]]:
        """Return which of these matches belong to this tournament."""
        records = list(records)
        return [
            (pairing, match)
            for number, pairing in enumerate(self.pairings)
            for match in of_series(
                records,
                self.game,
                self._pair(pairing),
                seed_of(self.seed, number),
                self.openings,
                self.matches,
                self.conditions.control,
            )
        ]

    def play(
        self,
        played: Sequence[tuple[Pairing, Match]] = (),
        stop: Stop | None = None,
        play: PlaySeries | None = None,
    ) -> Generator[tuple[Pairing, Match], None, None]:
        """Play all matches but those that were `played`, and yield each when it ends.

        In this process they are played pairing by pairing, unless there is somebody else to play.
        """
        if play is not None:
            for number, match in play(self.series(played), stop):
                yield self.pairings[number], match
            return
        with ExitStack() as stack:
            cup = self._with_shared_evaluators(stack)
            for pairing, series in zip(cup.pairings, cup.series(played), strict=True):
                if series.missing:
                    for match in series.play(stop, cup.workers):
                        yield pairing, match

    def series(self, played: Sequence[tuple[Pairing, Match]] = ()) -> Iterator[SeriesSpec]:
        """Yield the series of each pairing, without the matches that were `played`."""
        for number, pairing in enumerate(self.pairings):
            yield SeriesSpec(
                self.game,
                *self._pair(pairing),
                self.matches,
                self.openings,
                seed_of(self.seed, number),
                self.conditions,
                indices([match for other, match in played if other == pairing]),
            )

    def _with_shared_evaluators(self, stack: ExitStack) -> Tournament:
        """Make the evaluator of each player without a clock once for the whole tournament."""
        timed = self.conditions.control.is_timed or any(each.is_timed for each in self.players)
        if timed:
            return self
        threads = self.workers or available_cores()
        players = tuple(
            stack.enter_context(each.sharing(threads))
            if isinstance(each, SearchPlayerSpec)
            else each
            for each in self.players
        )
        values = {**vars(self), "players": players}
        return Tournament(**values)

    def _pair(self, pairing: Pairing) -> tuple[PlayerSpec, PlayerSpec]:
        return self.players[pairing.a], self.players[pairing.b]


class Standings:
    """The tallies of all pairings so far, and the ratings that follow from them."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = expect(tournament, Tournament, "a Tournament")
        self.tallies = {pairing: Tally() for pairing in tournament.pairings}

    def add(self, pairing: Pairing, match: Match) -> None:
        """Count one more match."""
        self.tallies[pairing].add(match)

    @property
    def played(self) -> int:
        """How many matches have ended, those that do not count included."""
        return sum(tally.played for tally in self.tallies.values())

    def points(self, player: int, opponent: int | None = None) -> tuple[float, int]:
        """Return the points of a player and its counted matches, in all or against one other."""
        points, matches = 0.0, 0
        for pairing, tally in self.tallies.items():
            if player in pairing and (opponent is None or opponent in pairing):
                counts = tally.counts
                share = counts.score if pairing.a == player else 1 - counts.score
                points, matches = points + share * counts.matches, matches + counts.matches
        return round(2 * points) / 2, matches

    def faults(self, player: int) -> int:
        """Return how many matches a fault of a player ended."""
        return sum(
            tally.faults[pairing.index(player)]
            for pairing, tally in self.tallies.items()
            if player in pairing
        )

    def ratings(self) -> list[Rating]:
        """Return the Elo rating of each player above the mean of all."""
        units = {pairing: tally.openings for pairing, tally in self.tallies.items()}
        return ratings(len(self.tournament.players), Results.of(units))

    def order(self) -> list[int]:
        """Return the players, the best rated first."""
        found = self.ratings()
        return sorted(range(len(found)), key=lambda player: -found[player].elo)
