"""What the matches of an experiment prove: scores of variants against each other.

The repetitions of a variant differ more than the matches of one training: two trainings are two
draws of luck, however many matches they play. So the spread of a score comes from a hierarchical
bootstrap: the repetitions of both sides are drawn anew, and within each of their series the pairs
of matches. A bootstrap of few repetitions is too narrow: its spread is widened by √(n / (n − 1)),
and the interval is that of Student's t. Compare a variant with its own copy under another name to
see it: no difference is found in 95 of 100 such comparisons.
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
from athenan.arena.scores import elo_difference
from athenan.experiments.results import SeriesResult

DRAWS = 2000  # of the bootstrap
CONFIDENCE = 0.95

Scores = NDArray[np.float64]
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
    for result in results:
        scores = np.array(result.pairs) / 2
        for a, b, points in ((result.a, result.b, scores), (result.b, result.a, 1 - scores)):
            table = tables.setdefault((result.game, result.fraction, a.variant, b.variant), {})
            table[a.repetition, b.repetition] = points
    return [_comparison(key, tables[key], seed, draws) for key in sorted(tables)]


def _comparison(
    key: tuple[str, float, str, str], table: Table, seed: int, draws: int
) -> Comparison:
    sides = sorted({i for i, _ in table}), sorted({j for _, j in table})
    random = np.random.default_rng(seed)
    score = float(np.mean([points.mean() for points in table.values()]))
    paired = all(i == j for i, j in table)
    drawn = [_drawn(table, *sides, paired, random) for _ in range(draws)]
    repeated = [len(side) for side in sides[: 1 if paired else 2] if len(side) > 1]
    spread = float(np.std(drawn)) * quantile(sum(repeated) - len(repeated))
    if repeated:
        spread *= math.sqrt(min(repeated) / (min(repeated) - 1))
    played = 2 * sum(map(len, table.values()))
    low, high = max(0.0, score - spread), min(1.0, score + spread)
    return Comparison(*key, score, low, high, played, (len(sides[0]), len(sides[1])))


def _drawn(
    table: Table,
    firsts: Sequence[int],
    seconds: Sequence[int],
    paired: bool,
    random: np.random.Generator,
) -> float:
    """Return the score of one draw: repetitions of both sides, then pairs of matches.

    Two searches with the networks of the same trainings are paired: one draw is for both.
    """
    if paired:
        means = [_resampled(table[i, i], random) for i in random.choice(firsts, len(firsts))]
        return float(np.mean(means))
    others = random.choice(seconds, len(seconds))
    means = [
        _resampled(table[i, j], random)
        for i in random.choice(firsts, len(firsts))
        for j in others
        if (i, j) in table  # an experiment that was stopped has not played all
    ]
    return float(np.mean(means)) if means else 0.5


def _resampled(points: Scores, random: np.random.Generator) -> float:
    return float(points[random.integers(len(points), size=len(points))].mean())


def quantile(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's t; that of the normal law for freedom 0.

    By its expansion around the normal law, which is exact to a hundredth from freedom 4 on.

    >>> [round(quantile(freedom), 2) for freedom in (4, 8, 30, 0)]
    [2.77, 2.31, 2.04, 1.96]
    """
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    if freedom == 0:
        return z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))
