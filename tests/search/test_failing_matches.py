"""A pool survives the failure of a match: it is told once, and all the others are played."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import athenan
import numpy as np
import pytest
from athenan import Error, _core
from athenan.evaluators import hash_evaluator

GAME = athenan.make_game("tic_tac_toe")
MIND = _core.Mind("ubfm:expansions=5")


def outcomes(pool: _core.Pool) -> Iterator[_core.MatchRecord | Exception]:
    """What becomes of each match."""
    evaluate = hash_evaluator()
    while True:
        try:
            waiting = pool.collect()
        except Error as problem:
            yield problem
            continue
        if waiting:
            pool.resume(0, evaluate(pool.batch()))
        yield from pool.take_finished()
        if not waiting and not pool.queued:
            return


def repeat(action: Callable[[], object]) -> None:
    while True:
        action()


@pytest.mark.parametrize("threads", [1, 3])
def test_openings_that_are_not_legal(threads: int) -> None:
    pool = _core.Pool(GAME, [MIND], "tree", 3, threads)
    wrong = {1: [4, 4], 4: [0, 3, 1, 4, 2], 5: [99], 8: [4, 4]}
    for index in range(10):
        pool.add(index, index, opening=wrong.get(index, [4]))
    found = list(outcomes(pool))
    told = [str(each) for each in found if isinstance(each, athenan.IllegalMoveError)]
    assert len(told) == 4
    for index, sentence in zip(wrong, sorted(told), strict=True):
        assert sentence.startswith(f"match {index} was given up: ")
    played = [each.index for each in found if isinstance(each, _core.MatchRecord)]
    assert sorted(played) == [0, 2, 3, 6, 7, 9]
    alone = _core.Pool(GAME, [MIND], "tree")
    alone.add(9, 9, opening=[4])
    (record,) = outcomes(alone)
    (same,) = (each for each in found if isinstance(each, _core.MatchRecord) and each.index == 9)
    assert isinstance(record, _core.MatchRecord)
    assert record.moves == same.moves
    assert record.targets[1].tolist() == same.targets[1].tolist()


def test_values_are_taken_once_and_are_finite() -> None:
    pool = _core.Pool(GAME, [MIND], "none", 2)
    for index in range(2):
        pool.add(index, index)
    with pytest.raises(Error, match="no values are waited for"):
        pool.resume(0, np.empty(0, np.float32))
    waiting = pool.collect()
    values = np.zeros(waiting, np.float32)
    values[3] = np.nan
    with pytest.raises(Error, match="as value number 3; a finite number"):
        pool.resume(0, values)
    pool.resume(0, np.zeros(waiting, np.float32))
    with pytest.raises(Error, match="no values are waited for"):
        pool.resume(0, np.zeros(waiting, np.float32))
    for evaluator in (-1, 1):
        for question in (pool.batch, pool.moves):
            with pytest.raises(Error, match="has no evaluator"):
                question(evaluator)
    assert len(list(outcomes(pool))) == 2


def test_a_batch_outlives_its_pool() -> None:
    """A view keeps the memory that it looks at, also when the pool needs a larger one."""
    pool = _core.Pool(athenan.make_game("hex:size=4"), [MIND], "none", 400)
    pool.add(0, 0)
    pool.collect()
    view = pool.batch()
    before = view.copy()
    for index in range(1, 400):
        pool.add(index, index)
    pool.resume(0, np.zeros(len(view), np.float32))
    assert pool.collect() > 20 * len(view)
    del pool
    assert np.array_equal(view, before)


def test_one_thread_at_a_time_uses_a_pool() -> None:
    pool, stop = _core.Pool(GAME, [_core.Mind("ubfm:completion=false,seconds=60")]), _core.Stop()
    for index in range(2):
        pool.add(index, index)

    def work() -> None:
        with suppress(athenan.Stopped):
            while True:
                pool.resume(0, np.zeros(pool.collect(stop), np.float32))

    playing = threading.Thread(target=work)
    playing.start()
    try:
        with pytest.raises(Error, match="this pool is in use"):
            repeat(lambda: pool.tree_bytes)
        pool.add(2, 2)  # what any thread may do
        assert pool.queued > 0
        assert pool.take_finished() == []
    finally:
        stop.request()
        playing.join()


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_pool_works_in_a_forked_process() -> None:
    pool = _core.Pool(GAME, [MIND], "none", 4, 3)
    for index in range(4):
        pool.add(index, index)
    waiting = pool.collect()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            pool.resume(0, np.zeros(waiting, np.float32))
            played = len(list(outcomes(pool)))
            del pool
            status = 0 if played == 4 and GAME.perft(4) == 3024 else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    pool.resume(0, np.zeros(waiting, np.float32))
    assert len(list(outcomes(pool))) == 4
