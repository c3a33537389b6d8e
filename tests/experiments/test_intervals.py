"""The intervals of experiments beside an independent calculation: standard errors by formula."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from athenan.arena.scores import Units
from athenan.experiments import (
    Contest,
    Entrant,
    SeriesResult,
    SoloResult,
    comparisons,
)
from athenan.experiments.agreement import panels
from athenan.experiments.plan import plan_of
from athenan.experiments.reproduction import Claim, Reproduction, Table
from athenan.experiments.shares import Shares, mean_shares, shares
from athenan.experiments.standings import quantile
from numpy.typing import NDArray

STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 6: 2.447, 8: 2.306, 18: 2.101, 120: 1.980}
"""Two-sided 95 % quantiles, as printed in tables."""


@pytest.mark.parametrize(("freedom", "printed"), STUDENT.items())
def test_the_quantiles_are_those_of_printed_tables(freedom: int, printed: float) -> None:
    assert quantile(freedom) == pytest.approx(printed, abs=0.0006)


def all_play_all(a: NDArray[np.float64], b: NDArray[np.float64]) -> list[SeriesResult]:
    """Series of two variants whose matches have no luck: the better training scores more."""
    return [
        SeriesResult("hex", 1.0, Entrant("a", i + 1), Entrant("b", j + 1), (1 + x - y,) * 10)
        for i, x in enumerate(a)
        for j, y in enumerate(b)
    ]


def same_networks(a: NDArray[np.float64]) -> list[SeriesResult]:
    """Series of two searches, each with the networks that the other has."""
    return [
        SeriesResult("hex", 1.0, Entrant("a", i + 1), Entrant("b", i + 1), (1 + x,) * 10)
        for i, x in enumerate(a)
    ]


def found(results: list[SeriesResult], seed: int = 0) -> Shares:
    here = shares(results, ("a", "b"), seed=seed, draws=20_000)
    assert here is not None
    return here


def half_width(here: Shares) -> float:
    estimate = here.difference("a", "b")
    assert estimate.value - estimate.low == pytest.approx(estimate.high - estimate.value)
    return estimate.high - estimate.value


def test_the_difference_of_two_recipes_has_the_interval_of_the_formula() -> None:
    """Half the points of luck: a score is (1 + x - y) / 2, a difference 50 (x - y) points."""
    random = np.random.default_rng(2)
    for count in (2, 3, 5):
        a, b = random.normal(0, 0.1, (2, count))
        error = 50 * math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / count)
        here = found(all_play_all(a, b))
        assert here.difference("a", "b").value == pytest.approx(50 * (a.mean() - b.mean()))
        assert half_width(here) == pytest.approx(STUDENT[2 * (count - 1)] * error, rel=0.03)
        (one, _) = comparisons(all_play_all(a, b), draws=20_000)
        assert 100 * (one.high - one.score) == pytest.approx(half_width(here), rel=0.03)


def test_searches_with_the_same_networks_have_one_luck() -> None:
    a = np.array([0.1, -0.2, 0.3])
    error = 50 * a.std(ddof=1) / math.sqrt(3)
    here = found(same_networks(a))
    assert half_width(here) == pytest.approx(STUDENT[2] * error, rel=0.03)
    (one, _) = comparisons(same_networks(a), draws=20_000)
    assert 100 * (one.high - one.score) == pytest.approx(half_width(here), rel=0.03)


def test_the_luck_of_matches_is_counted_once() -> None:
    """The scores of trainings differ by their matches, too: nothing is added for these."""
    points = np.random.default_rng(7).binomial(2, 0.5, (5, 20)) / 2
    results = [
        SeriesResult("hex", 1.0, Entrant("a", i), Entrant("b", i), tuple(2 * each))
        for i, each in enumerate(points, 1)
    ]
    error = points.mean(axis=1).std(ddof=1) / math.sqrt(5)
    (one, _) = comparisons(results, draws=20_000)
    assert one.high - one.score == pytest.approx(STUDENT[4] * error, rel=0.03)
    assert half_width(found(results)) == pytest.approx(100 * STUDENT[4] * error, rel=0.03)


def test_one_training_has_the_luck_of_its_matches() -> None:
    """And two that score the same are no less in doubt than their matches."""
    pairs = (0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 0.0, 2.0, 1.0)
    for count in (1, 2):
        results = [
            SeriesResult("hex", 1.0, Entrant("a", i), Entrant("b", i), pairs)
            for i in range(1, count + 1)
        ]
        error = np.std(pairs) / 2 / math.sqrt(len(pairs) * count)
        (one, _) = comparisons(results)
        of_a_match = Units.of_pairs([2 * count, 0, 4 * count, 0, 4 * count]).interval()
        assert (one.low, one.high) == pytest.approx(of_a_match)
        assert half_width(found(results)) == pytest.approx(100 * quantile(0) * error, rel=0.03)


def test_matches_of_a_game_for_one_are_counted_once(tmp_path: Path) -> None:
    """And each training meets a series of its own of the opponent, whose luck is in none twice."""
    plan = plan_of(
        {
            "games": ["morpion"],
            "variants": {"a": {}, "b": {}},
            "repetitions": 3,
            "budget": {"matches": 4},
            "contest": {"matches": 20, "opponents": ["random"]},
        },
        "a plan",
    )
    contest, random = Contest(plan, tmp_path), np.random.default_rng(1)
    names = ("a", "b", "random")
    played = [
        SoloResult("morpion", 1.0, Entrant(name, i), tuple(random.normal(0, 1, 20)))
        for name in names
        for i in (1, 2, 3)
    ]
    text = "".join(json.dumps(asdict(each)) + "\n" for each in played)
    (tmp_path / "scores.jsonl").write_text(text)
    results = contest.results()
    met = [(each.a.repetition, each.b.repetition) for each in results if each.b.variant == "random"]
    assert sorted(met) == [(i, i) for i in (1, 1, 2, 2, 3, 3)]
    found = comparisons(results)
    assert {(each.a, each.b) for each in found} == {(a, b) for a in names for b in names if a != b}
    assert {each.matches for each in found} == {2 * 3 * 20}


def in_games(
    table: Table, games: list[list[SeriesResult]]
) -> tuple[Reproduction, list[SeriesResult]]:
    """A reproduction over several games, and their series."""
    names = [f"hex:size={size + 3}" for size in range(len(games))]
    plan = plan_of(
        {
            "games": names,
            "variants": {"a": {}, "b": {}},
            "repetitions": 4,
            "budget": {"matches": 4},
            "contest": {"matches": 20},
        },
        "a plan",
    )
    results = [
        SeriesResult(name, each.fraction, each.a, each.b, each.pairs)
        for name, game in zip(names, games, strict=True)
        for each in game
    ]
    return Reproduction(name="x", size="tiny", source="x", table=table, plan=plan), results


def test_trainings_of_different_games_are_independent() -> None:
    """That the first training is lucky in all of four games is chance, and averages out."""
    a, b = np.array([0.3, 0.0, -0.1, 0.0]), np.zeros(4)
    error = 50 * a.std(ddof=1) / math.sqrt(4)
    here, results = in_games(Table(item="", question=""), [all_play_all(a, b)] * 4)
    table = Table(item="", question="", published={"mean": {"a": 60, "b": 40}})
    here = here.model_copy(update={"table": table})
    (pair,) = panels(here, results)[-1].pairs
    quantile_of_24 = 2.064
    expected = quantile_of_24 * error / math.sqrt(4)
    assert pair.ours.high - pair.ours.value == pytest.approx(expected, rel=0.06)


def test_the_mean_over_games_adds_up_their_squares() -> None:
    games = [np.array([0.2, -0.1]), np.array([0.0, 0.1]), np.array([-0.3, 0.1])]
    errors = [50 * a.std(ddof=1) / math.sqrt(2) for a in games]
    mean = mean_shares([found(all_play_all(a, 0 * a), n) for n, a in enumerate(games)])
    expected = STUDENT[6] * math.sqrt(sum(each**2 for each in errors)) / 3
    assert half_width(mean) == pytest.approx(expected, rel=0.03)


def test_matches_that_all_end_the_same_way_leave_room() -> None:
    """32 wins do not prove that no match will ever be lost: Wilson's interval of 16 openings."""
    won = [SeriesResult("hex", 1.0, Entrant("a", i), Entrant("mcts"), (2.0,) * 8) for i in (1, 2)]
    one, _ = sorted(comparisons(won), key=lambda each: each.a)
    assert (one.score, one.high) == (1, 1)
    square = quantile(0) ** 2
    assert one.low == pytest.approx(16 / (16 + square), abs=0.001)


def test_a_pair_that_a_table_and_words_separate_is_counted_once() -> None:
    claim = Claim(better="a", worse="b", gain=15, text="a is better")
    table = Table(item="", question="", published={"mean": {"a": 60, "b": 40}}, claims=(claim,))
    here, results = in_games(table, [all_play_all(np.zeros(2), np.zeros(2))] * 2)
    assert [pair.published for pair in panels(here, results)[-1].pairs] == [20]
    only_words = table.model_copy(update={"published": {}})
    here = here.model_copy(update={"table": only_words})
    assert [pair.published for pair in panels(here, results)[-1].pairs] == [15]
