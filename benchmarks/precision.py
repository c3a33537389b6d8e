"""What half precision changes: the values of states, and the result of matches.

    python benchmarks/precision.py MODEL --device cuda --matches 400
    python benchmarks/precision.py MODEL --device cpu --rounded MODEL_IN_HALF_PRECISION --matches 0
    python benchmarks/precision.py MODEL --device cpu --backend openvino --precision bfloat16

Values of states met in play are compared with float32 (largest and mean difference, beside the
spread of the values themselves); then the same network plays itself, one side in each precision.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from athenan import Game, Random, SearchSpec, State, load_model
from athenan.arena import SearchPlayerSpec, play_matches, tally_of
from athenan.evaluators import NetworkEvaluator, network_evaluator
from athenan.games import game_of_record
from athenan.searches import read_model


def states_of_play(game: Game, count: int) -> np.ndarray:
    """Planes of the states of random matches."""
    random = Random(1)
    states: list[State] = []
    while len(states) < count:
        state = game.initial_state()
        while not state.is_terminal:
            states.append(state)
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves))])
    return game.encode(states[:count])


def compare(exact: NetworkEvaluator, rough: NetworkEvaluator, planes: np.ndarray) -> str:
    expected, found = exact(planes), rough(planes)
    difference = np.abs(expected - found)
    return (
        f"over {len(planes)} states: largest difference {difference.max():.4g}, mean "
        f"{difference.mean():.4g}; the values have a standard deviation of {expected.std():.4g}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--precision", default="float16")
    parser.add_argument("--backend", default="auto", help="of both; bfloat16 on a CPU needs one")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--expansions", type=int, default=50)
    parser.add_argument("--states", type=int, default=16_384)
    parser.add_argument("--rounded", metavar="MODEL", help="compare with this file's weights")
    given = parser.parse_args()
    model = load_model(given.model)
    game = game_of_record(None, model.game, model.game_sha256, "the model")
    rounded = read_model(given.rounded).network if given.rounded else model.network
    precision = "float32" if given.rounded else given.precision
    exact, rough = (
        network_evaluator(network, device=given.device, precision=each, backend=given.backend)
        for network, each in ((model.network, "float32"), (rounded, precision))
    )
    name = given.rounded or precision
    print(f"{name} against float32", end=" ")
    print(compare(exact, rough, states_of_play(game, given.states)), flush=True)
    if not given.matches:
        return

    search = SearchSpec(model.search).unlimited.with_(expansions=given.expansions)

    def side(evaluator: NetworkEvaluator, name: str) -> SearchPlayerSpec:
        return SearchPlayerSpec(name, search, evaluator)

    series = play_matches(game, side(rough, name), side(exact, "float32"), given.matches)
    tally = tally_of(series)
    counts, (low, high) = tally.counts, tally.interval
    print(
        f"{name} against float32, {counts.matches} matches at {given.expansions} "
        f"expansions: {counts.score:.1%} (95 % interval {low:.1%} to {high:.1%})"
    )


if __name__ == "__main__":
    main()
