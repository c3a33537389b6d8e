"""Bulk calls: expand, children and perft say the same as playing move by move."""

import athenan
import numpy as np
import pytest
from conformance.walks import ongoing_positions, positions, seeds, walk
from hypothesis import given, settings
from hypothesis import strategies as st

ONGOING = 2


@given(data=st.data())
def test_children_are_the_states_after_each_move(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    played = [state.play(move) for move in state.legal_moves()]
    assert state.children() == played
    assert [bytes(child) for child in state.children()] == [bytes(child) for child in played]


@pytest.mark.parametrize("threads", [1, 2])
@given(seed=seeds)
def test_expanding_is_playing_every_move(game: athenan.Game, threads: int, seed: int) -> None:
    states = walk(game, seed).states
    states = states[:: max(1, len(states) // 8)] + states[-1:]
    offsets, moves, children, results, keys = game.expand(states, threads=threads)
    assert list(offsets) == list(np.cumsum([0, *(len(state.legal_moves()) for state in states)]))
    assert list(moves) == [move for state in states for move in state.legal_moves()]
    played = [child for state in states for child in state.children()]
    assert game.unpack(children) == played
    assert list(keys) == [child.key for child in played]
    assert [ONGOING if c.outcome is None else c.outcome for c in played] == list(results)


def test_packed_states_expand_alike(game: athenan.Game) -> None:
    states = walk(game, 0).states[:5]
    for one, other in zip(game.expand(states), game.expand(game.pack(states)), strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))


def test_nothing_expands_to_nothing(game: athenan.Game) -> None:
    offsets, moves, children, results, keys = game.expand([])
    assert list(offsets) == [0]
    assert len(moves) == len(children) == len(results) == len(keys) == 0


def leaves(state: athenan.State, depth: int) -> int:
    """Count the sequences of exactly `depth` moves, one by one."""
    if depth == 0:
        return 1
    return sum(leaves(state.play(move), depth - 1) for move in state.legal_moves())


def countable_depth(state: athenan.State, most: int = 600) -> int:
    """Return the depth, at most 4, whose leaves are still few."""
    depth = 1
    while depth < 4 and state.perft(depth + 1, threads=1) <= most:
        depth += 1
    return depth


@settings(max_examples=10)
@given(data=st.data())
def test_perft_counts_sequences_of_moves(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(ongoing_positions(game))
    for depth in range(countable_depth(state) + 1):
        expected = leaves(state, depth)
        assert state.perft(depth, threads=1) == expected
        assert state.perft(depth, threads=2) == expected


def test_perft_of_the_game_is_that_of_its_start(game: athenan.Game) -> None:
    start = game.initial_state()
    depth = countable_depth(start)
    assert game.perft(depth) == start.perft(depth) == leaves(start, depth)


def test_a_negative_depth_is_refused(game: athenan.Game) -> None:
    with pytest.raises(athenan.Error, match="depth"):
        game.perft(-1)
