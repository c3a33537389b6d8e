"""AlphaZero here and OpenSpiel's, at equal simulations: how well does each learn Connect Four?

    pip install --target OTHER "jax[cpu]" flax optax chex orbax-checkpoint
    PYTHONPATH=OTHER python benchmarks/open_spiel_alphazero.py --matches 50 100 200

Both learn a small board with residual networks of equal width and depth, with the same number of
simulations a move and the same number of matches. OpenSpiel's actor and learner, which are
processes of their own there, take turns here; the functions are its own. After each number of
matches both are asked, with as many simulations and without noise, for a move in the same
positions, in which some move gives away the outcome of best play: the share of moves that hold it
is printed, with its 95 % interval, and the simulations of self-play so far.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
from athenan import Game, Random, State, make_game, solve
from athenan._core import Search
from athenan.arena.scores import wilson
from athenan.evaluators import network_evaluator
from athenan.learning import complete_config, merged, method, preset
from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from athenan.searches import drive

FILTERS, BLOCKS, BATCH = 32, 2, 64
Mover = Callable[[list[int]], int]
"""From the moves played, which are columns, to the move chosen."""


def positions(game: Game, count: int) -> list[tuple[list[int], set[int]]]:
    """Positions of random matches, each once, with the moves that hold the outcome: not all."""
    found: list[tuple[list[int], set[int]]] = []
    random, seen = Random(11), set[int]()
    while len(found) < count:
        state, moves = game.initial_state(), list[int]()
        for _ in range(random.below(game.datasheet.max_length - 2)):
            if state.is_terminal:
                break
            legal = state.legal_moves()
            moves.append(legal[random.below(len(legal))])
            state = state.play(moves[-1])
        if state.is_terminal or state.key in seen:
            continue
        seen.add(state.key)
        held = solve(state).proven_outcome
        good = {m for m in state.legal_moves() if outcome_of(state.play(m)) == held}
        if len(good) < len(state.legal_moves()):
            found.append((moves, good))
    return found


def outcome_of(state: State) -> int | None:
    return state.outcome if state.is_terminal else solve(state).proven_outcome


def judged(mover: Mover, asked: list[tuple[list[int], set[int]]]) -> str:
    right = sum(mover(moves) in good for moves, good in asked)
    low, high = wilson(right / len(asked), len(asked))
    return f"{right / len(asked):.3f} ({low:.3f}-{high:.3f})"


def ours(game: Game, simulations: int, seed: int, limits: list[int], asked: Any) -> None:
    settings: dict[str, Any] = {
        "game": game.id,
        "seed": seed,
        "network": {"filters": FILTERS, "blocks": BLOCKS, "dense": [FILTERS]},
        "selfplay": {
            "search": f"puct:iterations={simulations},noise=0.25,alpha=1",
            "selection": "visits:plies=10",
            "matches": 4,
        },
        "learning": {"batch_size": BATCH, "symmetry": False},
        "checkpoints": {"every_minutes": 0},
        "stop": {"matches": limits[-1]},
        "hardware": {"device": "cpu", "threads": 1, "deterministic": True},
    }
    base = merged(preset("small"), method("alphazero"))
    training = Training(complete_config(merged(base, settings)))
    searched = 0
    for event in training.events():
        searched += simulations * event.length if isinstance(event, MatchLearned) else 0
        if isinstance(event, MatchLearned) and event.at.matches in limits:
            with training.paused():
                evaluator = network_evaluator(training.network, device="cpu", threads=1)

                def mover(moves: list[int], evaluator: Any = evaluator) -> int:
                    state = game.initial_state()
                    for move in moves:
                        state = state.play(move)
                    search = Search(game, f"puct:iterations={simulations}", 1)
                    drive(search, state, evaluator)
                    return search.decide()

                share = judged(mover, asked)
            matches = event.at.matches
            print(f"athenan    {matches:5} matches {searched:8,} simulations: {share}", flush=True)
    training.close()


class Quiet:
    """A logger that says nothing."""

    def print(self, *_: Any) -> None: ...

    def opt_print(self, *_: Any) -> None: ...


def theirs(text: str, simulations: int, seed: int, limits: list[int], asked: Any) -> None:
    import jax.numpy as jnp
    import pyspiel
    from open_spiel.python.algorithms.alpha_zero import alpha_zero, replay_buffer, utils
    from open_spiel.python.algorithms.alpha_zero.evaluator import AlphaZeroEvaluator

    np.random.seed(seed)
    game = pyspiel.load_game(text)
    reuse, kept = 4, 4096
    config = alpha_zero.Config(
        game=text, path=tempfile.mkdtemp(), learning_rate=1e-3, weight_decay=1e-5,
        decouple_weight_decay=False, train_batch_size=BATCH, replay_buffer_size=kept,
        replay_buffer_reuse=reuse, max_steps=0, checkpoint_freq=1, actors=1, evaluators=0,
        evaluation_window=1, eval_levels=2, uct_c=1.25, max_simulations=simulations,
        policy_alpha=1, policy_epsilon=0.25, temperature=1, temperature_drop=10,
        nn_model="resnet", nn_width=FILTERS, nn_depth=BLOCKS,
        observation_shape=game.observation_tensor_shape(),
        output_size=game.num_distinct_actions(), verbose=False, quiet=True,
    )  # fmt: skip
    model = alpha_zero._init_model_from_config(config)
    evaluator = AlphaZeroEvaluator(game, model)
    bots = [alpha_zero._init_bot(config, game, evaluator, False) for _ in range(2)]
    judge = alpha_zero._init_bot(config, game, evaluator, True)
    buffer = replay_buffer.Buffer(kept)

    def mover(moves: list[int]) -> int:
        state = game.new_initial_state()
        for move in moves:
            state.apply_action(move)
        return int(judge.mcts_search(state).best_child().action)

    new = searched = 0
    for match in range(1, limits[-1] + 1):
        played = alpha_zero._play_game(Quiet(), match, game, bots, 1, 10)
        for each in played.states:
            buffer.append(
                utils.TrainInput(
                    observation=jnp.asarray(each.observation, dtype=jnp.float32),
                    legals_mask=jnp.asarray(each.legals_mask, dtype=jnp.bool),
                    policy=jnp.asarray(each.policy, dtype=jnp.float32),
                    value=jnp.asarray(played.returns[0], dtype=jnp.float32),
                )
            )
        new, searched = new + len(played.states), searched + simulations * len(played.states)
        while new * reuse >= BATCH and len(buffer) >= BATCH:  # each state is learned four times
            model.update(buffer.sample(BATCH))
            new -= BATCH // reuse
            evaluator._cache.clear()
        if match in limits:
            share = judged(mover, asked)
            print(f"OpenSpiel  {match:5} matches {searched:8,} simulations: {share}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--columns", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=25)
    parser.add_argument("--matches", type=int, nargs="+", default=[50, 100, 200])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["athenan", "OpenSpiel"])
    given = parser.parse_args()
    board = f"rows={given.rows},columns={given.columns}"
    game = make_game(f"connect_four:{board}")
    asked = positions(game, given.positions)
    settings = given.simulations, given.seed, given.matches, asked
    if given.only != "OpenSpiel":
        ours(game, *settings)
    if given.only != "athenan":
        theirs(f"connect_four({board})", *settings)


if __name__ == "__main__":
    main()
