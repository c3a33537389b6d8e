"""What the matches of an experiment prove: scores of variants against each other.

The repetitions of a variant differ more than the matches of one training: two trainings are two
draws of luck, however many matches they play. So the spread of a score comes from a bootstrap that
draws the repetitions of both sides anew. Their scores have the luck of their matches in them:
drawing the matches too would count it twice. A bootstrap of few repetitions is too narrow: its
spread is widened by √(n / (n − 1)), and the interval is that of Student's t. Compare a variant with
its own copy under another name to see it: no difference is found in 95 of 100 such comparisons.

An interval is never narrower than that of the matches alone, which is the one that `athenan match`
gives for them. With one repetition there is nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from athenan.arena.record import finite
from athenan.arena.scores import Unit, Units, elo_difference
from athenan.experiments.results import SeriesResult

DRAWS = 2000  # of the bootstrap
CONFIDENCE = 0.95
MAX_QUANTILE = 13.0  # above that of one degree of freedom
STEPS = 40  # of a bisection: more digits than any result needs

Scores = NDArray[np.float64]
Picks = NDArray[np.int64]
Table = dict[tuple[int, int], Scores]
"""The points of the pairs of matches, from 0 to 1, by the repetitions of both sides."""


@dataclass(frozen=True)
class Comparison:
    """The score of the variant a against b, a variant or an opponent, in one game."""

    game: str
    fraction: float
    a: str
    b: str
    score: float
    low: float
    high: float
    matches: int
    repetitions: tuple[int, int]
    """Of a and of b; an opponent has one."""

    @property
    def elo(self) -> tuple[float, float, float]:
        """The Elo difference, and those of both ends of the interval."""
        return elo_difference(self.score), elo_difference(self.low), elo_difference(self.high)

    @property
    def is_clear(self) -> bool:
        """Whether one of the two is the stronger, with 95 % confidence."""
        return not self.low <= 0.5 <= self.high

    def as_json(self) -> dict[str, Any]:
        """Return everything, ready for JSON; what is not finite becomes null."""
        return asdict(self) | {"elo": [finite(each) for each in self.elo]}


def comparisons(
    results: Sequence[SeriesResult], *, seed: int = 0, draws: int = DRAWS
) -> list[Comparison]:
    """Return a comparison for every game, fraction and pairing of variants, both ways round."""
    tables: dict[tuple[str, float, str, str], Table] = {}
    played: dict[tuple[str, float, str, str], dict[object, int]] = {}
    for result in results:
        scores, count = np.array(result.pairs) / 2, len(result.pairs)
        for a, b, points in ((result.a, result.b, scores), (result.b, result.a, 1 - scores)):
            key = result.game, result.fraction, a.variant, b.variant
            tables.setdefault(key, {})[a.repetition, b.repetition] = points
            both = ((a, count), (b, count)) if result.alone else (((a, b), 2 * count),)
            played.setdefault(key, {}).update(both)
    return [
        _comparison(key, tables[key], sum(played[key].values()), seed, draws)
        for key in sorted(tables)
    ]


def _comparison(
    key: tuple[str, float, str, str], table: Table, matches: int, seed: int, draws: int
) -> Comparison:
    firsts, seconds = sorted({i for i, _ in table}), sorted({j for _, j in table})
    random = np.random.default_rng(seed)
    score = float(np.mean([points.mean() for points in table.values()]))
    paired = is_paired(table)
    lucks = random.integers(len(firsts), size=(draws, len(firsts)))
    others = lucks if paired else random.integers(len(seconds), size=(draws, len(seconds)))
    found = scores_of_trainings(table, (firsts, seconds), (lucks, others), paired)
    sides = (len(firsts),) if paired else (len(firsts), len(seconds))
    repeated = [count for count in sides if count > 1]
    spread = spread_of(found, sum(repeated) - len(repeated), min(repeated, default=1))
    alone = Units.of(Unit(2 * each, 2) for points in table.values() for each in points).interval()
    low, high = min(score - spread, alone.low), max(score + spread, alone.high)
    repetitions = len(firsts), len(seconds)
    return Comparison(*key, score, max(0.0, low), min(1.0, high), matches, repetitions)


def is_paired(table: Table) -> bool:
    """Whether searches with the networks of the same trainings met: one draw is for both."""
    return all(i == j for i, j in table)


def scores_of_trainings(
    table: Table,
    repetitions: tuple[Sequence[int], Sequence[int]],
    lucks: tuple[Picks, Picks],
    paired: bool,
) -> Scores:
    """Return the scores of draws of the repetitions.

    `lucks` has the places of the repetitions that each draw takes. What has not been played, as
    in an experiment that was stopped, is left out of the means.
    """
    firsts, seconds = repetitions
    draws = len(lucks[0])
    cells = np.full((len(firsts), len(seconds)), np.nan)
    for (first, second), points in table.items():
        cells[firsts.index(first), seconds.index(second)] = points.mean()
    grid = (
        cells[lucks]
        if paired
        else cells[lucks[0][:, :, None], lucks[1][:, None, :]].reshape(draws, -1)
    )
    played = ~np.isnan(grid)
    total, count = np.where(played, grid, 0).sum(axis=1), played.sum(axis=1)
    scores: Scores = np.divide(total, count, out=np.full(draws, np.nan), where=count > 0)
    return scores


def scores_of_matches(table: Table, draws: int, random: np.random.Generator) -> Scores:
    """Return the scores of draws of the pairs of matches."""
    scores = np.zeros(draws)
    for points in table.values():
        picks = random.integers(len(points), size=(draws, len(points)))
        scores += points[picks].mean(axis=1) / len(table)
    return scores


def spread_of(trainings: Scores, freedom: int, repetitions: int) -> float:
    """Return half the width of an interval, from draws of the repetitions; 0 of a single one."""
    if repetitions < 2:
        return 0.0
    widening = math.sqrt(repetitions / (repetitions - 1))
    return quantile(freedom) * widening * float(np.nanstd(trainings))


def quantile(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's t; that of the normal law for freedom 0.

    >>> [round(quantile(freedom), 3) for freedom in (1, 2, 4, 30, 0)]
    [12.706, 4.303, 2.776, 2.042, 1.96]
    """
    if freedom == 0:
        return NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    low, high = 0.0, MAX_QUANTILE
    for _ in range(STEPS):
        middle = (low + high) / 2
        is_inside = probability_within(middle, freedom) < CONFIDENCE
        low, high = (middle, high) if is_inside else (low, middle)
    return (low + high) / 2


def probability_within(bound: float, freedom: int) -> float:
    """Return how probable it is that Student's t is between -bound and bound: a finite sum."""
    angle = math.atan(bound / math.sqrt(freedom))
    is_odd = freedom % 2
    term, total = math.cos(angle) ** is_odd, 0.0
    for power in range(is_odd, freedom - 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (power + 1) / (power + 2)
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if is_odd else total
