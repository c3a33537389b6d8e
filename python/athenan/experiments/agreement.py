"""Ours beside the published: percentages, order and sign, with intervals.

Levels are not compared, for boards, budgets and networks differ. What is compared is, for every two
variants that the paper separates, which of them is the better one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from athenan.experiments.contest import Contest
from athenan.experiments.reproduction import Reproduction
from athenan.experiments.results import SeriesResult
from athenan.experiments.shares import Estimate, Shares, mean_shares, shares
from athenan.experiments.standings import Comparison, comparisons
from athenan.files import write_text

MEAN = "mean"
Verdict = Literal["agrees", "undecided", "differs"]


@dataclass(frozen=True)
class Pair:
    """Two variants of which the paper finds the first one better."""

    better: str
    worse: str
    published: float
    """Points of percent; 0 where none are printed."""
    ours: Estimate

    @property
    def verdict(self) -> Verdict:
        """Whether ours has the same sign, with 95 % confidence."""
        names: dict[int, Verdict] = {1: "agrees", 0: "undecided", -1: "differs"}
        return names[self.ours.sign]


@dataclass(frozen=True)
class Row:
    """One variant."""

    variant: str
    published: float | None
    ours: Estimate
    trainings: tuple[float, ...] = ()
    """Each for itself."""


@dataclass(frozen=True)
class Panel:
    """A game, or the mean over games."""

    game: str
    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    repetitions: int = 1
    """Trainings of each variant that have played all their matches."""

    @property
    def verdicts(self) -> Counter[Verdict]:
        """How many pairs agree, differ, are undecided."""
        return Counter(pair.verdict for pair in self.pairs)

    @property
    def same_side(self) -> int:
        """How many pairs have the published sign, intervals aside."""
        return sum(pair.ours.value > 0 for pair in self.pairs)


def panels(reproduction: Reproduction, results: Sequence[SeriesResult]) -> list[Panel]:
    """Return what was measured in each game, at the end of the trainings, then the mean."""
    plan, last = reproduction.plan, max(reproduction.plan.contest.fractions)
    by_game = {game: [r for r in results if r.game == game] for game in plan.games}
    by_game = {game: [r for r in ours if r.fraction == last] for game, ours in by_game.items()}
    found = []
    for game, ours in by_game.items():
        variants = reproduction.variants_in(game)
        here = shares(ours, variants, seed=plan.seed) if len(variants) > 1 else None
        if here is not None:
            found.append(_panel(reproduction, game, here))
    if 1 < len(found) == len(plan.games) and (mean := _mean(reproduction, by_game)):
        found.append(_panel(reproduction, MEAN, mean))
    return found


def _mean(reproduction: Reproduction, by_game: dict[str, list[SeriesResult]]) -> Shares | None:
    """Return the means over all games, of the variants that every game has."""
    common = [
        name
        for name in reproduction.variants_in(reproduction.plan.games[0])
        if all(name in reproduction.variants_in(game) for game in by_game)
    ]
    if len(common) < 2:
        return None
    each = [
        shares(ours, common, seed=reproduction.plan.seed + number)
        for number, ours in enumerate(by_game.values())
    ]
    complete = [one for one in each if one is not None]
    return mean_shares(complete) if complete else None


def _panel(reproduction: Reproduction, game: str, here: Shares) -> Panel:
    published = reproduction.table.published.get(name_of(game), {})
    rows = tuple(
        Row(each, published.get(each), here.of(each), tuple(map(float, trainings)))
        for each, trainings in zip(here.variants, here.trainings, strict=True)
    )
    return Panel(game, rows, tuple(_pairs(reproduction, game, here)), here.repetitions)


def _pairs(reproduction: Reproduction, game: str, here: Shares) -> Iterator[Pair]:
    """Yield each two variants that the table separates, then those that only words do.

    What is said of a game on one board goes before what is said of it on any.
    """
    table = reproduction.table
    published = table.published.get(name_of(game), {})
    counted = set[frozenset[str]]()
    for a, b in combinations(here.variants, 2):
        if a in published and b in published:
            if published[a] < published[b]:
                a, b = b, a
            gain = published[a] - published[b]
            if gain > 2 * table.radius:
                counted.add(frozenset((a, b)))
                yield Pair(a, b, gain, here.difference(a, b))
    is_all = game == MEAN or len(reproduction.plan.games) == 1
    for claim in sorted(table.claims, key=lambda each: game not in each.games):
        there = {game, name_of(game)} & set(claim.games) if claim.games else is_all
        names = frozenset((claim.better, claim.worse))
        if there and names <= set(here.variants) and names not in counted:
            counted.add(names)
            difference = here.difference(claim.better, claim.worse)
            yield Pair(claim.better, claim.worse, claim.gain, difference)


def name_of(game: str) -> str:
    """Return the name of a game without its options."""
    return game.partition(":")[0]


def panel_as_json(panel: Panel) -> dict[str, Any]:
    """Return a panel ready for JSON."""

    def numbers(estimate: Estimate) -> list[float]:
        return [round(each, 2) for each in (estimate.value, estimate.low, estimate.high)]

    return {
        "game": panel.game,
        "percentages": {
            row.variant: {"published": row.published, "here": numbers(row.ours)}
            for row in panel.rows
        },
        "pairs": [
            {
                "better": pair.better,
                "worse": pair.worse,
                "published": round(pair.published, 2),
                "here": numbers(pair.ours),
                "verdict": pair.verdict,
            }
            for pair in panel.pairs
        ],
    }


def against(reproduction: Reproduction, contest: Contest) -> list[Comparison]:
    """Return how the variants did against the opponents, as the trainings went on.

    Where all variants meet the first one alone, that one is an opponent, too.
    """
    plan = reproduction.plan
    found = comparisons(contest.results(), seed=plan.seed)
    chosen = []
    for each in found:
        variants = reproduction.variants_in(each.game)
        first = variants[:1] if plan.contest.pairings == "first" else []
        if each.b in (*plan.contest.opponents, *first) and each.a in set(variants).difference(
            first
        ):
            chosen.append(each)
    return sorted(chosen, key=lambda each: (each.game, each.a, each.b, each.fraction))


def repetitions_of(found: Sequence[Panel], contest: Contest) -> int:
    """Return how many trainings of each variant are compared, at least."""
    played = max((each.a.repetition for each in contest.results()), default=1)
    return min((panel.repetitions for panel in found), default=played)


def write_findings(
    reproduction: Reproduction, found: Sequence[Panel], contest: Contest, file: Path
) -> None:
    """Write everything as JSON."""
    data = {
        "name": reproduction.name,
        "size": reproduction.size,
        "item": reproduction.table.item,
        "repetitions": repetitions_of(found, contest),
        "panels": [panel_as_json(panel) for panel in found],
        "against": [each.as_json() for each in against(reproduction, contest)],
        "scores": [asdict(each) for each in contest.scores],
    }
    write_text(file, json.dumps(data, indent=1) + "\n")
