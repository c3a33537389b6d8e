"""From touch planes to logits: against a loop, and without anything as large as a game's moves."""

import tracemalloc

import athenan
import numpy as np
import pytest
import torch
from athenan.evaluators import network_evaluator
from athenan.evaluators.device_touches import DeviceMoves
from athenan.evaluators.touches import move_logits
from athenan.networks import Architecture, input_shape
from athenan.networks.network import new_network
from evaluators.samples import Moves, kinds_of, legal_moves, random_moves


def looped(touches: np.ndarray, moves: Moves) -> list[float]:
    """The definition, move by move."""
    logits = []
    for state, planes in enumerate(touches):
        for move in range(moves.offsets[state], moves.offsets[state + 1]):
            kind = moves.kinds[move]
            path = [(i, cell) for i, cell in enumerate(moves.cells[move]) if cell >= 0]
            if path:
                logits.append(sum(planes[4 * kind + i].flat[cell] for i, cell in path))
            else:
                logits.append(planes[4 * kind].mean())
    return logits


@pytest.mark.parametrize("kinds", [1, 2, 5])
@pytest.mark.parametrize("states", [0, 1, 40])
def test_logits_are_those_of_the_definition(kinds: int, states: int) -> None:
    touches = np.random.default_rng(kinds).normal(size=(states, 4 * kinds, 3, 5))
    moves = random_moves(states, kinds, 15, seed=states)
    found = move_logits(touches.astype(np.float32), moves)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, looped(touches, moves), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kinds", [1, 2, 5])
@pytest.mark.parametrize("states", [0, 1, 40])
@pytest.mark.parametrize("with_base", [False, True])
def test_on_a_device_they_are_the_same(kinds: int, states: int, with_base: bool) -> None:
    random = np.random.default_rng(kinds)
    touches = random.normal(size=(states, 4 * kinds, 3, 5)).astype(np.float32)
    moves = random_moves(states, kinds, 15, seed=states)
    base = random.normal(size=states).astype(np.float32) if with_base else None
    found = DeviceMoves.sent(moves, "cpu").logits(
        torch.from_numpy(touches), None if base is None else torch.from_numpy(base)
    )
    np.testing.assert_allclose(
        found.numpy(), move_logits(touches, moves, base=base), rtol=1e-5, atol=1e-6
    )


def test_moves_on_a_device_are_copies() -> None:
    moves = random_moves(40, 2, 15)
    touches = torch.from_numpy(np.random.default_rng(1).normal(size=(40, 8, 3, 5)))
    sent = DeviceMoves.sent(moves, "cpu")
    before = sent.logits(touches.float())
    moves.cells[:], moves.kinds[:] = 0, 0
    assert torch.equal(sent.logits(touches.float()), before)


def test_the_samples_have_every_kind_of_path() -> None:
    moves = random_moves(40, 2, 15, seed=40)
    assert set((moves.cells >= 0).sum(axis=1)) == {0, 1, 2, 3, 4}
    assert 0 in np.diff(moves.offsets)


def test_some_states_of_a_batch_are_answered_as_in_the_whole() -> None:
    touches = np.random.default_rng(1).normal(size=(20, 8, 3, 5)).astype(np.float32)
    moves = random_moves(20, 2, 15)
    whole = move_logits(touches, moves)
    for start, stop in [(0, 20), (0, 1), (7, 7), (7, 9), (19, 20)]:
        found = move_logits(touches[start:stop], moves, start)
        np.testing.assert_array_equal(found, whole[moves.offsets[start] : moves.offsets[stop]])


def test_planes_in_another_layout_are_read_alike() -> None:
    touches = np.random.default_rng(1).normal(size=(20, 3, 5, 8)).astype(np.float32)
    last = touches.transpose(0, 3, 1, 2)
    moves = random_moves(20, 2, 15)
    np.testing.assert_array_equal(
        move_logits(last, moves), move_logits(np.ascontiguousarray(last), moves)
    )


def test_nothing_is_as_large_as_the_moves_of_the_game() -> None:
    """Amazons with queens and arrows in one ply has a million moves."""
    game = athenan.make_game("amazons", plies="1")
    assert game.move_count == 10**6
    architecture = Architecture(filters=8, blocks=1, dense=(8,), policy=True)
    network = new_network(architecture, input_shape(game), kinds_of(game), seed=1)
    assert network.weight_count < game.move_count / 10
    states = game.initial_state().children()[:64]
    planes, moves = game.encode(states), legal_moves(game, states)
    assert len(moves.numbers) > 64 * 1000
    with network_evaluator(network, device="cpu", threads=1) as evaluator:
        tracemalloc.start()
        try:
            answer = evaluator.evaluate(planes, moves)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert answer.logits is not None
    assert answer.logits.shape == moves.numbers.shape
    assert np.ptp(answer.logits) > 0
    assert peak < 64 * len(moves.numbers)  # a row of floats for each state would be 256 MB
