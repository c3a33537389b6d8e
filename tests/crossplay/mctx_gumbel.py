"""What mctx, by authors of Gumbel AlphaZero, makes of positions of tic-tac-toe: data for a test.

    pip install --target OTHER mctx "jax[cpu]"
    PYTHONPATH=python:tests:OTHER python -m crossplay.mctx_gumbel > tests/data/mctx_gumbel.json

The game is given to mctx as tables over all of its states, with values and logits that look random.
Two players are a discount of -1, an end is a discount of 0. Its own scale of values is left out
(`rescale_values=False`): ours are outcomes, from 0 to 1 in the formula of the paper, which is half
of mctx's `value_scale` here, where they run from -1 to 1.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

import athenan
import numpy as np
from athenan import _core

POSITIONS, CELLS = 40, 9
ILLEGAL = -1e30
SETTINGS = [
    {"iterations": iterations, "considered": considered, "c_visit": c_visit, "c_scale": c_scale}
    for iterations, considered in ((2, 16), (8, 4), (16, 16), (33, 8), (60, 3))
    for c_visit, c_scale in ((50.0, 1.0), (5.0, 0.2))
]


def value_of(state: athenan.State) -> float:
    """The value for the first player."""
    return float(_core.hash_values(state.game.encode([state]), 7)[0])


def logit_of(state: athenan.State, move: int) -> float:
    """A logit between -3 and 3."""
    return 3 * float(_core.hash_values(state.game.encode([state]), 100 + move)[0])


def states_of(game: athenan.Game) -> dict[str, tuple[athenan.State, list[int]]]:
    """All states that can be reached, by their positions, with moves that lead there."""
    found: dict[str, tuple[athenan.State, list[int]]] = {}
    waiting: list[tuple[athenan.State, list[int]]] = [(game.initial_state(), [])]
    while waiting:
        state, moves = waiting.pop()
        if state.position not in found:
            found[state.position] = state, moves
            if not state.is_terminal:
                waiting += [(state.play(move), [*moves, move]) for move in state.legal_moves()]
    return found


def tables(states: Sequence[athenan.State]) -> dict[str, Any]:
    """Everything that a model of the game has to know, as arrays over states and moves."""
    number = {state.position: k for k, state in enumerate(states)}
    count = len(states)
    out: dict[str, Any] = {
        "next": np.tile(np.arange(count, dtype=np.int32)[:, None], (1, CELLS)),
        "reward": np.zeros((count, CELLS), np.float32),
        "discount": np.zeros((count, CELLS), np.float32),
        "logits": np.zeros((count, CELLS), np.float32),
        "value": np.zeros(count, np.float32),
    }
    for k, state in enumerate(states):
        if state.is_terminal:
            continue
        sign = 1 if state.to_move == 0 else -1
        out["value"][k] = sign * value_of(state)
        out["logits"][k] = ILLEGAL
        for move in state.legal_moves():
            child = state.play(move)
            out["next"][k, move] = number[child.position]
            out["logits"][k, move] = logit_of(state, move)
            if child.is_terminal:
                assert child.outcome is not None
                out["reward"][k, move] = sign * child.outcome
            else:
                out["discount"][k, move] = -1
    return out


def answers(known: dict[str, Any], roots: np.ndarray[Any, Any], setting: dict[str, Any]) -> Any:
    """Search all positions at once."""
    import jax
    import mctx
    from jax import numpy as jnp

    arrays = {name: jnp.asarray(array) for name, array in known.items()}

    def step(_params: Any, _key: Any, move: Any, at: Any) -> Any:
        after = arrays["next"][at, move]
        output = mctx.RecurrentFnOutput(
            reward=arrays["reward"][at, move],
            discount=arrays["discount"][at, move],
            prior_logits=arrays["logits"][after],
            value=arrays["value"][after],
        )
        return output, after

    at = jnp.asarray(roots)
    return mctx.gumbel_muzero_policy(
        params=(),
        rng_key=jax.random.PRNGKey(0),
        root=mctx.RootFnOutput(
            prior_logits=arrays["logits"][at], value=arrays["value"][at], embedding=at
        ),
        recurrent_fn=step,
        num_simulations=setting["iterations"],
        invalid_actions=arrays["logits"][at] == ILLEGAL,
        qtransform=functools.partial(
            mctx.qtransform_completed_by_mix_value,
            value_scale=setting["c_scale"] / 2,
            maxvisit_init=setting["c_visit"],
            rescale_values=False,
        ),
        max_num_considered_actions=setting["considered"],
        gumbel_scale=0.0,
    )


def main() -> None:
    found = states_of(athenan.make_game("tic_tac_toe"))
    states, openings = zip(*found.values(), strict=True)
    known = tables(states)
    ongoing = [k for k, state in enumerate(states) if len(state.legal_moves()) > 1]
    roots = np.random.default_rng(1).choice(ongoing, POSITIONS, replace=False)
    rows = []
    for setting in SETTINGS:
        answer = answers(known, roots, setting)
        visits = answer.search_tree.summary().visit_counts
        for k, root in enumerate(roots):
            moves = states[root].legal_moves()
            rows.append(
                {
                    **setting,
                    "opening": openings[root],
                    "move": int(answer.action[k]),
                    "visits": [int(visits[k, move]) for move in moves],
                    "policy": [round(float(answer.action_weights[k, move]), 6) for move in moves],
                }
            )
    print("[" + ",\n".join(map(json.dumps, rows)) + "]")


if __name__ == "__main__":
    main()
