"""Intervals against published tables, probabilities against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from athenan.arena import Counts
from athenan.arena.statistics import elo_difference, likelihood_of_superiority, wilson

# R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
NEWCOMBE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("wins", "matches", "low", "high"), NEWCOMBE)
def test_wilson_equals_the_published_table(
    wins: int, matches: int, low: float, high: float
) -> None:
    counts = Counts(wins=wins, losses=matches - wins)
    assert counts.interval == pytest.approx((low, high), abs=5e-5)
    mirrored = Counts(wins=matches - wins, losses=wins).interval
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_extreme_scores_have_exact_ends() -> None:
    assert Counts(wins=7).interval.high == 1.0
    assert Counts(losses=7).interval.low == 0.0
    assert wilson(0.5, 0) == (0.0, 1.0)


def test_counts_add_up() -> None:
    counts = Counts(3, 1, 0) + Counts(1, 2, 3)
    assert (counts.wins, counts.draws, counts.losses, counts.matches) == (4, 3, 3, 10)
    assert counts.score == pytest.approx(0.55)
    assert Counts().score == 0.5


def test_a_draw_never_spreads_points_more_than_a_decided_match() -> None:
    for counts in (Counts(5, 0, 3), Counts(5, 9, 3), Counts(0, 4, 1), Counts(1, 30, 0)):
        mean = counts.score
        squares = [(1 - mean) ** 2, (0.5 - mean) ** 2, mean**2]
        numbers = [counts.wins, counts.draws, counts.losses]
        variance = sum(n * s for n, s in zip(numbers, squares, strict=True)) / counts.matches
        assert variance <= mean * (1 - mean) + 1e-12


def test_elo_is_the_logistic_scale() -> None:
    assert elo_difference(10 / 11) == pytest.approx(400)
    assert elo_difference(1 / 11) == pytest.approx(-400)
    assert elo_difference(0.64) == pytest.approx(99.95, abs=0.01)
    assert (elo_difference(0), elo_difference(0.5), elo_difference(1)) == (-math.inf, 0, math.inf)
    won = Counts(wins=20)
    assert won.elo == math.inf
    assert won.elo_interval.high == math.inf
    assert 200 < won.elo_interval.low < 400


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (0, 1), (7, 3), (3, 7), (40, 25)])
def test_superiority_is_the_exact_probability(wins: int, losses: int) -> None:
    throws = wins + losses + 1
    exact = Fraction(sum(math.comb(throws, k) for k in range(wins + 1)), 2**throws)
    assert likelihood_of_superiority(wins, losses) == pytest.approx(float(exact), rel=1e-12)
    assert Counts(wins, 5, losses).superiority == likelihood_of_superiority(wins, losses)


def test_superiority_of_many_matches_follows_the_normal_law() -> None:
    wins, losses = 5100, 4900
    normal = 0.5 * (1 + math.erf((wins - losses) / math.sqrt(2 * (wins + losses))))
    assert likelihood_of_superiority(wins, losses) == pytest.approx(normal, abs=1e-3)
    assert likelihood_of_superiority(100_000, 0) == 1.0
    assert likelihood_of_superiority(0, 100_000) == 0.0
