"""Winning percentages in an all-play-all, as the paper's tables print them, with intervals.

The percentage of a variant is its mean score against every variant, its own trainings among them:
against those it scores one half. A draw is half a win. The bootstrap is that of `standings`, drawn
for all variants at once, so that differences between two of them, and means over games, have
intervals too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from athenan.experiments.results import SeriesResult
from athenan.experiments.standings import (
    DRAWS,
    Table,
    is_paired,
    quantile,
    scores_of_matches,
    scores_of_trainings,
    spread_of,
)

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 or -1 where the interval leaves out zero, otherwise 0."""
        return int(self.low > 0) - int(self.high < 0)


@dataclass(frozen=True)
class Shares:
    """The percentages of some variants in one game, or their means over games."""

    variants: tuple[str, ...]
    values: Numbers
    drawn: Numbers
    """Of draws of the repetitions, then of the matches: one row per draw."""
    trainings: Numbers
    """The percentage of each training: a row for each variant; none of a mean over games."""
    repetitions: int
    games: int = 1
    is_paired: bool = False
    """Whether searches with the same networks met: the two have one luck in common."""

    def of(self, variant: str) -> Estimate:
        """Return the percentage of a variant."""
        at = self.variants.index(variant)
        value, spread = float(self.values[at]), self._spread(self.drawn[..., at], 1)
        return Estimate(value, max(0.0, value - spread), min(100.0, value + spread))

    def difference(self, a: str, b: str) -> Estimate:
        """Return by how much the percentage of a is above that of b."""
        i, j = self.variants.index(a), self.variants.index(b)
        value = float(self.values[i] - self.values[j])
        drawn = self.drawn[..., i] - self.drawn[..., j]
        spread = self._spread(drawn, 1 if self.is_paired else 2)
        return Estimate(value, value - spread, value + spread)

    def _spread(self, drawn: Numbers, sides: int) -> float:
        trainings, matches = drawn
        freedom = self.games * sides * (self.repetitions - 1)
        alone = quantile(0) * float(np.std(matches))
        return max(alone, spread_of(trainings, freedom, self.repetitions))


def shares(
    results: Sequence[SeriesResult], variants: Sequence[str], *, seed: int = 0, draws: int = DRAWS
) -> Shares | None:
    """Return the percentages of variants from the series of one game; None if some are missing.

    Of an experiment that was stopped, the first repetitions count, as many as have met each other.
    """
    tables = _tables(results, variants)
    number = len(variants)
    paired = all(map(is_paired, tables.values()))
    count = _complete(tables.values(), paired)
    if not count or len(tables) < number * (number - 1) // 2:
        return None
    repetitions = range(1, count + 1)
    tables = {
        names: {pair: points for pair, points in table.items() if max(pair) <= count}
        for names, table in tables.items()
    }
    random = np.random.default_rng(seed)
    chosen = random.integers(count, size=(1 if paired else number, draws, count))
    each, every = np.full((number, count), 0.5), np.full((2, draws, number), 0.5)
    for a in range(number):
        for b in range(a + 1, number):
            table = tables[variants[a], variants[b]]
            grid = np.full((count, count), np.nan)
            for (i, j), points in table.items():
                grid[i - 1, j - 1] = points.mean()
            sides = (chosen[0], chosen[0]) if paired else (chosen[a], chosen[b])
            one = np.stack(
                [
                    scores_of_trainings(table, (repetitions, repetitions), sides, paired),
                    scores_of_matches(table, draws, random),
                ]
            )
            each[a] += np.nanmean(grid, axis=1)
            each[b] += 1 - np.nanmean(grid, axis=0)
            every[..., a] += one
            every[..., b] += 1 - one
    each, every = 100 * each / number, 100 * every / number
    values = each.mean(axis=1)
    return Shares(tuple(variants), values, every, each, count, is_paired=paired)


def mean_shares(each: Sequence[Shares]) -> Shares:
    """Return the means over games of the same variants.

    Trainings of different games are independent, and so must their draws be: give `shares` another
    seed for each game.
    """
    first = each[0]
    return Shares(
        first.variants,
        np.mean([one.values for one in each], axis=0),
        np.mean([one.drawn for one in each], axis=0),
        np.empty((len(first.variants), 0)),
        min(one.repetitions for one in each),
        len(each),
        first.is_paired,
    )


def _complete(tables: Iterable[Table], paired: bool) -> int:
    """Return how many repetitions of all variants have played all their series."""
    each, count = list(tables), 0
    while each and all(
        pair in table
        for table in each
        for other in range(1, count + 2)
        for pair in ((count + 1, other), (other, count + 1))
        if not paired or pair[0] == pair[1]
    ):
        count += 1
    return count


def _tables(
    results: Sequence[SeriesResult], variants: Sequence[str]
) -> dict[tuple[str, str], Table]:
    """Return the points of the pairs of matches, from 0 to 1, of every two variants in order."""
    order = {name: number for number, name in enumerate(variants)}
    tables: dict[tuple[str, str], Table] = {}
    for result in results:
        a, b, points = result.a, result.b, np.array(result.pairs) / 2
        if a.variant not in order or b.variant not in order:
            continue
        if order[a.variant] > order[b.variant]:
            a, b, points = b, a, 1 - points
        tables.setdefault((a.variant, b.variant), {})[a.repetition, b.repetition] = points
    return tables
