"""Whole turns of random matches."""

from collections.abc import Iterator
from random import Random

from athenan import State
from athenan.dialects import Dialect


def random_turns(dialect: Dialect, random: Random) -> Iterator[tuple[State, list[int], State]]:
    """Play a random match and yield each turn: where it began, its moves, where it ended."""
    state = dialect.game.initial_state()
    while not state.is_terminal:
        began, moves, ended = state, [], False
        while not ended:
            before = state
            moves.append(random.choice(state.legal_moves()))
            state = state.play(moves[-1])
            ended = dialect.ends_turn(before, state)
        yield began, moves, state
