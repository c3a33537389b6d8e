"""Symmetries: what is done to an image of a position is the image of what is done to it."""

import athenan
import numpy as np
import pytest
from conformance.walks import ongoing_positions, positions, seeds, walk
from hypothesis import given
from hypothesis import strategies as st


@given(data=st.data())
def test_symmetry_zero_is_the_identity(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    assert state.transform(0) == state
    assert bytes(state.transform(0)) == bytes(state)
    assert [state.transform_move(0, move) for move in state.legal_moves()] == state.legal_moves()


@given(data=st.data())
def test_legal_moves_are_mapped_one_to_one(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(ongoing_positions(game))
    for k in range(game.symmetries):
        images = [state.transform_move(k, move) for move in state.legal_moves()]
        assert sorted(images) == sorted(state.transform(k).legal_moves())


@given(data=st.data())
def test_playing_commutes_with_symmetries(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(ongoing_positions(game))
    move = data.draw(st.sampled_from(state.legal_moves()))
    for k in range(game.symmetries):
        image = state.transform(k).play(state.transform_move(k, move))
        assert image == state.play(move).transform(k)


@given(data=st.data())
def test_images_keep_what_counts(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    for k in range(game.symmetries):
        image = state.transform(k)
        assert image.outcome == state.outcome
        assert image.to_move == state.to_move
        assert image.ply == state.ply
        if game.datasheet.has_score:
            assert image.score == state.score
        if game.datasheet.has_pieces:
            assert [image.pieces(p) for p in (0, 1)] == [state.pieces(p) for p in (0, 1)]
        assert game.parse_position(image.position) == image


@given(data=st.data())
def test_symmetries_form_a_group(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    images = {state.transform(k) for k in range(game.symmetries)}
    k = data.draw(st.integers(0, game.symmetries - 1))
    assert {image.transform(k) for image in images} == images
    assert game.symmetries % len(images) == 0


def test_symmetries_are_distinct(game: athenan.Game) -> None:
    states = [state for seed in range(4) for state in walk(game, seed).states]
    images = {tuple(state.transform(k) for state in states) for k in range(game.symmetries)}
    assert len(images) == game.symmetries


@given(seed=seeds)
def test_planes_of_an_image_are_planes_with_permuted_cells(game: athenan.Game, seed: int) -> None:
    states = walk(game, seed).states
    original = unordered(game.encode(states))
    for k in range(game.symmetries):
        image = unordered(game.encode([state.transform(k) for state in states]))
        assert image == original, f"symmetry {k} does more than permute cells"


def unordered(planes: np.ndarray) -> list[list[bytes]]:
    """List what the cells of each plane show over all states, without the order of either.

    A symmetry may exchange planes that belong to directions.
    """
    histories = np.moveaxis(planes.reshape(*planes.shape[:2], -1), 0, -1)
    return sorted(sorted(cell.tobytes() for cell in plane) for plane in histories)


def test_symmetries_that_do_not_exist_are_refused(game: athenan.Game) -> None:
    state = game.initial_state()
    for symmetry in (-1, game.symmetries, 10**6):
        with pytest.raises(athenan.Error, match="symmetry"):
            state.transform(symmetry)
        with pytest.raises(athenan.Error, match="symmetry"):
            state.transform_move(symmetry, state.legal_moves()[0])


def test_moves_that_do_not_exist_have_no_image(game: athenan.Game) -> None:
    with pytest.raises(athenan.IllegalMoveError, match="does not exist"):
        game.initial_state().transform_move(game.symmetries - 1, game.move_count)
