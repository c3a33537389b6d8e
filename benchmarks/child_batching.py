"""How much the batching of children saves: the cost of states one by one, relative to a batch.

    python benchmarks/child_batching.py

The children of positions of random matches are evaluated by one thread, first all children of a
position in one batch, then one by one; processor time, in turns. The ratio is what an expansion
without child batching costs. It bounds what child batching can gain: with a ratio equal to the
number of children a batch costs no more than one state.
"""

from __future__ import annotations

import argparse
import time

import athenan
import numpy as np
from athenan.evaluators import network_evaluator
from athenan.networks import Architecture, build_network

TINY = Architecture(filters=16, convolutions=2, margin="valid", blocks=0, dense=[32])
SMALL = Architecture(filters=32, margin="same", blocks=2, dense=[64])
GAMES = ("hex:size=5,swap=false", "othello:size=6", "breakthrough:rows=6,columns=6")


def positions(game: athenan.Game, count: int) -> list[np.ndarray]:
    """The planes of all children, of positions of random matches."""
    found: list[np.ndarray] = []
    random, state = np.random.default_rng(0), game.initial_state()
    while len(found) < count:
        if state.is_terminal:
            state = game.initial_state()
        found.append(game.encode(state.children()))
        state = state.play(int(random.choice(state.legal_moves())))
    return found


def main() -> None:
    """Print a line for each game and network."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("game                          network  children  one by one / batch")
    for name in GAMES:
        game = athenan.make_game(name)
        batches = positions(game, options.positions)
        singles = [batch[i : i + 1] for batch in batches for i in range(len(batch))]
        children = len(singles) / len(batches)
        for label, architecture in (("tiny", TINY), ("small", SMALL)):
            network = build_network(architecture, game)
            with network_evaluator(network, device="cpu", threads=1) as evaluate:
                seconds = {"batch": 0.0, "single": 0.0}
                for round_number in range(options.rounds + 1):
                    for kind, asked in (("batch", batches), ("single", singles)):
                        start = time.process_time()
                        for planes in asked:
                            evaluate(planes)
                        if round_number:  # the first one warms up
                            seconds[kind] += time.process_time() - start
            ratio = seconds["single"] / seconds["batch"]
            print(f"{name:30}{label:9}{children:8.1f}{ratio:20.1f}")


if __name__ == "__main__":
    main()
