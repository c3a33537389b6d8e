"""How often does an experiment find a difference between two equal recipes?

    python benchmarks/experiment_intervals.py

Series are simulated: each training has its luck, drawn from a normal law, and every pair of
trainings plays 20 matches. 95 % intervals should miss an even score in 5 of 100 cases. First two
recipes that meet each other (`athenan experiment`), then two of three recipes that play all against
all, in one game and on average over four (`athenan reproduce`).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from athenan.experiments import Entrant, SeriesResult, comparisons
from athenan.experiments.shares import Shares, mean_shares, shares

CASES, PAIRS, DRAWS = 1000, 10, 200
LUCK = (0.0, 0.1, 0.2)


def simulated(
    recipes: str, luck: float, trainings: int, random: np.random.Generator
) -> list[SeriesResult]:
    strengths = random.normal(0, luck, (len(recipes), trainings))
    found = []
    for a, b in combinations(range(len(recipes)), 2):
        rates = np.clip(0.5 + strengths[a, :, None] - strengths[b, None, :], 0.02, 0.98)
        found += [
            SeriesResult(
                "hex",
                1.0,
                Entrant(recipes[a], i + 1),
                Entrant(recipes[b], j + 1),
                tuple(random.binomial(2, rates[i, j], PAIRS).astype(float)),
            )
            for i in range(trainings)
            for j in range(trainings)
        ]
    return found


def in_games(games: int, luck: float, trainings: int, random: np.random.Generator) -> Shares:
    found = []
    for number in range(games):
        results = simulated("abc", luck, trainings, random)
        one = shares(results, "abc", seed=number, draws=DRAWS)
        assert one is not None
        found.append(one)
    return mean_shares(found)


def main() -> None:
    random = np.random.default_rng(1)
    for trainings in (2, 3, 4, 6):
        for luck in LUCK:
            found = [
                comparisons(simulated("ab", luck, trainings, random), draws=DRAWS)[0].is_clear
                for _ in range(CASES)
            ]
            said = f"{trainings} trainings, luck {luck:.1f}"
            print(f"two recipes, {said}: {sum(found) / CASES:.1%} false", flush=True)
    for games in (1, 4):
        for trainings in (2, 4):
            for luck in LUCK:
                signs = [
                    in_games(games, luck, trainings, random).difference("a", "b").sign
                    for _ in range(CASES)
                ]
                said = f"{games} games, {trainings} trainings, luck {luck:.1f}"
                false = sum(map(abs, signs)) / CASES
                print(f"all against all, {said}: {false:.1%} false", flush=True)


if __name__ == "__main__":
    main()
