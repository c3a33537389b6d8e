"""Packed states, as learning keeps them, pass a gate: foreign bytes are refused."""

import athenan
import numpy as np
import pytest
from athenan import PositionError
from athenan._core import check_packed, encode_packed, transform_packed
from conformance.walks import seeds, walk
from hypothesis import given


def packed_walk(game: athenan.Game, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    states = walk(game, seed).states
    return np.ascontiguousarray(game.pack(states)[:, : game.packed_size])


@given(seed=seeds)
def test_states_and_their_images_pass(game: athenan.Game, seed: int) -> None:
    packed = packed_walk(game, seed)
    check_packed(game, packed)
    symmetries = np.arange(len(packed), dtype=np.uint8) % game.symmetries
    images = transform_packed(game, packed, symmetries)
    check_packed(game, images)
    check_packed(game, transform_packed(game, images, symmetries))
    assert encode_packed(game, images, np.arange(len(images))).shape[0] == len(images)


def test_foreign_bytes_are_refused_or_are_states(game: athenan.Game) -> None:
    random = np.random.default_rng(1)
    packed = packed_walk(game, 3)
    foreign = packed[random.integers(len(packed), size=200)]
    for row, damage in zip(foreign, random.integers(1, 5, 200), strict=True):
        row[random.integers(16, len(row), damage)] = random.integers(0, 256, damage, np.uint8)
    foreign[::4, 16:] = random.integers(0, 256, foreign[::4, 16:].shape, np.uint8)
    rows, one = np.zeros(1, np.int64), np.full(1, game.symmetries - 1, np.uint8)
    refused = 0
    for row in foreign:
        state = row[None]
        try:
            check_packed(game, state)
        except PositionError:
            refused += 1
            with pytest.raises(PositionError, match="are not a state of"):
                encode_packed(game, state, rows, 1)
            with pytest.raises(PositionError, match="are not a state of"):
                transform_packed(game, state, one, 1)
        else:
            encode_packed(game, state, rows, 1)
            transform_packed(game, state, one, 1)
    assert refused > 20 or ".py" in game.id


def test_rows_and_symmetries_out_of_range_are_refused(game: athenan.Game) -> None:
    packed = packed_walk(game, 3)[:2]
    for row in (-1, 2, 2**62):
        with pytest.raises(athenan.Error, match=f"no row {row} among 2"):
            encode_packed(game, packed, np.array([0, row]), 1)
    with pytest.raises(athenan.Error, match="has no symmetry number"):
        transform_packed(game, packed, np.array([0, game.symmetries], np.uint8), 1)
    with pytest.raises(PositionError, match="bytes each"):
        check_packed(game, packed[:, :-1].copy())
