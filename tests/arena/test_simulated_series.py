"""Series with a known strength: intervals cover it as often as they say, tests err no more often.

An opening may favour a colour, which splits pairs, or suit one player, which gives pairs one
winner. The small versions run always; the slow ones simulate 10,000 series for each line of
docs/playing.md and print them:

    pytest -m slow -s tests/arena/test_simulated_series.py

Of up to 50 pairs nothing is simulated: all their results are counted, with their probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import lgamma

import numpy as np
import pytest
from athenan.arena import SPRT, Units
from athenan.arena.ratings import Results, ratings
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
            score = expected(elo + sign * favour + suit)
            points += self.match(score, random)
        return points

    def match(self, score: Numbers, random: np.random.Generator) -> Numbers:
        """Play matches with expected scores: 0, 1/2 or 1."""
        draws, drawn = self.drawn(score), random.random(score.shape)
        return np.where(drawn < score - draws / 2, 1.0, 0.5 * (drawn < score + draws / 2))

    def drawn(self, score: Numbers) -> Numbers:
        """Return the rate of draws where this is the expected score."""
        rate = self.draws * 4 * score * (1 - score)
        return np.asarray(np.minimum(rate, 2 * np.minimum(score, 1 - score)))

    def law(self, elo: float) -> Numbers:
        """Return how probable each result of a pair is: 0, 1/2, 1, 3/2 and 2 points."""
        favour, suit = np.meshgrid(self.colour * NODES, self.suit * NODES)
        weights = np.outer(WEIGHTS, WEIGHTS) / WEIGHTS.sum() ** 2
        first, second = (self._results(elo + sign * favour + suit) for sign in (1, -1))
        together = [
            sum(first[k] * second[total - k] for k in range(3) if 0 <= total - k < 3)
            for total in range(5)
        ]
        return np.array([float((weights * each).sum()) for each in together])

    def _results(self, elo: Numbers) -> list[Numbers]:
        score = expected(elo)
        draws = self.drawn(score)
        return [1 - score - draws / 2, draws, score - draws / 2]

    def units(self, elo: float, series: int, pairs: int, random: np.random.Generator) -> Units:
        """Play series of pairs."""
        points = self.pairs(elo, (series, pairs), random)
        return Units.of_pairs(np.stack([(2 * points == k).sum(1) for k in range(5)], -1))


def expected(elo: Numbers) -> Numbers:
    """Return the expected score of who is rated so much higher."""
    return np.asarray(1 / (1 + 10 ** (-elo / 400)))


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


@cache
def all_results(pairs: int) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return all ways in which so many pairs can end: counts, log of their number, interval."""
    bars = np.array(list(combinations(range(pairs + 4), 4)))
    edges = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), pairs + 4)])
    counts = (np.diff(edges) - 1).astype(float)
    logs = np.array([lgamma(k + 1) for k in range(pairs + 1)])
    ways = logs[pairs] - logs[counts.astype(int)].sum(1)
    parts = np.array_split(counts, max(1, len(counts) // 10_000))
    intervals = [score_intervals(Units.of_pairs(part)) for part in parts]
    low, high = (np.concatenate(ends) for ends in zip(*intervals, strict=True))
    return counts, ways, low, high


def exact_coverage(world: World, elo: float, pairs: int) -> float:
    """Return the probability that the 95 % interval of so many pairs holds the true score."""
    counts, ways, low, high = all_results(pairs)
    law, truth = np.maximum(world.law(elo), 1e-300), world.score(elo)
    inside = (low <= truth) & (truth <= high)
    return float(np.exp(ways[inside] + counts[inside] @ np.log(law)).sum())


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


TRUTH = np.array([150.0, 30.0, -40.0, -140.0])
MEETINGS = [(i, j) for i in range(4) for j in range(i)]


def rating_coverage(world: World, pairs: int, series: int, seed: int) -> float:
    """Return how often the interval of a rating holds the truth, over the players of a round robin.

    All pairings play the same openings, and one that suits a player does so against everybody. The
    truth is what the ratings of endless play would be: with openings that favour somebody the
    score of two players is not that of their mean difference.
    """
    random = np.random.default_rng(seed)
    scores = np.array([[world.score(TRUTH[i] - TRUTH[j]) for i, j in MEETINGS]])
    endless = ratings(4, Results(MEETINGS, 1e9 * scores, np.full(scores.shape, 1e9)))
    inside = 0
    for _ in range(series):
        points = _tournament(world, pairs, random)
        found = ratings(4, Results(MEETINGS, points, np.full(points.shape, 2.0)))
        inside += sum(
            each.low <= true.elo <= each.high for each, true in zip(found, endless, strict=True)
        )
    return inside / (4 * series)


def _tournament(world: World, pairs: int, random: np.random.Generator) -> Numbers:
    """Play a round robin: the points of each pair, by opening and pairing."""
    favour = random.normal(0, world.colour, (pairs, 1))
    suits = TRUTH + random.normal(0, world.suit / np.sqrt(2), (pairs, len(TRUTH)))
    lead = np.stack([suits[:, i] - suits[:, j] for i, j in MEETINGS], axis=1)
    return sum(
        (world.match(expected(lead + sign * favour), random) for sign in (1, -1)),
        np.zeros(lead.shape),
    )


@pytest.mark.parametrize("name", WORLDS)
def test_intervals_cover(name: str) -> None:
    assert 0.93 < coverage(WORLDS[name], 70, 60, 1500, seed=1) < 0.975


@pytest.mark.parametrize("elo", [0, 200, 400])
@pytest.mark.parametrize("name", WORLDS)
def test_intervals_of_few_pairs_are_rather_too_wide(name: str, elo: float) -> None:
    assert exact_coverage(WORLDS[name], elo, 10) > 0.945


def test_simulated_and_counted_series_agree() -> None:
    world = WORLDS["all at once"]
    noise = 3 * np.sqrt(0.05 * 0.95 / 4000)
    assert coverage(world, 150, 10, 4000, seed=2) == pytest.approx(
        exact_coverage(world, 150, 10), abs=noise
    )
    assert world.law(150) @ np.arange(5) / 4 == pytest.approx(world.score(150))


def test_a_test_keeps_its_error_bounds() -> None:
    wrong_h1, wrong_h0, _ = errors(World(suit=200, draws=0.3), SPRT(0, 150), 600, seed=3)
    assert max(wrong_h1, wrong_h0) < 0.075


@pytest.mark.parametrize("name", WORLDS)
def test_ratings_cover(name: str) -> None:
    assert 0.91 < rating_coverage(WORLDS[name], 30, 80, seed=4) < 0.99


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("pairs", [200, 1000])
@pytest.mark.parametrize("elo", [0, 100, 200])
def test_intervals_cover_in_10000_series(name: str, elo: float, pairs: int) -> None:
    found = coverage(WORLDS[name], elo, pairs, SERIES, seed=1105)
    print(f"interval: {name}, {elo:+} Elo, {pairs} pairs: {found:.2%}")
    assert 0.94 <= found <= 0.96


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("elo", [0, 100, 200])
def test_intervals_cover_in_all_series_of_50_pairs(name: str, elo: float) -> None:
    found = exact_coverage(WORLDS[name], elo, 50)
    print(f"interval: {name}, {elo:+} Elo, 50 pairs: {found:.2%}, exactly")
    assert 0.94 <= found <= 0.96


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("elo", [0, 200, 400])
def test_intervals_cover_in_all_series_of_20_pairs(name: str, elo: float) -> None:
    found = exact_coverage(WORLDS[name], elo, 20)
    print(f"few pairs: {name}, {elo:+} Elo, 20 pairs: {found:.2%}, exactly")
    assert found >= 0.94  # few values are possible: 95 % exactly cannot be had


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("test", [SPRT(0, 50), SPRT(-30, 30), SPRT(0, 100)], ids=str)
def test_errors_in_10000_series(name: str, test: SPRT) -> None:
    wrong_h1, wrong_h0, pairs = errors(WORLDS[name], test, SERIES, seed=1107)
    print(f"sprt {test}: {name}: {wrong_h1:.2%} and {wrong_h0:.2%} wrong, {pairs:.0f} pairs")
    noise = 3 * np.sqrt(0.05 * 0.95 / SERIES)
    assert wrong_h1 <= test.alpha + noise
    assert wrong_h0 <= test.beta + noise


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("pairs", [25, 100])
def test_ratings_cover_in_10000_series(name: str, pairs: int) -> None:
    found = rating_coverage(WORLDS[name], pairs, SERIES // 4, seed=2209)  # of four ratings each
    print(f"rating: {name}, {pairs} pairs each: {found:.2%}")
    assert 0.94 <= found <= 0.96
