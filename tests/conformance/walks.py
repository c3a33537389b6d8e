"""Random matches played through the Python API, and hypothesis strategies over them."""

from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import NamedTuple

import athenan
from hypothesis import strategies as st


class Walk(NamedTuple):
    """A random match: its states from the start to the end, and the moves between them."""

    states: list[athenan.State]
    moves: list[int]

    def steps(self) -> list[tuple[athenan.State, int, athenan.State]]:
        """List (state, move, next state)."""
        return [
            (a, move, b) for (a, b), move in zip(pairwise(self.states), self.moves, strict=True)
        ]


def walk_from(state: athenan.State, random: Random) -> Walk:
    """Play uniformly random moves until no move is left."""
    states, moves = [state], []
    while legal := states[-1].legal_moves():
        moves.append(random.choice(legal))
        states.append(states[-1].play(moves[-1]))
        assert len(moves) <= state.game.datasheet.max_length, "the match is longer than its bound"
    return Walk(states, moves)


@lru_cache(maxsize=256)
def walk(game: athenan.Game, seed: int) -> Walk:
    """Play one random match from the start; the seed decides it."""
    return walk_from(game.initial_state(), Random(seed))


seeds = st.integers(0, 11)


@st.composite
def positions(draw: st.DrawFn, game: athenan.Game) -> athenan.State:
    """Draw a position of a random match, its end included."""
    states = walk(game, draw(seeds)).states
    return states[draw(st.integers(0, len(states) - 1))]


@st.composite
def ongoing_positions(draw: st.DrawFn, game: athenan.Game) -> athenan.State:
    """Draw a position of a random match that is not over."""
    states = walk(game, draw(seeds)).states
    return states[draw(st.integers(0, len(states) - 2))]
