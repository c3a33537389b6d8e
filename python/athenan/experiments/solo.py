"""The matches of an experiment in games for one player.

Every entrant plays alone, from the same openings. Two entrants are compared opening by opening, as
if they had played a pair of matches there: the higher score takes its 2 points, equal scores share
them. So what is said of pairs of matches holds for these, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

from athenan._core import Error, Game, Stop, make_builtin_game
from athenan.arena import PlayerSpec, SearchPlayerSpec, play_alone, solo_openings
from athenan.experiments.plan import ExperimentPlan
from athenan.experiments.results import (
    Entrant,
    SeriesResult,
    SoloResult,
    append_line,
    are_same,
    end_the_last_line,
    read_scores,
    seed_of,
)

MakePlayer = Callable[[Game, str, float, Entrant], PlayerSpec]
Digest = Callable[[str, float, Entrant], str]
"""Of the model of an entrant."""
Key = tuple[str, float, Entrant]


def is_for_two(game: str) -> bool:
    """Whether a game has two players."""
    return make_builtin_game(game).datasheet.players == 2


class SoloContest:
    """Plays what the plan wants of its games for one and the file of scores does not have yet."""

    def __init__(
        self, plan: ExperimentPlan, folder: Path, make: MakePlayer, digest: Digest
    ) -> None:
        self._plan = plan
        self._file = folder / "scores.jsonl"
        self._make = make
        self._digest = digest
        self._games = [game for game in plan.games if not is_for_two(game)]

    @property
    def total(self) -> int:
        """How many series there will be."""
        return len(list(self._keys()))

    def scores(self) -> list[SoloResult]:
        """Return what was played; a line cut by a crash is left out."""
        wanted, matches = set(self._keys()), self._plan.contest.matches
        terms = ("", self._plan.terms)
        found = {result.key: result for result in read_scores(self._file) if result.terms in terms}
        ours = [each for each in found.values() if each.key in wanted]
        whole = [each for each in ours if len(each.scores) == matches]
        return [each for each in whole if are_same(each.models, (self._digest(*each.key),))]

    def results(self) -> Iterator[SeriesResult]:
        """Yield the comparison of every two entrants that have played.

        An opponent's luck must not be in the comparisons with all trainings: each of them meets
        another of its series.
        """
        opponents, paired = self._plan.contest.opponents, bool(self._plan.contest.play)
        for one, other in combinations(self.scores(), 2):
            a, b = one.entrant, other.entrant
            same_place = (one.game, one.fraction) == (other.game, other.fraction)
            if not same_place or a.variant == b.variant:
                continue
            if a.variant in opponents:
                one, other, a, b = other, one, b, a
            if a.variant in opponents:
                continue
            if (paired or b.variant in opponents) and a.repetition != b.repetition:
                continue
            points = [
                1.0 + (x > y) - (x < y) for x, y in zip(one.scores, other.scores, strict=True)
            ]
            yield SeriesResult(one.game, one.fraction, a, b, tuple(points), alone=True)

    def play(self, stop: Stop | None) -> Iterator[int]:
        """Play what is missing; yield how many series have been played. Raises Stopped."""
        done = {result.key for result in self.scores()}
        count = len(done)
        end_the_last_line(self._file)
        for key in self._keys():
            if key not in done:
                append_line(self._file, asdict(self._played(key, stop)))
                count += 1
                yield count

    def _keys(self) -> Iterator[Key]:
        contest = self._plan.contest
        for fraction in sorted(contest.fractions, reverse=True):
            for game in self._games:
                for repetition in range(self._plan.repetitions):
                    for name in (*self._plan.entrants_of(game), *contest.opponents):
                        yield game, fraction, Entrant(name, repetition + 1)

    def _played(self, key: Key, stop: Stop | None) -> SoloResult:
        name, fraction, entrant = key
        game, matches = make_builtin_game(name), self._plan.contest.matches
        openings = solo_openings(game, matches, self._plan.seed)
        player = self._make(game, name, fraction, entrant)
        if not isinstance(player, SearchPlayerSpec):
            raise Error(f"{entrant.variant!r} is no search: it cannot play {name} alone")
        seed = seed_of(key)
        played = play_alone(game, player, matches, openings=openings, seed=seed, stop=stop)
        found = {each.number: each.score for each in played}
        scores = tuple(found[index] for index in range(matches))
        return SoloResult(*key, scores, self._plan.terms, (self._digest(*key),))
