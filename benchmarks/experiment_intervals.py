"""How often does an experiment find a difference between two equal recipes?

    python benchmarks/experiment_intervals.py

Series are simulated: each training has its luck, drawn from a normal law, and every pair of
trainings plays 20 matches. 95 % intervals should miss an even score in 5 of 100 cases.
"""

from __future__ import annotations

import numpy as np
from athenan.experiments import Entrant, SeriesResult, comparisons

CASES, PAIRS, DRAWS = 200, 10, 200


def simulated(luck: float, trainings: int, random: np.random.Generator) -> list[SeriesResult]:
    strengths = random.normal(0, luck, (2, trainings))
    rates = np.clip(0.5 + strengths[0, :, None] - strengths[1, None, :], 0.02, 0.98)
    return [
        SeriesResult(
            "hex",
            1.0,
            Entrant("a", i + 1),
            Entrant("b", j + 1),
            tuple(random.binomial(2, rates[i, j], PAIRS).astype(float)),
        )
        for i in range(trainings)
        for j in range(trainings)
    ]


def main() -> None:
    random = np.random.default_rng(1)
    for trainings in (3, 4, 6):
        for luck in (0.0, 0.1, 0.2):
            found = [
                comparisons(simulated(luck, trainings, random), draws=DRAWS)[0]
                for _ in range(CASES)
            ]
            false = sum(each.is_clear for each in found) / CASES
            print(f"{trainings} trainings, luck {luck:.1f}: {false:.1%} false", flush=True)


if __name__ == "__main__":
    main()
