"""The matches of an experiment: all trainings against each other, after the same part of each.

Every series is one line of a file; those that are there already are not played again. The openings
of a game are the same in all series, so that all entrants meet the same positions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

from athenan._core import Game, Stop, make_builtin_game
from athenan.arena import OPENINGS, Match, PlayerSpec, player
from athenan.arena.series import PlaySeries, SeriesSpec, in_turn
from athenan.experiments.plan import ExperimentPlan, Job
from athenan.experiments.results import (
    Entrant,
    SeriesResult,
    SoloResult,
    append_line,
    are_same,
    digest_of,
    end_the_last_line,
    read_series,
    seed_of,
)
from athenan.experiments.solo import SoloContest, is_for_two
from athenan.runs.snapshots import snapshot_file


class Contest:
    """Plays what the plan wants and the file of results does not have yet."""

    def __init__(self, plan: ExperimentPlan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.file = folder / "results.jsonl"
        self._solo = SoloContest(plan, folder, self._player, self._digest)

    @property
    def scores(self) -> list[SoloResult]:
        """The scores of the games for one, as far as they were played."""
        return self._solo.scores()

    def results(self) -> list[SeriesResult]:
        """Return the series of this plan that were played; a line cut by a crash is left out."""
        wanted, terms = set(self._keys()), ("", self.plan.terms)
        found = {result.key: result for result in read_series(self.file) if result.terms in terms}
        size = self.plan.contest.matches // 2
        ours = [each for each in found.values() if each.key in wanted and len(each.pairs) == size]
        current = [each for each in ours if are_same(each.models, self._digests(each.key))]
        return current + list(self._solo.results())

    def play(
        self,
        *,
        report: Callable[[int, int, int], None] = lambda _played, _total, _matches: None,
        stop: Stop | None = None,
        play: PlaySeries | None = None,
    ) -> list[SeriesResult]:
        """Play the series that are missing; return all of them. Raises Stopped when asked to.

        `report` hears how many series have been played, of how many, and the matches of others.

        Series in games for one player are played in this process, others by `play`.
        """
        keys = list(self._keys())
        done = {result.key for result in self.results()}.intersection(keys)
        end_the_last_line(self.file)
        total = len(keys) + self._solo.total
        for game in self.plan.games:
            made = make_builtin_game(game)
            missing = [key for key in keys if key[0] == game and key not in done]
            if missing:

                def hear(matches: int) -> None:
                    report(len(done), total, matches)

                for result in self._played(made, missing, play or in_turn, stop, hear):
                    append_line(self.file, asdict(result))
                    done.add(result.key)
                    report(len(done), total, 0)
        for count in self._solo.play(stop):
            report(len(done) + count, total, 0)
        return self.results()

    def _keys(self) -> Iterator[tuple[str, float, Entrant, Entrant]]:
        """Yield every series, the last fraction first: it matters most."""
        contest = self.plan.contest
        last = max(contest.fractions)
        for fraction in sorted(contest.fractions, reverse=True):
            is_whole = fraction == last or contest.earlier == "all"
            for game in filter(is_for_two, self.plan.games):
                entrants = [
                    Entrant(name, repetition + 1)
                    for repetition in range(self.plan.repetitions)
                    for name in self.plan.entrants_of(game)
                ]
                for a, b in combinations(entrants, 2) if is_whole else ():
                    if a.variant != b.variant and self._meet(game, a, b):
                        yield game, fraction, a, b
                for a in entrants:
                    for opponent in contest.opponents:
                        yield game, fraction, a, Entrant(opponent)

    def _meet(self, game: str, a: Entrant, b: Entrant) -> bool:
        contest, first = self.plan.contest, self.plan.entrants_of(game)[0]
        same_networks = not contest.play or a.repetition == b.repetition
        return same_networks and (contest.pairings == "all" or first in (a.variant, b.variant))

    def _played(
        self,
        game: Game,
        keys: list[tuple[str, float, Entrant, Entrant]],
        play: PlaySeries,
        stop: Stop | None,
        hear: Callable[[int], None],
    ) -> Iterator[SeriesResult]:
        contest = self.plan.contest
        openings = OPENINGS[contest.openings](game, contest.matches // 2, self.plan.seed, stop)

        def series(key: tuple[str, float, Entrant, Entrant]) -> SeriesSpec:
            name, fraction, a, b = key
            players = self._player(game, name, fraction, a), self._player(game, name, fraction, b)
            return SeriesSpec(game, *players, contest.matches, openings, seed_of(key))

        matches: defaultdict[int, list[Match]] = defaultdict(list)
        for number, match in play(map(series, keys), stop):
            matches[number].append(match)
            if len(matches[number]) == contest.matches:
                points = _points_of_pairs(matches.pop(number))
                key = keys[number]
                yield SeriesResult(*key, points, self.plan.terms, self._digests(key))
            else:
                hear(sum(map(len, matches.values())))

    def _player(self, game: Game, name: str, fraction: float, entrant: Entrant) -> PlayerSpec:
        contest, file = self.plan.contest, self._model_file(name, fraction, entrant)
        if file is None:
            return player(entrant.variant, game, contest.budget)
        search = contest.play.get(entrant.variant, contest.budget)
        return player(f"{file}@{search}", game)

    def _model_file(self, game: str, fraction: float, entrant: Entrant) -> Path | None:
        """Return where the model of an entrant is; an opponent has none."""
        if entrant.variant in self.plan.contest.opponents:
            return None
        variant = next(iter(self.plan.variants)) if self.plan.contest.play else entrant.variant
        job = Job(game, variant, entrant.repetition - 1, self.folder / "runs")
        return snapshot_file(job.run.snapshots, fraction)

    def _digests(self, key: tuple[str, float, Entrant, Entrant]) -> tuple[str, str]:
        game, fraction, a, b = key
        return self._digest(game, fraction, a), self._digest(game, fraction, b)

    def _digest(self, game: str, fraction: float, entrant: Entrant) -> str:
        return digest_of(self._model_file(game, fraction, entrant))


def _points_of_pairs(matches: list[Match]) -> tuple[float, ...]:
    points = {match.index: (match.gain + 1) / 2 for match in matches}
    return tuple(points[index] + points[index + 1] for index in range(0, len(points), 2))
