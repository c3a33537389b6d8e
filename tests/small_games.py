"""How often does learning a small game leave a mistake?

    python tests/small_games.py tic_tac_toe --processes 200 --first-seed 1000

Each process learns the game from its rules alone in 900 matches. Then a player with its network and
five expansions a move is examined: in every position that it can meet, whatever the adversary
plays, its move must hold the outcome of best play. Processes are deterministic: a seed that is
printed fails again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from athenan import Game, Random, State, solve
from athenan._core import Search, SearchSpec
from athenan.arena.scores import wilson
from athenan.evaluators import Evaluator, network_evaluator
from athenan.learning import complete_config, merged, preset
from athenan.learning.settings import Overrides
from athenan.learning.training import Training
from athenan.networks import Network
from athenan.searches import drive

MATCHES, EXPANSIONS = 900, 5
# To be perfect after an adversary's blunders, one has to have seen them: self-play draws every move
# at random, also those that its search has proven to lose. A rare position is to be known however
# the board is turned: all symmetric copies are learned, in many small steps.
SETTINGS = {
    "network": {"blocks": 1},
    "selfplay": {
        "search": "descent:expansions=10",
        "terminal": "classic",
        "selection": "epsilon-greedy:schedule=fixed,exploitation=0,completed=false",
        "matches": 16,
    },
    "learning": {
        "symmetry": "all",
        "batch_size": 128,
        "replay": {"size": 100, "duplication": 1},
        "adam": {"learning_rate": 3e-3, "final_share": 0.3},
    },
    "checkpoints": {"every_minutes": 0},
    "hardware": {"device": "cpu", "threads": 1, "deterministic": True},
}


def trained(game: str, matches: int, seed: int, overrides: Overrides) -> Training:
    limits = {"game": game, "seed": seed, "stop": {"matches": matches}}
    settings = merged(merged(preset("small"), SETTINGS), overrides)
    training = Training(complete_config(settings | limits))
    for _ in training.events():
        pass
    training.close()
    return training


class Machine:
    """A player with a small budget."""

    def __init__(self, game: Game, evaluator: Evaluator, search: str) -> None:
        self.game, self.evaluator, self.search = game, evaluator, search

    def move(self, state: State) -> int:
        mind = Search(self.game, SearchSpec(self.search), 1)
        drive(mind, state, self.evaluator)
        return mind.decide()


def machine(training: Training, network: Network, expansions: int) -> Machine:
    search = f"ubfm-safe:expansions={expansions},terminal={training.config.selfplay.terminal}"
    return Machine(training.game, network_evaluator(network, device="cpu", threads=1), search)


def mistakes(machine: Machine) -> list[str]:
    """The positions in which the player gives away what it could hold, with its moves."""
    known: dict[int, int] = {}
    return [
        f"{state.position}: {state.move_to_string(move)}"
        for player in (0, 1)
        for state, move in positions_met(machine, player)
        if outcome_of(state, known) != outcome_of(state.play(move), known)
    ]


def positions_met(machine: Machine, player: int) -> Iterator[tuple[State, int]]:
    """Every position that this player can meet, whatever the other one plays, and its move."""
    seen: set[int] = set()
    waiting = [machine.game.initial_state()]
    while waiting:
        state = waiting.pop()
        if state.key in seen or state.is_terminal:
            continue
        seen.add(state.key)
        if state.to_move != player:
            waiting.extend(state.children())
            continue
        move = machine.move(state)
        yield state, move
        waiting.append(state.play(move))


def outcome_of(state: State, known: dict[int, int]) -> int:
    """The outcome under best play, by looking at everything."""
    if state.key not in known:
        if state.is_terminal:
            assert state.outcome is not None
            known[state.key] = state.outcome
        else:
            best = max if state.to_move == 0 else min
            known[state.key] = best(outcome_of(child, known) for child in state.children())
    return known[state.key]


def openings(game: Game, plies: int, count: int) -> Iterator[State]:
    random = Random(5)
    while count:
        state = game.initial_state()
        for _ in range(plies):
            if not state.is_terminal:
                moves = state.legal_moves()
                state = state.play(moves[random.below(len(moves))])
        if not state.is_terminal:
            count -= 1
            yield state


def perfect_reply(state: State, random: Random) -> State:
    """Return a child, chosen at random, that keeps the proven outcome."""
    held = solve(state).proven_outcome
    children = state.children()
    while True:
        child = children.pop(random.below(len(children)))
        if (child.outcome if child.is_terminal else solve(child).proven_outcome) == held:
            return child


def result_against_perfect_play(state: State, machine: Machine, player: int) -> int:
    """Play to the end against an opponent who never gives away the proven outcome."""
    random = Random(state.key % 1000)
    while not state.is_terminal:
        if state.to_move == player:
            state = state.play(machine.move(state))
        else:
            state = perfect_reply(state, random)
    assert state.outcome is not None
    return state.outcome


def points_lost(machine: Machine, plies: int, count: int) -> int:
    """How much less than the proven outcome the machine gets, from openings with either colour."""
    lost = 0
    for state in openings(machine.game, plies, count):
        proven = solve(state).proven_outcome
        for player in (0, 1):
            sign = 1 if player == 0 else -1
            result = result_against_perfect_play(state, machine, player)
            lost += sign * (proven - result)
    return lost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--processes", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=1000)
    given = parser.parse_args()
    failed = 0
    for done, seed in enumerate(range(given.first_seed, given.first_seed + given.processes), 1):
        training = trained(given.game, MATCHES, seed, {})
        found = mistakes(machine(training, training.network, EXPANSIONS))
        failed += bool(found)
        low, high = wilson(failed / done, done)
        print(
            f"seed {seed}: {len(found)} mistakes {found or ''} | "
            f"{failed} of {done} processes left one: {failed / done:.1%} ({low:.1%}-{high:.1%})",
            flush=True,
        )


if __name__ == "__main__":
    main()
