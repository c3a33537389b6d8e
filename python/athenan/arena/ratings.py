"""Elo ratings of all players of a tournament at once, by maximum likelihood, with intervals.

The expected score of a player against another is 1 / (1 + 10^(-difference / 400)); a draw is half a
win and half a loss. Ratings are those that make all results together most likely. Their mean is 0.
Every pairing counts one draw more than it had, so that no rating is infinite.

Intervals are for a player against the mean of all. They come from how much the openings differ from
what the ratings expect (the sandwich formula), so that draws make them narrower and matches of an
opening that resemble each other make them wider: those of a pair, and those of other pairings too,
for an opening that suits a player suits it against everybody. Few openings make them wider once
more, by Student's t.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeVar

import numpy as np

from athenan.arena.scores import CONFIDENCE, Numbers, Unit

SCALE = math.log(10) / 400  # Elo points to the exponent
STEPS = 100  # of Newton's method: it needs about ten
LARGEST = 200.0  # Elo points that one step may change

Pairing = tuple[int, int]
Key = TypeVar("Key", bound=Hashable)
"""Of an opening."""
P = TypeVar("P", bound=Pairing)


@dataclass(frozen=True)
class Rating:
    """A player's rating above the mean of all, and its 95 % interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Results:
    """What the first player of each pairing got: a row for each opening, a column for each pairing.

    >>> played = Results.of({(0, 1): {"e4": Unit(1.5, 2)}, (0, 2): {"e4": Unit(0, 2)}})
    >>> played.points.tolist(), played.matches.tolist()
    ([[1.5, 0.0]], [[2.0, 2.0]])
    """

    pairings: Sequence[Pairing]
    points: Numbers
    matches: Numbers
    """0 where a pairing did not play an opening."""

    @classmethod
    def of(cls, units: Mapping[P, Mapping[Key, Unit]]) -> Results:
        """Put the results of all pairings beside each other, by their openings."""
        rows: dict[Hashable, int] = {}
        for openings in units.values():
            for opening in openings:
                rows.setdefault(opening, len(rows))
        points, matches = np.zeros((2, len(rows), len(units)))
        for column, openings in enumerate(units.values()):
            for opening, unit in openings.items():
                points[rows[opening], column], matches[rows[opening], column] = unit
        return cls(list(units), points, matches)

    def sides(self, players: int) -> Numbers:
        """Return a row for each pairing: +1 for its first player, -1 for its second."""
        sides = np.zeros((len(self.pairings), players))
        for row, (i, j) in zip(sides, self.pairings, strict=True):
            row[i], row[j] = 1, -1
        return sides


def ratings(players: int, results: Results) -> list[Rating]:
    """Return the rating of each player.

    >>> beaten = {opening: Unit(1 + opening % 2, 2) for opening in range(20)}
    >>> [round(each.elo) for each in ratings(3, Results.of({(0, 1): beaten, (1, 2): beaten}))]
    [185, 0, -185]
    """
    sides, elo = results.sides(players), np.zeros(players)
    # one draw more, of those who met at all
    matches = results.matches.sum(0)
    points, matches = results.points.sum(0) + (matches > 0) / 2, matches + (matches > 0)
    for _ in range(STEPS):
        expected = _expected(sides, elo)
        gradient = SCALE * (points - matches * expected) @ sides
        step = np.linalg.pinv(_curvature(sides, matches, expected), hermitian=True) @ gradient
        elo = elo + step * min(1.0, LARGEST / max(1e-9, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-9:
            break
    expected = _expected(sides, elo)
    inverse = np.linalg.pinv(_curvature(sides, matches, expected), hermitian=True)
    variances = np.diag(inverse @ _noise(sides, results, expected) @ inverse)
    openings = int((results.matches > 0).any(1).sum())
    with np.errstate(invalid="ignore"):  # of who did not play
        spread = quantile((1 + CONFIDENCE) / 2, openings - 1) * np.sqrt(variances)
    known = matches @ np.abs(sides) > 0
    return [
        Rating(float(each), float(each - wide), float(each + wide))
        if has_played
        else Rating(0.0, -math.inf, math.inf)
        for each, wide, has_played in zip(elo, spread, known, strict=True)
    ]


def quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t: a variance from few openings is itself not sure.

    By Fisher's expansion, right to a hundredth from four degrees of freedom on.

    >>> round(quantile(0.975, 24), 3), quantile(0.975, 0)
    (2.064, inf)
    """
    if freedom < 1:
        return math.inf
    z, n = NormalDist().inv_cdf(probability), freedom
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return float(sum(term / n**k for k, term in enumerate(terms)))


def _expected(sides: Numbers, elo: Numbers) -> Numbers:
    """Return the score that is expected in each pairing."""
    return np.asarray(1 / (1 + np.exp(-SCALE * sides @ elo)))


def _curvature(sides: Numbers, matches: Numbers, expected: Numbers) -> Numbers:
    """Return minus the second derivatives of the log-likelihood."""
    weights = SCALE**2 * matches * expected * (1 - expected)
    return np.asarray(sides.T @ (weights[:, None] * sides))


def _noise(sides: Numbers, results: Results, expected: Numbers) -> Numbers:
    """Return the variance of the gradient: from what each opening gives to all players together."""
    gains = SCALE * (results.points - results.matches * expected) @ sides
    # one opening more, of independent matches: where all results are equal, some doubt remains
    played = (results.matches > 0).sum(0)
    size = results.matches.sum(0) / np.maximum(played, 1)
    doubt = SCALE**2 * size * expected * (1 - expected)
    return np.asarray(gains.T @ gains + sides.T @ (doubt[:, None] * sides))
