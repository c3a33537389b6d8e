"""How often does a rival leave a mistake in a small game that it has learned?

    python tests/rivals_learn.py alphazero tic_tac_toe --first-seed 1
    python tests/rivals_learn.py gumbel connect_four:rows=4,columns=4 --first-seed 1

Each process learns the game from its rules alone. Then a player with its network and a small search
is examined as in `small_games.py`: in tic-tac-toe in every position that it can meet, in other
games in matches against perfect play. Processes are deterministic.
"""

from __future__ import annotations

import argparse
from time import process_time

from athenan._core import SearchSpec
from athenan.evaluators import network_evaluator
from athenan.learning import complete_config, merged, method, preset
from athenan.learning.settings import Overrides
from athenan.learning.training import Training
from athenan.networks import Network, build_network
from small_games import Machine, mistakes, points_lost

COMMON: Overrides = {
    "network": {"filters": 32, "blocks": 1, "dense": [64]},
    "selfplay": {"matches": 16},
    "learning": {"batch_size": 128, "adam": {"learning_rate": 3e-3, "final_share": 0.1}},
    "checkpoints": {"every_minutes": 0},
    "hardware": {"device": "cpu", "threads": 1, "deterministic": True},
}
# To be perfect after an adversary's blunders, one has to have seen them: random openings.
METHODS: dict[str, Overrides] = {
    "alphazero": {
        "selfplay": {"search": "puct:iterations=25,noise=0.25", "random_moves": 5},
        "learning": {"symmetry": "all"},
        "stop": {"matches": 1500},
    },
    "gumbel": {
        "selfplay": {"search": "gumbel:iterations=16,noise=1", "random_moves": 5},
        "learning": {"symmetry": "all"},
        "stop": {"matches": 1500},
    },
    "exit": {
        "selfplay": {"expert": "exit:iterations=200,temperature=0.1", "random_moves": 7},
        "learning": {"symmetry": "all", "replay": {"every": 2000, "patience": 2}},
        "stages": [
            {"matches": 500, "search": "mcts:iterations=200,c=0.25", "values_weight": 0},
            {
                "matches": 3500,
                "search": "apprentice:temperature=0.1",
                "expert": "exit:iterations=200,value_weight=0,temperature=0.1",
                "values_weight": 0,
            },
        ],
        "stop": {"matches": 8000},
    },
}
# The search of the player that is examined, but for its iterations.
PLAYERS = {
    "alphazero": "puct",
    "gumbel": "gumbel",
    "exit": "exit:temperature=0.1,rollouts=false",
}


def trained_by(name: str, game: str, seed: int, changes: Overrides) -> Training:
    base = merged(preset("small"), method(name))
    given = merged(merged(COMMON, METHODS[name]), changes) | {"game": game, "seed": seed}
    training = Training(complete_config(given, base))
    for _ in training.events():
        pass
    training.close()
    return training


def player(name: str, training: Training, network: Network, iterations: int) -> Machine:
    evaluator = network_evaluator(network, device="cpu", threads=1)
    search = str(SearchSpec(PLAYERS[name]).with_(iterations=iterations))
    return Machine(training.game, evaluator, search)


def errors(name: str, training: Training, network: Network) -> int:
    """Mistakes in tic-tac-toe with 20 iterations; else points lost to perfect play with 200."""
    if training.game.name == "tic_tac_toe":
        return len(mistakes(player(name, training, network, 20)))
    return points_lost(player(name, training, network, 200), plies=4, count=20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("game")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=1)
    given = parser.parse_args()
    for seed in range(given.first_seed, given.first_seed + given.processes):
        started = process_time()
        training = trained_by(given.method, given.game, seed, {})
        found = errors(given.method, training, training.network)
        config = training.config
        untrained = build_network(config.network, training.game, config.seed)
        before = errors(given.method, training, untrained)
        counters = training.counters
        print(
            f"{given.method} {given.game} seed {seed}: {found} errors, {before} untrained; "
            f"{counters.matches} matches, {counters.evaluations:,} evaluations, "
            f"{process_time() - started:.0f} s of one core",
            flush=True,
        )


if __name__ == "__main__":
    main()
