"""The matches of an experiment: all trainings against each other, after the same part of each.

Every series is one line of a file; those that are there already are not played again. The openings
of a game are the same in all series, so that all entrants meet the same positions.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

from athenan._core import Error, Game, Stop, make_builtin_game
from athenan.arena import OPENINGS, Match, PlayerSpec, play_matches, player
from athenan.experiments.plan import ExperimentPlan, Job
from athenan.runs.snapshots import snapshot_file


@dataclass(frozen=True, order=True)
class Entrant:
    """A model of a training, or an opponent, whose repetition is 0."""

    variant: str
    repetition: int = 0
    """From 1 on."""


@dataclass(frozen=True)
class SeriesResult:
    """A series: the points of its pairs of matches, from 0 to 2, for the first entrant."""

    game: str
    fraction: float
    a: Entrant
    b: Entrant
    pairs: tuple[float, ...]

    @property
    def key(self) -> tuple[str, float, Entrant, Entrant]:
        """What makes it this series and no other."""
        return self.game, self.fraction, self.a, self.b


class Contest:
    """Plays what the plan wants and the file of results does not have yet."""

    def __init__(self, plan: ExperimentPlan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.file = folder / "results.jsonl"

    def results(self) -> list[SeriesResult]:
        """Return the series of this plan that were played; a line cut by a crash is left out."""
        wanted = set(self._keys())
        found = {result.key: result for result in _read(self.file)}
        size = self.plan.contest.matches // 2
        return [each for each in found.values() if each.key in wanted and len(each.pairs) == size]

    def play(
        self,
        *,
        report: Callable[[int, int], None] = lambda _played, _total: None,
        stop: Stop | None = None,
    ) -> list[SeriesResult]:
        """Play the series that are missing; return all of them. Raises Stopped when asked to."""
        keys, done = list(self._keys()), {result.key for result in self.results()}
        _end_the_last_line(self.file)
        for game in self.plan.games:
            made = make_builtin_game(game)
            missing = [key for key in keys if key[0] == game and key not in done]
            if missing:
                for result in self._played(made, missing, stop):
                    _append(self.file, result)
                    done.add(result.key)
                    report(len(done), len(keys))
        return self.results()

    def _keys(self) -> Iterator[tuple[str, float, Entrant, Entrant]]:
        """Yield every series, the last fraction first: it matters most."""
        contest = self.plan.contest
        for fraction in sorted(contest.fractions, reverse=True):
            for game in self.plan.games:
                entrants = [
                    Entrant(variant, repetition + 1)
                    for repetition in range(self.plan.repetitions)
                    for variant in self.plan.variants
                ]
                for a, b in combinations(entrants, 2):
                    if a.variant != b.variant and self._meet(a, b):
                        yield game, fraction, a, b
                for a in entrants:
                    for opponent in contest.opponents:
                        yield game, fraction, a, Entrant(opponent)

    def _meet(self, a: Entrant, b: Entrant) -> bool:
        first = next(iter(self.plan.variants))
        return self.plan.contest.pairings == "all" or first in (a.variant, b.variant)

    def _played(
        self, game: Game, keys: list[tuple[str, float, Entrant, Entrant]], stop: Stop | None
    ) -> Iterator[SeriesResult]:
        contest = self.plan.contest
        openings = OPENINGS[contest.openings](game, contest.matches // 2, self.plan.seed, stop)
        for key in keys:
            name, fraction, a, b = key
            players = self._player(game, name, fraction, a), self._player(game, name, fraction, b)
            series = play_matches(
                game, *players, contest.matches, seed=_seed(key), openings=openings, stop=stop
            )
            yield SeriesResult(*key, _points_of_pairs(list(series)))

    def _player(self, game: Game, name: str, fraction: float, entrant: Entrant) -> PlayerSpec:
        budget = self.plan.contest.budget
        if entrant.repetition == 0:
            return player(entrant.variant, game, budget)
        job = Job(name, entrant.variant, entrant.repetition - 1, self.folder / "runs")
        return player(f"{snapshot_file(job.run.snapshots, fraction)}@{budget}", game)


def _points_of_pairs(matches: list[Match]) -> tuple[float, ...]:
    points = {match.index: (match.gain + 1) / 2 for match in matches}
    return tuple(points[index] + points[index + 1] for index in range(0, len(points), 2))


def _seed(key: tuple[str, float, Entrant, Entrant]) -> int:
    """Return a seed that only this series has, on any machine."""
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:4], "big")


def _append(file: Path, result: SeriesResult) -> None:
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(asdict(result)) + "\n")
        lines.flush()
        os.fsync(lines.fileno())


def _end_the_last_line(file: Path) -> None:
    """Let what follows begin on a line of its own, after a line that a crash has cut."""
    if file.exists() and (text := file.read_bytes()) and not text.endswith(b"\n"):
        with file.open("ab") as lines:
            lines.write(b"\n")


def _read(file: Path) -> Iterator[SeriesResult]:
    if not file.exists():
        return
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            data = json.loads(text)
        except ValueError:
            continue  # cut by a crash
        try:
            yield SeriesResult(
                data["game"],
                float(data["fraction"]),
                Entrant(**data["a"]),
                Entrant(**data["b"]),
                tuple(map(float, data["pairs"])),
            )
        except (LookupError, TypeError, ValueError):
            raise Error(f"{file}, line {number}: this is no result of a series") from None
