"""Is base MCTS as strong as open_spiel's MCTS at equal simulations? It should be: same algorithm.

Plays matches with alternating colours and prints the score with its 95 % Wilson interval, which
should contain one half.
"""

from __future__ import annotations

import argparse
from math import sqrt
from typing import Any

import athenan
import pyspiel
from athenan.arena.scores import wilson
from athenan.searches import Search, SearchSpec

# open_spiel's Othello exists on 8x8 only.
GAMES = {
    "breakthrough:rows=6,columns=6": "breakthrough(rows=6,columns=6)",
    "hex:size=7,swap=false": "hex(board_size=7)",
    "othello": "othello",
}


def their_action(game_id: str, state: Any, text: str) -> int:
    """Our move in open_spiel's numbers."""
    by_text = {state.action_to_string(a): a for a in state.legal_actions()}
    if game_id.startswith("breakthrough"):
        rows = 6
        names = {_mirrored(t, rows): a for t, a in by_text.items()}
        return int(names[text.replace("x", "")])
    if game_id.startswith("othello"):
        names = {t.split("(")[0].strip(): a for t, a in by_text.items()}
        return int(names[text])
    return int(by_text[text])


def _mirrored(text: str, rows: int) -> str:
    text = text.rstrip("*")
    return f"{text[0]}{rows + 1 - int(text[1])}{text[2]}{rows + 1 - int(text[3])}"


def play_match(game_id: str, ours_first: bool, simulations: int, seed: int) -> float:
    """One match; 1 if we win, 0 if they do."""
    state = athenan.make_game(game_id).initial_state()
    theirs = pyspiel.load_game(GAMES[game_id]).new_initial_state()
    mind = Search(state.game, SearchSpec(f"mcts:iterations={simulations}"), seed)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    bot = pyspiel.MCTSBot(
        theirs.get_game(), evaluator, sqrt(2), simulations, 1000, False, seed, False
    )
    while not state.is_terminal:
        if (state.to_move == 0) == ours_first:
            mind.new_match(seed * 1000 + state.ply)
            mind.begin(state)
            mind.run_fake(0)
            move = mind.decide()
            action = their_action(game_id, theirs, state.move_to_string(move))
        else:
            action = bot.step(theirs)
            actions = {
                their_action(game_id, theirs, text): move
                for text, move in zip(state.legal_move_strings(), state.legal_moves(), strict=True)
            }
            move = actions[action]
        state = state.play(move)
        theirs.apply_action(action)
    assert theirs.is_terminal()
    assert state.outcome is not None
    result = state.outcome if ours_first else -state.outcome
    return (result + 1) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=200)
    options = parser.parse_args()
    for game_id in GAMES:
        score = sum(
            play_match(game_id, k % 2 == 0, options.simulations, k + 1)
            for k in range(options.matches)
        )
        low, high = wilson(score / options.matches, options.matches)
        verdict = "equal" if low <= 0.5 <= high else "NOT equal"
        print(
            f"{game_id}: {score:g} of {options.matches} at {options.simulations} simulations, "
            f"95 % interval {low:.3f} to {high:.3f}: {verdict}",
            flush=True,
        )


if __name__ == "__main__":
    main()
