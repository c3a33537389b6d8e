"""What uniformly random matches of a game look like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from athenan._core import Game, Random, State


class Measured(NamedTuple):
    """The length of matches, and the number of moves that there are to choose from."""

    matches: int
    mean_length: float
    mean_branching: float


class Turn(NamedTuple):
    """A state and the moves to choose from."""

    state: State
    moves: list[int]


def random_turns(game: Game, matches: int, seed: int = 0) -> Iterator[Turn]:
    """Play uniformly random matches from the start, one after the other."""
    random = Random(seed)
    start = game.initial_state()
    for _ in range(matches):
        state = start
        while moves := state.legal_moves():
            yield Turn(state, moves)
            state = state.play(moves[random.below(len(moves))])


def random_matches(game: Game, matches: int, seed: int = 0) -> Measured:
    """Measure uniformly random matches from the start."""
    choices = [len(turn.moves) for turn in random_turns(game, matches, seed)]
    return Measured(matches, len(choices) / matches, sum(choices) / len(choices))
