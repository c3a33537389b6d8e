"""Planes: as the datasheet says, the same one by one and in bulk, and worth looking at."""

import athenan
import numpy as np
import pytest
from conformance.walks import positions, seeds, walk
from hypothesis import given
from hypothesis import strategies as st


def shape_of(game: athenan.Game) -> tuple[int, int, int]:
    sheet = game.datasheet
    return len(sheet.planes), sheet.rows, sheet.columns


@given(data=st.data())
def test_a_state_is_encoded_as_the_datasheet_says(game: athenan.Game, data: st.DataObject) -> None:
    planes = data.draw(positions(game)).encode()
    assert planes.dtype == np.int8
    assert planes.shape == shape_of(game)


@pytest.mark.parametrize("threads", [0, 1, 2, 3])
@given(seed=seeds)
def test_bulk_encoding_is_single_encoding(game: athenan.Game, threads: int, seed: int) -> None:
    states = walk(game, seed).states
    singly = np.stack([state.encode() for state in states])
    assert np.array_equal(game.encode(states, threads=threads), singly)
    assert np.array_equal(game.encode(game.pack(states), threads=threads), singly)


def test_no_states_are_encoded_as_no_planes(game: athenan.Game) -> None:
    assert game.encode([]).shape == (0, *shape_of(game))


@given(data=st.data())
def test_equal_states_have_equal_planes(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    for again in (game.parse_position(state.position), game.state_from_bytes(bytes(state))):
        assert np.array_equal(again.encode(), state.encode())


def test_the_planes_tell_the_children_of_a_state_apart(game: athenan.Game) -> None:
    for state in walk(game, 0).states[:-1]:
        children = state.children()
        boards = {child.encode().tobytes() for child in children}
        assert len(boards) == len(set(children))


def test_planes_change_in_a_match(game: athenan.Game) -> None:
    planes = np.concatenate([game.encode(walk(game, seed).states) for seed in range(12)])
    changing = (planes != planes[0]).any(axis=(0, 2, 3))
    constant = [
        name for name, seen in zip(game.datasheet.planes, changing, strict=True) if not seen
    ]
    assert not constant, f"planes that never change: {constant}"


def test_two_players_to_move_are_told_apart(game: athenan.Game) -> None:
    shown: dict[bytes, int] = {}
    for seed in range(12):
        for state in walk(game, seed).states:
            assert shown.setdefault(state.encode().tobytes(), state.to_move) == state.to_move
