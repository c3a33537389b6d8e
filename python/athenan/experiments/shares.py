"""Winning percentages in an all-play-all, as the paper's tables print them, with intervals.

The percentage of a variant is its mean score against every variant, its own trainings among them:
against those it scores one half. A draw is half a win. The bootstrap is that of `standings`, drawn
for all variants at once, so that differences between two of them, and means over games, have
intervals too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from athenan.experiments.results import SeriesResult
from athenan.experiments.standings import DRAWS, Table, quantile

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
    """One row per draw of the bootstrap."""
    repetitions: int
    games: int = 1

    def of(self, variant: str) -> Estimate:
        """Return the percentage of a variant."""
        at = self.variants.index(variant)
        low, high = self._around(self.values[at], self.drawn[:, at], 1)
        return Estimate(float(self.values[at]), max(0.0, low), min(100.0, high))

    def difference(self, a: str, b: str) -> Estimate:
        """Return by how much the percentage of a is above that of b."""
        i, j = self.variants.index(a), self.variants.index(b)
        value = float(self.values[i] - self.values[j])
        return Estimate(value, *self._around(value, self.drawn[:, i] - self.drawn[:, j], 2))

    def _around(self, value: float, drawn: Numbers, sides: int) -> tuple[float, float]:
        """Return the interval of Student's t, widened for few repetitions."""
        count = self.repetitions
        spread = float(np.nanstd(drawn))
        if count > 1:
            spread *= quantile(self.games * sides * (count - 1)) * math.sqrt(count / (count - 1))
        else:
            spread *= quantile(0)
        return value - spread, value + spread


def shares(
    results: Sequence[SeriesResult], variants: Sequence[str], *, seed: int = 0, draws: int = DRAWS
) -> Shares | None:
    """Return the percentages of variants from the series of one game; None if some are missing.

    Of an experiment that was stopped, the first repetitions count, as many as have met each other.
    """
    tables = _tables(results, variants)
    number = len(variants)
    paired = all(i == j for table in tables.values() for i, j in table)
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
    values, drawn = np.full(number, 0.5), np.full((draws, number), 0.5)
    for a in range(number):
        for b in range(a + 1, number):
            table = tables[variants[a], variants[b]]
            mean = float(np.mean([points.mean() for points in table.values()]))
            sides = (chosen[0], chosen[0]) if paired else (chosen[a], chosen[b])
            one = _drawn(table, repetitions, *sides, paired, random)
            values[a] += mean
            values[b] += 1 - mean
            drawn[:, a] += one
            drawn[:, b] += 1 - one
    return Shares(tuple(variants), 100 * values / number, 100 * drawn / number, count)


def mean_shares(each: Sequence[Shares]) -> Shares:
    """Return the means over games of the same variants."""
    first = each[0]
    return Shares(
        first.variants,
        np.mean([one.values for one in each], axis=0),
        np.mean([one.drawn for one in each], axis=0),
        min(one.repetitions for one in each),
        len(each),
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


def _drawn(
    table: Table,
    repetitions: Sequence[int],
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    paired: bool,
    random: np.random.Generator,
) -> Numbers:
    """Return the score in each draw: repetitions of both sides, then pairs of matches."""
    draws, count = firsts.shape
    cells = np.full((count, count, draws), np.nan)
    for i, first in enumerate(repetitions):
        for j, second in enumerate(repetitions):
            points = table.get((first, second))
            if points is not None:
                picks = random.integers(len(points), size=(draws, len(points)))
                cells[i, j] = points[picks].mean(axis=1)
    every = np.arange(draws)[:, None]
    if paired:
        return np.asarray(np.nanmean(cells[firsts, seconds, every], axis=1))
    grid = cells[firsts[:, :, None], seconds[:, None, :], every[:, :, None]]
    return np.asarray(np.nanmean(grid, axis=(1, 2)))
