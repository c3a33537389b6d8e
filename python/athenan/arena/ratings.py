"""Elo ratings of all players of a tournament at once, by maximum likelihood, with intervals.

The expected score of a player against another is 1 / (1 + 10^(-difference / 400)); a draw is half a
win and half a loss. Ratings are those that make all results together most likely. Their mean is 0.
Every pairing counts one draw more than it had, so that nobody's rating is infinite.

Intervals are for a player against the mean of all. They come from how much the openings of each
pairing differ from what the ratings expect (the sandwich formula), so that draws make them narrower
and matches of a pair that resemble each other make them wider.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from athenan.arena.scores import CONFIDENCE, Numbers, Units

SCALE = math.log(10) / 400  # Elo points to the exponent
STEPS = 100  # of Newton's method: it needs about ten
LARGEST = 200.0  # Elo points that one step may change


@dataclass(frozen=True)
class Rating:
    """A player's rating above the mean of all, and its 95 % interval."""

    elo: float
    low: float
    high: float


def ratings(players: int, results: Mapping[tuple[int, int], Units]) -> list[Rating]:
    """Return the rating of each player; `results[i, j]` are those of the player i against j.

    >>> beaten = Units.of_pairs([0, 0, 10, 0, 10])
    >>> [round(each.elo) for each in ratings(3, {(0, 1): beaten, (1, 2): beaten})]
    [185, 0, -185]
    """
    pairings = [(i, j, units) for (i, j), units in results.items() if len(units)]
    elo = np.zeros(players)
    for _ in range(STEPS):
        gradient, curvature = _slopes(elo, pairings)
        step = np.linalg.pinv(curvature, hermitian=True) @ gradient
        elo = elo + step * min(1.0, LARGEST / max(1e-9, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-9:
            break
    spread = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * np.sqrt(_variances(elo, pairings))
    return [
        Rating(float(each), float(each - wide), float(each + wide))
        if any(number in (i, j) for i, j, _ in pairings)
        else Rating(0.0, -math.inf, math.inf)
        for number, (each, wide) in enumerate(zip(elo, spread, strict=True))
    ]


Pairings = Sequence[tuple[int, int, Units]]


def _expected(elo: Numbers, i: int, j: int) -> float:
    return 1 / (1 + math.exp(-SCALE * float(elo[i] - elo[j])))


def _slopes(elo: Numbers, pairings: Pairings) -> tuple[Numbers, Numbers]:
    """Return the gradient of the log-likelihood, and minus its second derivatives."""
    gradient, curvature = np.zeros(len(elo)), np.zeros((len(elo), len(elo)))
    for i, j, units in pairings:
        expected, side = _expected(elo, i, j), _side(len(elo), i, j)
        matches = float(units.counts @ units.matches) + 1  # the draw that nobody played
        points = float(units.counts @ units.points) + 0.5
        gradient += SCALE * (points - matches * expected) * side
        curvature += SCALE**2 * matches * expected * (1 - expected) * np.outer(side, side)
    return gradient, curvature


def _variances(elo: Numbers, pairings: Pairings) -> Numbers:
    """Return the variance of each rating: curvature⁻¹ · noise · curvature⁻¹."""
    noise = np.zeros((len(elo), len(elo)))
    for i, j, units in pairings:
        expected, side = _expected(elo, i, j), _side(len(elo), i, j)
        gains = units.points - expected * units.matches
        size = float(units.counts @ units.matches) / len(units)
        # one opening more, of independent matches: where all results are equal, some doubt remains
        squares = float(units.counts @ gains**2) + size * expected * (1 - expected)
        noise += SCALE**2 * squares * np.outer(side, side)
    _, curvature = _slopes(elo, pairings)
    inverse = np.linalg.pinv(curvature, hermitian=True)
    return np.asarray(np.diag(inverse @ noise @ inverse))


def _side(players: int, i: int, j: int) -> Numbers:
    side = np.zeros(players)
    side[i], side[j] = 1, -1
    return side
