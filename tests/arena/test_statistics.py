"""Intervals, tests and ratings against published tables, closed forms and plain optimisers."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np
import pytest
from athenan import Error
from athenan.arena import SPRT, Counts, Match, Unit, Units, tally_of
from athenan.arena.ratings import Results, quantile, ratings
from athenan.arena.scores import elo_difference, expected_score, log_likelihood, wilson
from scipy.optimize import minimize
from scipy.stats import t

# R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
NEWCOMBE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("wins", "matches", "low", "high"), NEWCOMBE)
@pytest.mark.parametrize("size", [1, 2])
def test_equal_matches_of_a_pair_give_the_published_table(
    wins: int, matches: int, low: float, high: float, size: int
) -> None:
    """Wilson's interval counts the openings, however often each was played with one result."""
    units = {Unit(size, size): wins, Unit(0, size): matches - wins}
    assert Units.of(units).interval() == pytest.approx((low, high), abs=5e-5)
    assert wilson(wins / matches, matches) == pytest.approx((low, high), abs=5e-5)
    mirrored = {Unit(0, size): wins, Unit(size, size): matches - wins}
    assert Units.of(mirrored).interval() == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_extreme_scores_have_exact_ends() -> None:
    assert Units.of_pairs([0, 0, 0, 0, 7]).interval().high == 1.0
    assert Units.of_pairs([7, 0, 0, 0, 0]).interval().low == 0.0
    assert Units.of([]).interval() == wilson(0.5, 0) == (0.0, 1.0)
    assert Units.of([]).superiority() == 0.5


@pytest.mark.parametrize("number", [1, 2, 5, 50])
def test_equal_results_leave_doubt(number: int) -> None:
    low, high = Units.of_pairs([0, 0, number, 0, 0]).interval()
    assert low < 0.5 < high
    assert high - low > 0.5 / (number + 1)
    wider = Units.of_pairs([0, 0, max(1, number - 1), 0, 0]).interval()
    assert wider.high >= high


def test_split_pairs_make_it_narrower_and_double_wins_wider() -> None:
    split = Units.of_pairs([5, 0, 40, 0, 5]).interval()
    independent = Units.of_pairs([12, 0, 26, 0, 12]).interval()
    double = Units.of_pairs([25, 0, 0, 0, 25]).interval()
    widths = [high - low for low, high in (split, independent, double)]
    assert widths[0] < widths[1] < widths[2]
    low, high = wilson(0.5, 100)
    assert widths[1] == pytest.approx(high - low, abs=0.006)


def test_many_pairs_follow_the_normal_law() -> None:
    counts = np.array([300, 500, 1200, 900, 400])
    scores = np.repeat([0, 0.25, 0.5, 0.75, 1], counts)
    spread = 1.959964 * scores.std() / math.sqrt(len(scores))
    low, high = Units.of_pairs(counts).interval()
    assert (low, high) == pytest.approx((scores.mean() - spread, scores.mean() + spread), abs=2e-4)


def test_unfinished_pairs_and_repeated_openings_count_by_their_matches() -> None:
    units = [Unit(1.5, 2)] * 10 + [Unit(0, 2)] * 5 + [Unit(1, 1)] * 3 + [Unit(3, 4)] * 2
    counted = Units.of(units)
    assert counted.score() == pytest.approx((15 + 3 + 6) / (30 + 3 + 8))
    low, high = counted.interval()
    assert low < counted.score() < high
    repeated = Units.of([Unit(2 * u.points, 2 * u.matches) for u in units])
    assert repeated.interval() == pytest.approx((low, high))  # the same openings again: no news


