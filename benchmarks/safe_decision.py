"""Does the safe decision pay where the search is longer?

    python benchmarks/safe_decision.py
    python benchmarks/safe_decision.py --report --run docs/science/safe-decision

The networks are those of `athenan reproduce safe-decision --size tiny`. Each plays itself: one side
plays the most selected move, the other one the move with the best value. It prints the score of the
first, with its 95 % interval over trainings and matches, for each number of expansions.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from athenan.experiments import Contest, ExperimentPlan, comparisons, train_all
from athenan.experiments.reproduction import reproduction
from athenan.experiments.trainings import LocalTrainers


def with_expansions(plan: ExperimentPlan, count: int) -> ExperimentPlan:
    """Return the plan with two players that search so long."""
    play = {
        f"safe_{count}": f"ubfm-safe:expansions={count}",
        f"best_value_{count}": f"ubfm:expansions={count}",
    }
    return plan.model_copy(update={"contest": plan.contest.model_copy(update={"play": play})})


def main() -> None:
    """Train what is not trained, play what was not played, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expansions", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--games", nargs="+", help="of the plan; default all")
    parser.add_argument("--repetitions", type=int, default=0, help="default: those of the plan")
    parser.add_argument("--run", type=Path, default=Path("experiments/ablation-tiny"))
    parser.add_argument("--report", action="store_true", help="train and play nothing")
    given = parser.parse_args()
    whole = reproduction("safe-decision", "tiny").plan
    games = tuple(g for g in whole.games if not given.games or g.partition(":")[0] in given.games)
    repetitions = given.repetitions or whole.repetitions
    whole = whole.model_copy(update={"games": games, "repetitions": repetitions})
    for count in given.expansions:
        plan = with_expansions(whole, count)
        if not given.report:
            train_all(plan, given.run, trainers=LocalTrainers(1))
            Contest(plan, given.run).play()
        for each in comparisons(Contest(plan, given.run).results()):
            if each.a == f"safe_{count}":
                score, low, high = (100 * value for value in (each.score, each.low, each.high))
                print(
                    f"{each.game}, {count} expansions: {score:.0f} % ({low:.0f} to {high:.0f}) "
                    f"of {each.matches} matches, {each.repetitions[0]} trainings",
                    flush=True,
                )


if __name__ == "__main__":
    main()
