"""Batches that end in time."""

from __future__ import annotations

import time

import athenan
import numpy as np
from athenan.evaluators import as_evaluator
from athenan.evaluators.evaluator import Planes, Values
from athenan.evaluators.pace import Pace

PLANES = np.zeros((40, 1, 3, 3), np.int8)


def test_a_long_batch_is_divided_and_given_up() -> None:
    sizes: list[int] = []

    def slow(planes: Planes) -> Values:
        sizes.append(len(planes))
        time.sleep(0.001 * len(planes))
        return np.arange(len(planes), dtype=np.float32)

    pace, evaluator = Pace(), as_evaluator(slow)
    whole = pace.evaluate(evaluator, PLANES, None, lambda: True)
    assert whole[1]  # nobody knew as yet that it is slow
    assert sizes == [40]
    divided, is_whole = pace.evaluate(evaluator, PLANES, None, lambda: False)
    assert is_whole
    assert len(sizes) > 3
    assert len(divided.values) == sum(sizes[1:]) == 40
    given_up, is_whole = pace.evaluate(evaluator, PLANES, None, lambda: True)
    assert not is_whole
    reached = sizes[-1]
    assert (given_up.values[reached:] == given_up.values[:reached].mean()).all()


def test_a_search_with_a_slow_evaluator_keeps_its_time() -> None:
    def slow(planes: Planes) -> Values:
        time.sleep(0.004 * len(planes))
        return athenan.hash_evaluator()(planes)

    state = athenan.make_game("hex:size=5").initial_state()
    started = time.perf_counter()
    found = athenan.search(state, slow, "ubfm-safe", seconds=0.25)
    assert found.spent.expansions >= 2
    assert time.perf_counter() - started < 2  # 0.25 s, and what a busy machine adds