@pytest.mark.parametrize("counts", [[3, 1, 9, 4, 6], [0, 0, 9, 1, 0], [0, 0, 0, 0, 5], [4, 0, 0]])
@pytest.mark.parametrize("mean", [0.3, 0.5, 0.64, 0.9])
def test_the_most_likely_law_is_that_of_a_plain_optimiser(counts: list[int], mean: float) -> None:
    counts = counts if len(counts) == 5 else [4, 0, 0, 0, 0]
    values = np.array([0, 0.25, 0.5, 0.75, 1])
    numbers = np.array(counts, float)
    seen = numbers > 0

    def loss(law: np.ndarray) -> float:
        return -float((numbers[seen] * np.log(np.maximum(law[seen], 1e-12))).sum())

    start = np.array([(1 - mean) ** 4, 0, 0, 0, 0]) + 0.2
    constraints = [
        {"type": "eq", "fun": lambda law: law.sum() - 1},
        {"type": "eq", "fun": lambda law: law @ values - mean},
    ]
    found = minimize(
        loss,
        start / start.sum(),
        bounds=[(0, 1)] * 5,
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    ours = float(log_likelihood(Units.of_pairs(counts), np.array(mean)))
    assert ours == pytest.approx(-found.fun, abs=1e-4)


def test_counts_add_up() -> None:
    counts = Counts(3, 1, 0) + Counts(1, 2, 3)
    assert (counts.wins, counts.draws, counts.losses, counts.matches) == (4, 3, 3, 10)
    assert counts.score == pytest.approx(0.55)
    assert Counts().score == 0.5


def test_elo_is_the_logistic_scale() -> None:
    assert elo_difference(10 / 11) == pytest.approx(400)
    assert elo_difference(1 / 11) == pytest.approx(-400)
    assert elo_difference(0.64) == pytest.approx(99.95, abs=0.01)
    assert (elo_difference(0), elo_difference(0.5), elo_difference(1)) == (-math.inf, 0, math.inf)
    for elo in (-700.0, -3.0, 0.0, 51.5):
        assert elo_difference(expected_score(elo)) == pytest.approx(elo)


def match(index: int, gain: int, opening: int) -> Match:
    outcome = -gain if index % 2 else gain
    moves = (str(opening), "x")
    return Match("g", "", ("a", "b"), moves, outcome, opening=1, index=index)


def test_a_tally_knows_its_pairs() -> None:
    gains = [(0, 1, 0), (1, 1, 0), (2, 1, 1), (3, -1, 1), (4, 0, 2), (5, -1, 2), (6, 0, 3)]
    tally = tally_of(match(*each) for each in gains)
    assert tally.pairs == (0, 1, 1, 0, 1)
    assert len(tally.units) == 4  # the last one is half a pair
    assert tally.units.score() == pytest.approx(tally.counts.score) == pytest.approx(4 / 7)
    facts = tally.as_json()
    assert facts["pairs"] == [0, 1, 1, 0, 1]
    low, high = tally.interval
    assert facts["interval"] == [low, high]
    assert tally.elo == pytest.approx(elo_difference(4 / 7))


def test_superiority_follows_the_evidence() -> None:
    strong = Units.of_pairs([1, 2, 20, 10, 12])
    assert strong.superiority() > 0.99
    assert Units.of_pairs([12, 10, 20, 2, 1]).superiority() == pytest.approx(
        1 - strong.superiority()
    )
    assert Units.of_pairs([3, 2, 9, 2, 3]).superiority() == pytest.approx(0.5)


def test_the_ratio_of_the_test_has_a_closed_form_without_draws() -> None:
    """Single matches, won or lost: the log-likelihood ratio of two binomial laws."""
    test = SPRT(0, 30)
    low, high = expected_score(0), expected_score(30)
    units = Units.of({Unit(1, 1): 70, Unit(0, 1): 50})
    exact = 70 * math.log(high / low) + 50 * math.log((1 - high) / (1 - low))
    assert test.ratio(units) == pytest.approx(exact, abs=1e-9)
    assert test.ratio(Units.of([])) == 0.0


def test_the_bounds_of_the_test_are_those_that_wald_guarantees() -> None:
    assert SPRT(0, 10).bounds == pytest.approx((-2.995732, 2.995732), abs=1e-6)
    test = SPRT.parse("-5,5,0.1,0.01")
    assert test.bounds == pytest.approx((math.log(0.01), math.log(10)))
    assert SPRT.parse(str(test)) == test
    assert test.decision(Units.of_pairs([0, 0, 0, 0, 5])) is None  # too few openings
    assert test.decision(Units.of_pairs([0, 0, 0, 0, 200])) == "H1"
    assert test.decision(Units.of_pairs([200, 0, 0, 0, 0])) == "H0"


@pytest.mark.parametrize(
    "text", ["", "10", "10,0", "0,0", "0,10,0.5,0.05", "0,10,0,0.05", "a,b", "0,10,0.05", "0,9e9"]
)
def test_a_test_that_there_is_not(text: str) -> None:
    with pytest.raises(Error, match=r"there is no test .* accepted is ELO0,ELO1"):
        SPRT.parse(text)


def _openings(counts: Sequence[int], first: int = 0) -> dict[Hashable, Unit]:
    """Return pairs of different openings by their points: how many had 0, 1/2, 1, 3/2 and 2."""
    points = [k / 2 for k, count in enumerate(counts) for _ in range(count)]
    return {first + number: Unit(each, 2) for number, each in enumerate(points)}


def test_quantiles_of_few_degrees_of_freedom() -> None:
    for freedom in (4, 7, 24, 100, 10_000):
        assert quantile(0.975, freedom) == pytest.approx(t.ppf(0.975, freedom), abs=0.01)


def test_two_ratings_are_the_elo_difference() -> None:
    counts = [10, 20, 40, 50, 80]
    units = Units.of_pairs(counts)
    first, second = ratings(2, Results.of({(0, 1): _openings(counts)}))
    assert first.elo == pytest.approx(-second.elo)
    matches, points = 400, 400 * units.score()
    with_a_draw = elo_difference((points + 0.5) / (matches + 1))
    assert first.elo - second.elo == pytest.approx(with_a_draw, abs=1e-6)
    low, high = (elo_difference(bound) for bound in units.interval())
    assert 2 * first.low == pytest.approx(low, abs=2)
    assert 2 * first.high == pytest.approx(high, abs=2)


def test_ratings_are_those_of_a_plain_optimiser() -> None:
    random = np.random.default_rng(4)
    results = {
        (i, j): _openings(random.integers(1, 20, 5).tolist()) for i in range(4) for j in range(i)
    }

    def loss(elo: np.ndarray) -> float:
        total = float(elo.mean() ** 2)
        for (i, j), units in results.items():
            p = 1 / (1 + 10 ** (-(elo[i] - elo[j]) / 400))
            points = sum(unit.points for unit in units.values()) + 0.5
            matches = sum(unit.matches for unit in units.values()) + 1
            total -= points * math.log(p) + (matches - points) * math.log(1 - p)
        return total

    found = minimize(loss, np.zeros(4), tol=1e-10).x
    assert [each.elo for each in ratings(4, Results.of(results))] == pytest.approx(
        list(found), abs=0.05
    )


def test_ratings_of_extreme_and_of_absent_results() -> None:
    won = _openings([0, 0, 0, 0, 10])
    first, second, absent = ratings(3, Results.of({(0, 1): won, (1, 2): {}}))
    assert 200 < first.elo - second.elo < 1500
    assert math.isfinite(first.low)
    assert (absent.low, absent.high) == (-math.inf, math.inf)
    nothing = Results.of({})
    assert ratings(2, nothing) == [ratings(1, nothing)[0]] * 2


def test_an_opening_that_suits_a_player_everywhere_counts_once() -> None:
    """Three opponents on the same openings prove no more than one; on others they do."""
    good = [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 0.0, 0.0, 0.0, 1.0]
    units = [{first + k: Unit(gain, 2) for k, gain in enumerate(good)} for first in (0, 10, 20)]
    one, *_ = ratings(2, Results.of({(0, 1): units[0]}))
    same, *_ = ratings(4, Results.of({(0, k): units[0] for k in (1, 2, 3)}))
    other, *_ = ratings(4, Results.of({(0, k): units[k - 1] for k in (1, 2, 3)}))
    # above the mean of all: half of the difference of two players, three quarters of that of four
    width = (one.high - one.low) / 2
    assert (same.high - same.low) / 2 == pytest.approx(1.5 * width, rel=0.1)
    assert (other.high - other.low) / 2 == pytest.approx(1.5 * width / math.sqrt(3), rel=0.1)
