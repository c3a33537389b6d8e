"""States are immutable values that survive bytes, pickles and packed arrays."""

import copy
import pickle

import athenan
import numpy as np
import pytest
from athenan import PositionError
from conformance.walks import ongoing_positions, positions, seeds, walk
from hypothesis import given
from hypothesis import strategies as st


@given(data=st.data())
def test_bytes_are_read_back(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    again = game.state_from_bytes(bytes(state))
    assert again == state
    assert bytes(again) == bytes(state)
    assert again.key == state.key
    assert again.position == state.position
    assert len(bytes(state)) <= game.state_size


@given(data=st.data())
def test_pickles_and_copies_are_equal(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    for again in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
        assert again == state
        assert bytes(again) == bytes(state)
        assert again.game == game


def test_a_pickled_game_is_the_same_game(game: athenan.Game) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.id == game.id
    assert hash(again) == hash(game)
    assert again.initial_state() == game.initial_state()


@given(seed=seeds)
def test_packed_states_are_unpacked(game: athenan.Game, seed: int) -> None:
    states = walk(game, seed).states
    packed = game.pack(states)
    assert packed.dtype == np.uint8
    assert packed.shape == (len(states), game.state_size)
    assert game.unpack(packed) == states


def test_packed_states_of_the_wrong_size_are_refused(game: athenan.Game) -> None:
    packed = game.pack([game.initial_state()])
    for wrong in (packed[:, :-8].copy(), np.hstack([packed, packed])):
        with pytest.raises(PositionError, match="bytes each"):
            game.unpack(wrong)


@given(data=st.data())
def test_truncated_and_extended_bytes_are_refused(game: athenan.Game, data: st.DataObject) -> None:
    whole = bytes(data.draw(positions(game)))
    for wrong in (b"", whole[:16], whole + bytes(game.state_size)):
        with pytest.raises(PositionError, match="bytes"):
            game.state_from_bytes(wrong)


@given(data=st.data())
def test_playing_leaves_the_state_as_it_was(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(ongoing_positions(game))
    before = bytes(state)
    child = state.play(state.legal_moves()[0])
    state.children()
    state.playouts(2, threads=1)
    assert bytes(state) == before
    assert child.ply == state.ply + 1


def test_states_cannot_be_written_to(game: athenan.Game) -> None:
    state = game.initial_state()
    for name in ("ply", "to_move", "outcome", "key", "position", "anything"):
        with pytest.raises(AttributeError):
            setattr(state, name, 0)


def test_states_of_another_game_are_different_and_refused(game: athenan.Game) -> None:
    other = athenan.make_game("tic_tac_toe")
    if game == other:
        other = athenan.make_game("hex:size=2")
    assert game.initial_state() != other.initial_state()
    assert game.initial_state() != "a state"
    assert game.initial_state() != None  # noqa: E711
    with pytest.raises(athenan.Error, match=game.name):
        game.pack([other.initial_state()])
