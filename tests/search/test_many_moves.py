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
