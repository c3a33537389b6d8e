"""Series with a known strength: intervals cover it as often as they say, tests err no more often.

An opening may favour a colour, which splits pairs, or suit one player, which gives pairs one
winner. The small versions run always; the slow ones simulate 10,000 series for each line of
docs/playing.md and print them:

    pytest -m slow -s tests/arena/test_simulated_series.py
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from athenan.arena import SPRT, Units
from athenan.arena.ratings import ratings
from athenan.arena.scores import Numbers, expected_score, score_intervals
from athenan.arena.sprt import FEWEST

SERIES = 10_000
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)


@dataclass(frozen=True)
class World:
    """How matches between two players go; Elo points, and the rate of draws between equals."""

    colour: float = 0.0
    """How much openings favour a colour: the standard deviation."""
    suit: float = 0.0
    """How much openings suit one of the players, with either colour."""
    draws: float = 0.0

    def score(self, elo: float) -> float:
        """Return the expected score over all openings."""
        spread = np.hypot(self.colour, self.suit)
        means = 1 / (1 + 10 ** (-(elo + spread * NODES) / 400))
        return float(means @ WEIGHTS / WEIGHTS.sum())

    def elo(self, score: float) -> float:
        """Return the strength that has an expected score."""
        low, high = -4000.0, 4000.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.score(middle) < score else (low, middle)
        return (low + high) / 2

    def pairs(self, elo: float, shape: tuple[int, ...], random: np.random.Generator) -> Numbers:
        """Play pairs: the points of the first player."""
        favour, suit = random.normal(0, self.colour, shape), random.normal(0, self.suit, shape)
        points = np.zeros(shape)
        for sign in (1, -1):
            wins = 1 / (1 + 10 ** (-(elo + sign * favour + suit) / 400))
            draws = self.draws * 4 * wins * (1 - wins)
            drawn = random.random(shape)
            points += np.where(drawn < wins - draws / 2, 1.0, 0.5 * (drawn < wins + draws / 2))
        return points

    def units(self, elo: float, series: int, pairs: int, random: np.random.Generator) -> Units:
        """Play series of pairs."""
        points = self.pairs(elo, (series, pairs), random)
        return Units.of_pairs(np.stack([(2 * points == k).sum(1) for k in range(5)], -1))


WORLDS = {
    "independent": World(),
    "drawish": World(draws=0.6),
    "split pairs": World(colour=300),
    "pairs with one winner": World(suit=300),
    "all at once": World(colour=200, suit=200, draws=0.5),
}


def coverage(world: World, elo: float, pairs: int, series: int, seed: int) -> float:
    """Return how often the 95 % interval of a series holds the true score."""
    low, high = score_intervals(world.units(elo, series, pairs, np.random.default_rng(seed)))
    truth = world.score(elo)
    return float(((low <= truth) & (truth <= high)).mean())


def errors(world: World, test: SPRT, series: int, seed: int) -> tuple[float, float, float]:
    """Return how often the test accepts H1 where H0 is true, and H0 where H1 is; mean pairs."""
    rates, used = [], []
    for elo, wrong in ((test.elo0, 1), (test.elo1, -1)):
        decisions, lengths = decided(world, test, world.elo(expected_score(elo)), series, seed)
        rates.append(float((decisions == wrong).mean()))
        used.append(float(lengths.mean()))
    return rates[0], rates[1], sum(used) / 2


def decided(
    world: World, test: SPRT, elo: float, series: int, seed: int
) -> tuple[Numbers, Numbers]:
    """Return the decisions, +1 for H1 and -1 for H0, and after how many pairs."""
    random, (low, high) = np.random.default_rng(seed), test.bounds
    counts, decisions, lengths = np.zeros((series, 5)), np.zeros(series), np.zeros(series)
    active = np.arange(series)
    for pair in range(1, 20_000):
        points = world.pairs(elo, (len(active),), random)
        counts[active, (2 * points).astype(int)] += 1
        if pair < FEWEST:
            continue
        ratio = test.ratios(Units.of_pairs(counts[active]))
        decisions[active] = np.where(ratio >= high, 1, np.where(ratio <= low, -1, 0))
        lengths[active] = pair
        active = active[decisions[active] == 0]
        if not len(active):
            break
    return decisions, lengths


def rating_coverage(world: World, pairs: int, series: int, seed: int) -> float:
    """Return how often the interval of a rating holds the truth, over the players of a round robin.

    Without the effects of openings: with them a score is not that of the mean difference.
    """
    random, truth = np.random.default_rng(seed), np.array([150.0, 30.0, -40.0, -140.0])
    meetings = [(i, j) for i in range(4) for j in range(i)]
    played = {(i, j): world.units(truth[i] - truth[j], series, pairs, random) for i, j in meetings}
    inside = 0
    for number in range(series):
        results = {
            pairing: Units(units.points, units.matches, units.counts[number])
            for pairing, units in played.items()
        }
        found = ratings(4, results)
        inside += sum(each.low <= elo <= each.high for each, elo in zip(found, truth, strict=True))
    return inside / (4 * series)


@pytest.mark.parametrize("name", WORLDS)
def test_intervals_cover(name: str) -> None:
    assert 0.93 < coverage(WORLDS[name], 70, 60, 1500, seed=1) < 0.975


@pytest.mark.parametrize("elo", [0, 200, 500])
def test_intervals_of_few_pairs_are_rather_too_wide(elo: float) -> None:
    assert coverage(World(draws=0.3), elo, 10, 1000, seed=2) > 0.93


def test_a_test_keeps_its_error_bounds() -> None:
    wrong_h1, wrong_h0, _ = errors(World(suit=200, draws=0.3), SPRT(0, 150), 600, seed=3)
    assert max(wrong_h1, wrong_h0) < 0.075


def test_ratings_cover() -> None:
    assert 0.91 < rating_coverage(World(draws=0.3), 30, 60, seed=4) < 0.995


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("pairs", [50, 200, 1000])
@pytest.mark.parametrize("elo", [0, 100, 200])
def test_intervals_cover_in_10000_series(name: str, elo: float, pairs: int) -> None:
    found = coverage(WORLDS[name], elo, pairs, SERIES, seed=5)
    print(f"interval: {name}, {elo:+} Elo, {pairs} pairs: {found:.2%}")
    assert 0.94 <= found <= (0.96 if pairs > 50 else 0.965)  # few values of a score are possible


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("pairs", [10, 20])
@pytest.mark.parametrize("elo", [0, 200, 400])
def test_intervals_of_few_pairs_cover_in_10000_series(name: str, elo: float, pairs: int) -> None:
    found = coverage(WORLDS[name], elo, pairs, SERIES, seed=6)
    print(f"few pairs: {name}, {elo:+} Elo, {pairs} pairs: {found:.2%}")
    assert found >= 0.935  # few values are possible: 95 % exactly cannot be had


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("test", [SPRT(0, 50), SPRT(-30, 30), SPRT(0, 100)], ids=str)
def test_errors_in_10000_series(name: str, test: SPRT) -> None:
    wrong_h1, wrong_h0, pairs = errors(WORLDS[name], test, SERIES, seed=7)
    print(f"sprt {test}: {name}: {wrong_h1:.2%} and {wrong_h0:.2%} wrong, {pairs:.0f} pairs")
    noise = 3 * np.sqrt(0.05 * 0.95 / SERIES)
    assert wrong_h1 <= test.alpha + noise
    assert wrong_h0 <= test.beta + noise


@pytest.mark.slow
@pytest.mark.parametrize("draws", [0.0, 0.6])
@pytest.mark.parametrize("pairs", [25, 100])
def test_ratings_cover_in_10000_series(draws: float, pairs: int) -> None:
    found = rating_coverage(World(draws=draws), pairs, SERIES // 4, seed=8)  # of four ratings each
    print(f"rating: draws {draws}, {pairs} pairs each: {found:.2%}")
    assert 0.94 <= found <= 0.96
