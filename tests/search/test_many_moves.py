"""Policies where a game has a million moves: what is allocated grows with the legal ones alone."""

import tracemalloc

import athenan
import numpy as np
from athenan._core import Mind, Pool
from athenan.evaluators import network_evaluator
from athenan.networks import Architecture, build_network

AMAZONS = athenan.make_game("amazons:size=10,plies=1")
SHAPE = Architecture.model_validate({"filters": 8, "blocks": 1, "dense": (8,), "policy": True})


def test_amazons_with_whole_turns_is_searched_with_a_policy() -> None:
    state = AMAZONS.initial_state()
    assert AMAZONS.move_count >= 10**6
    with network_evaluator(build_network(SHAPE, AMAZONS), device="cpu", threads=1) as evaluator:
        result = athenan.search(state, evaluator, "puct:iterations=3")
        assert len(result.moves) == 2176
        assert sum(move.count for move in result.moves) >= 2
        tracemalloc.start()
        moves = AMAZONS.legal_moves([state])
        logits = evaluator.evaluate(AMAZONS.encode([state]), moves).logits
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert logits is not None
    assert len(logits) == len(moves) == 2176
    assert peak < 10**6  # bytes; a row of all moves would have four million


def test_a_pool_asks_for_the_legal_moves_of_its_states() -> None:
    pool = Pool(AMAZONS, [Mind("puct:iterations=2")], slots=2)
    for index in range(2):
        pool.add(index, index)
    for _ in range(4):
        waiting = pool.collect()
        moves = pool.moves(0)
        assert moves is not None
        assert len(moves.offsets) == waiting + 1
        assert moves.offsets[-1] == len(moves.numbers) == len(moves.cells)
        pool.resume(0, np.zeros(waiting, np.float32), np.zeros(len(moves), np.float32))


def test_a_record_says_how_often_each_move_was_selected() -> None:
    game = athenan.make_game("hex:size=3,swap=false")
    pool = Pool(game, [Mind("puct:iterations=20")])
    pool.add(0, 1)
    while waiting := pool.collect():
        moves = pool.moves(0)
        assert moves is not None
        pool.resume(0, np.zeros(waiting, np.float32), np.zeros(len(moves), np.float32))
    (record,) = pool.take_finished()
    offsets, numbers, shares = record.selected
    state = game.initial_state()
    assert len(offsets) == len(record.moves) + 1
    for first, end, played in zip(offsets[:-1], offsets[1:], record.moves, strict=True):
        assert numbers[first:end].tolist() == state.legal_moves()
        assert abs(shares[first:end].sum() - 1) < 1e-6
        best = numbers[first:end][shares[first:end] == shares[first:end].max()]
        assert played in best
        state = state.play(played)


def test_a_search_without_a_policy_leaves_no_shares() -> None:
    game = athenan.make_game("hex:size=3")
    pool = Pool(game, [Mind("mcts:iterations=5")])
    pool.add(0, 1)
    assert pool.collect() == 0
    offsets, numbers, _ = pool.take_finished()[0].selected
    assert offsets.tolist() == [0]
    assert len(numbers) == 0
