"""The expected score of one player against another, and how sure it is.

The unit of evidence is the opening, not the match: the two matches of a pair share an opening, so
they tend to be split if it favours a colour, and to have one winner if it suits one player. A pair
gives 0, 1/2, 1, 3/2 or 2 points: five numbers hold a series (the pentanomial). A pair with one
counted match, and an opening that was played more than twice, are units of their own size.

Nothing is assumed about the law of the units but that they are independent. Where a formula needs
a law with a certain mean, it takes the one that makes the results most likely among all laws on
the values seen, on 0 and on 1. For single matches without draws this is Wilson's interval.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
STEPS = 44  # of a bisection: more digits than any result needs

Numbers = NDArray[np.float64]


class Interval(NamedTuple):
    """From `low` to `high`, both included."""

    low: float
    high: float


class Unit(NamedTuple):
    """The points of a player in the matches of one opening, and how many of them count."""

    points: float
    matches: int


@dataclass(frozen=True)
class Units:
    """How often each result of an opening occurred: `counts[..., k]` units of `points[k]` points in
    `matches[k]` matches. Leading dimensions are series beside each other.
    """

    points: Numbers
    matches: Numbers
    counts: Numbers

    @classmethod
    def of(cls, units: Iterable[Unit] | Mapping[Unit, int]) -> Units:
        """Count units.

        >>> units = Units.of([Unit(2, 2), Unit(1, 2), Unit(1, 2), Unit(0.5, 1)])
        >>> units.score()
        0.6428571428571429
        """
        numbers = Counter(units)
        kinds = sorted(numbers)
        return cls(
            np.array([each.points for each in kinds], float),
            np.array([each.matches for each in kinds], float),
            np.array([numbers[each] for each in kinds], float),
        )

    @classmethod
    def of_pairs(cls, counts: Iterable[int] | Numbers) -> Units:
        """Return pairs by their points: how many had 0, 1/2, 1, 3/2 and 2."""
        points = np.array([0, 0.5, 1, 1.5, 2])
        return cls(points, np.full(5, 2.0), np.asarray(counts, float))

    def __len__(self) -> int:
        return int(self.counts.sum())

    def score(self) -> float:
        """Return points per match; one half without any."""
        matches = float((self.counts * self.matches).sum())
        return float((self.counts * self.points).sum()) / matches if matches else 0.5

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the scores that the results do not contradict: the score interval of the mean.

        >>> low, high = Units.of_pairs([1, 2, 9, 5, 3]).interval()
        >>> round(low, 3), round(high, 3)
        (0.462, 0.699)
        """
        if not len(self):
            return Interval(0.0, 1.0)
        low, high = score_intervals(self, confidence)
        return Interval(float(low), float(high))

    def superiority(self) -> float:
        """Return how probable it is that the expected score is above one half.

        One minus the level of the one-sided test that it is not; one half without results.
        """
        if not len(self):
            return 0.5
        return NormalDist().cdf(float(_deviation(self, np.array(0.5))))


def score_intervals(units: Units, confidence: float = CONFIDENCE) -> tuple[Numbers, Numbers]:
    """Return the lower and the upper ends of the intervals of series beside each other."""
    quantile = NormalDist().inv_cdf((1 + confidence) / 2)
    total = (units.counts * units.matches).sum(-1)
    score = (units.counts * units.points).sum(-1) / total

    outer = np.stack([np.zeros_like(score), np.ones_like(score)])
    sign = 1 - 2 * outer
    inside, outside = np.stack([score, score]), outer
    for _ in range(STEPS // 2):  # the deviation is the quantile between the score and each end
        middle = (inside + outside) / 2
        is_inside = sign * _deviation(units, middle) < quantile
        inside = np.where(is_inside, middle, inside)
        outside = np.where(is_inside, outside, middle)
    low, high = np.where(inside == outer, outer, outside)
    return low, high


def _deviation(units: Units, mean: Numbers) -> Numbers:
    """Return how many standard deviations the results are above a mean score."""
    gains, law = _law(units, mean)
    number = units.counts.sum(-1)
    variance = (law * gains**2).sum(-1)
    observed = (units.counts * gains[..., :-2]).sum(-1) / number
    return np.asarray(observed * np.sqrt(number / np.maximum(variance, 1e-300)))


def log_likelihood(units: Units, mean: Numbers) -> Numbers:
    """Return the largest log-likelihood of the results among all laws with this mean score."""
    _, law = _law(units, mean)
    seen = np.maximum(law[..., :-2], 1e-300)
    return np.asarray((units.counts * np.log(seen)).sum(-1))


def _law(units: Units, mean: Numbers) -> tuple[Numbers, Numbers]:
    """Return the most likely law with a mean score: the gains of its units and their probabilities.

    The gain of a unit is what it has more than the mean, in points. The two last units are those
    that may not have been seen, a loss and a win of all. The law is counts / (n (1 + x gain)),
    with the x that makes the mean gain 0; if only an unseen end can do that, it gets the rest.
    """
    largest = float(units.matches.max())
    gains = units.points - np.multiply.outer(mean, units.matches)
    ends = np.stack([-largest * mean, largest * (1 - mean)], -1)
    with np.errstate(divide="ignore"):
        low, high = -1 / ends[..., 1], -1 / ends[..., 0]
    low, high = np.maximum(low, -1e12), np.minimum(high, 1e12)
    for _ in range(STEPS):
        middle = (low + high) / 2
        slope = (units.counts * gains / (1 + middle[..., None] * gains)).sum(-1)
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    tilt = ((low + high) / 2)[..., None]
    number = units.counts.sum(-1)[..., None]
    seen = units.counts / (number * (1 + tilt * gains))
    rest = np.maximum(0, 1 - seen.sum(-1))
    needs_loss = (tilt[..., 0] > 0).astype(float)
    unseen = np.stack([rest * needs_loss, rest * (1 - needs_loss)], -1)
    return np.concatenate([gains, ends], -1), np.concatenate([seen, unseen], -1)


def wilson(score: float, trials: int) -> Interval:
    """Return Wilson's 95 % interval of the mean of independent trials, each from 0 to 1.

    >>> [round(bound, 3) for bound in wilson(0.8, 10)]
    [0.49, 0.943]
    """
    if trials == 0:
        return Interval(0.0, 1.0)
    square = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) ** 2 / trials
    centre = score + square / 2
    spread = math.sqrt(square * (score * (1 - score) + square / 4))
    low = 0.0 if score == 0 else (centre - spread) / (1 + square)
    high = 1.0 if score == 1 else (centre + spread) / (1 + square)
    return Interval(low, high)


def elo_difference(score: float) -> float:
    """Return the difference of ratings at which this score is expected.

    >>> round(elo_difference(0.75))
    191
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def expected_score(elo: float) -> float:
    """Return the score that is expected of who is rated so much higher.

    >>> round(expected_score(191), 2)
    0.75
    """
    return 1 / (1 + 10 ** (-elo / 400))
