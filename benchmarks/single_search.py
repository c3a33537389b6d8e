"""A player thinking: one search, whose batches are the children of one state.

python benchmarks/single_search.py --preset fast-hex11 --device cuda
"""

from __future__ import annotations

import argparse
import time

from athenan import SearchSpec, make_game
from athenan.evaluators import network_evaluator
from athenan.learning import complete_config, merged, preset
from athenan.networks import build_network
from athenan.searches import Search, drive


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="fast-hex11")
    parser.add_argument("--game")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seconds", type=float, default=5)
    given = parser.parse_args()
    settings = merged(preset(given.preset), {"game": given.game} if given.game else {})
    config = complete_config(settings)
    game = make_game(config.game)
    evaluator = network_evaluator(build_network(config.network, game), device=given.device)
    evaluator.warm_up()
    for algorithm in ("descent", "ubfm-safe"):
        spec = SearchSpec(algorithm).with_(seconds=given.seconds, terminal=config.selfplay.terminal)
        mind = Search(game, spec)
        start = time.perf_counter()
        drive(mind, game.initial_state(), evaluator)
        elapsed = time.perf_counter() - start
        spent = mind.spent
        print(
            f"{game.id} {algorithm} on {evaluator.device}: {spent.expansions / elapsed:,.0f} "
            f"expansions/s, {spent.evaluations / elapsed:,.0f} states/s, "
            f"{spent.evaluations / spent.expansions:.1f} states per expansion"
        )


if __name__ == "__main__":
    main()
