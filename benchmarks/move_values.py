"""Expansions a second of one search on one core: values of moves beside values of children.

    python benchmarks/move_values.py
    python benchmarks/move_values.py --game hex:size=7 --preset small

The network is untrained and has the preset's shape with both heads; the search is safe UBFM from
the start of a match. Processor time, in turns, so that a ratio holds on a machine with other work.
"""

from __future__ import annotations

import argparse
import time

import athenan
from athenan.evaluators import NetworkEvaluator, network_evaluator
from athenan.learning.completion import complete_config, preset
from athenan.networks import build_network

WAYS = {
    "values=states": 8,
    "values=moves": 300,
    "values=moves,judged=4": 80,
    "values=moves,judged=8": 50,
    "values=moves,judged=4,judge_best=true": 50,
}
"""The options, and how many expansions of each make a round."""


def measured(
    game: athenan.Game, evaluate: NetworkEvaluator, way: str, expansions: int
) -> tuple[float, float]:
    """Return expansions per second of processor time, and evaluations per expansion."""
    search = athenan.searches.Search(game, f"ubfm-safe:{way},expansions={expansions}")
    start = time.process_time()
    athenan.searches.drive(search, game.initial_state(), evaluate)
    seconds = time.process_time() - start
    return search.spent.expansions / seconds, search.spent.evaluations / search.spent.expansions


def main() -> None:
    """Print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="hex:size=11,swap=false")
    parser.add_argument("--preset", default="fast-hex11", help="whose network")
    parser.add_argument("--backend", default="openvino")
    parser.add_argument("--precision", default="bfloat16")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    game = athenan.make_game(options.game)
    config = complete_config({"game": game}, preset(options.preset))
    network = build_network(config.network.model_copy(update={"move_values": True}), game)
    way = {"backend": options.backend, "precision": options.precision}
    best: dict[str, tuple[float, float]] = {}
    with network_evaluator(network, device="cpu", threads=1, **way) as evaluate:
        for round_number in range(options.rounds + 1):
            for name, expansions in WAYS.items():
                found = measured(game, evaluate, name, expansions)
                if round_number:  # the first one warms up
                    best[name] = max(best.get(name, found), found)
    print(f"{game.id}, {network.weight_count:,} weights, {options.backend} {options.precision}")
    print(f"{'way':40}expansions/s  evaluations each  ratio")
    usual = best["values=states"][0]
    for name, (rate, each) in best.items():
        print(f"{name:40}{rate:12,.0f}  {each:16.1f}  {rate / usual:4.0f}x")


if __name__ == "__main__":
    main()
