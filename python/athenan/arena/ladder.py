"""A ladder: one player at several budgets against opponents from weak to strong.

Each rung is a series of its own, the very one that `athenan match` plays with the same players,
openings and seed: whatever a ladder says can be repeated rung by rung.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

from athenan._core import Error, Game, Stop
from athenan.arena.conditions import Conditions
from athenan.arena.matches import play_matches
from athenan.arena.openings import Opening
from athenan.arena.player import PlayerSpec
from athenan.arena.record import Match
from athenan.arena.record_file import indices, of_series
from athenan.arena.statistics import Tally

USUAL_OPPONENTS = (
    "random",
    "mcts:iterations=100",
    "mcts:iterations=1000",
    "mcts:iterations=10000",
)
"""Whom every game for two has."""


@dataclass(frozen=True)
class Rung:
    """One budget of the player against one opponent, and what came of it."""

    player: PlayerSpec
    opponent: PlayerSpec
    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True)
class Ladder:
    """Who climbs, against whom, and under which conditions.

    >>> import athenan
    >>> from athenan.arena import distinct_openings, player
    >>> game = athenan.make_game("tic_tac_toe")
    >>> climber = [player("minimax", game)]
    >>> opponents = [player("random", game), player("mcts:iterations=50", game)]
    >>> ladder = Ladder(game, climber, opponents, distinct_openings(game, 2), matches=4)
    >>> rungs = ladder.rungs()
    >>> for rung, match in ladder.climb(rungs):
    ...     rung.tally.add(match)
    >>> [rung.tally.counts.matches for rung in rungs]
    [4, 4]
    """

    game: Game
    players: Sequence[PlayerSpec]
    opponents: Sequence[PlayerSpec]
    openings: Sequence[Opening]
    matches: int = 100
    """Of each rung."""
    seed: int = 0
    workers: int = 0
    conditions: Conditions = Conditions()  # noqa: RUF009 (a value)

    def __post_init__(self) -> None:
        if self.game.datasheet.players != 2:
            raise Error(f"{self.game.id} is a game for one: a ladder needs opponents")
        for side in (self.players, self.opponents):
            names = [each.name for each in side]
            if twice := [name for name in names if names.count(name) > 1]:
                raise Error(f"the player {twice[0]!r} is named twice")
        for pair in product(self.players, self.opponents):
            if pair[0].name == pair[1].name:
                raise Error(f"the player {pair[0].name!r} is its own opponent")

    def rungs(self, played: Iterable[Match] = ()) -> list[Rung]:
        """Return all rungs, with those matches counted that have been `played` already."""
        records = list(played)
        found = [Rung(*pair) for pair in product(self.players, self.opponents)]
        for rung in found:
            for match in self._known(rung, records):
                rung.tally.add(match)
        return found

    def _known(self, rung: Rung, records: Iterable[Match]) -> list[Match]:
        return of_series(
            records,
            self.game,
            (rung.player, rung.opponent),
            self.seed,
            self.openings,
            self.matches,
            self.conditions.control,
        )

    def climb(
        self, rungs: Sequence[Rung], played: Iterable[Match] = (), stop: Stop | None = None
    ) -> Generator[tuple[Rung, Match], None, None]:
        """Play all matches but those that were `played`, rung by rung, and yield each."""
        records = list(played)
        for rung in rungs:
            done = indices(self._known(rung, records))
            if len(done) == self.matches:
                continue
            series = play_matches(
                self.game,
                rung.player,
                rung.opponent,
                self.matches,
                seed=self.seed,
                workers=self.workers,
                openings=self.openings,
                conditions=self.conditions,
                played=done,
                stop=stop,
            )
            for match in series:
                yield rung, match
