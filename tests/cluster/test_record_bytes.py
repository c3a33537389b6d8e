"""Records as bytes: nothing is lost on their journey, and what is no record is refused."""

from __future__ import annotations

import random
import zlib
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from athenan._core import MatchRecord, ParameterError
from athenan.cluster.messages import LEVEL, packed, unpacked


def test_a_record_is_the_same_after_its_journey() -> None:
    from athenan import make_game
    from athenan._core import Mind, Pool

    game = make_game("hex:size=4")
    pool = Pool(game, [Mind("descent:expansions=8", "ordinal:schedule=uniform")], "tree")
    pool.add(3, 7, [5])
    while waiting := pool.collect():
        pool.resume(0, np.linspace(-1, 1, waiting, dtype=np.float32))
    (record,) = pool.take_finished()
    data = packed(record)
    other = unpacked(game, data)
    assert other.as_bytes() == record.as_bytes()
    assert (other.index, other.seed, other.moves, other.values) == (
        record.index,
        record.seed,
        record.moves,
        record.values,
    )
    assert (other.outcome, other.memory_full) == (record.outcome, record.memory_full)
    assert [vars_of(each) for each in other.spent] == [vars_of(each) for each in record.spent]
    for mine, its in ((other.targets[0], record.targets[0]), (other.targets[1], record.targets[1])):
        assert mine.dtype == its.dtype
        assert np.array_equal(mine, its)
    resolved = [(each.key, each.value, each.completion) for each in record.resolved]
    assert [(each.key, each.value, each.completion) for each in other.resolved] == resolved
    assert len(resolved) > 0
    assert len(data) < len(record.as_bytes()) / 2
    assert zlib.compress(record.as_bytes(), LEVEL) == data


def vars_of(spent: Any) -> tuple[int, int, int, int, float]:
    kinds = spent.expansions, spent.evaluations, spent.iterations, spent.transpositions
    return (*kinds, spent.seconds)


def test_bytes_that_are_no_record_are_refused() -> None:
    from athenan import make_game
    from athenan._core import Mind, Pool

    game = make_game("tic_tac_toe")
    pool = Pool(game, [Mind("descent:expansions=3", "ordinal:schedule=uniform")], "tree")
    pool.add(0, 1)
    while waiting := pool.collect():
        pool.resume(0, np.zeros(waiting, np.float32))
    whole = pool.take_finished()[0].as_bytes()
    for length in range(0, len(whole), 7):
        with pytest.raises(ParameterError, match="no record"):
            MatchRecord.from_bytes(game, whole[:length])
    with pytest.raises(ParameterError, match="no record"):
        MatchRecord.from_bytes(game, whole + b"\0")
    chance = random.Random(3)
    for _ in range(300):  # never a crash: refused, or another record
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 9)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with suppress(ParameterError):
            MatchRecord.from_bytes(game, bytes(data)).as_bytes()


def test_what_a_record_says_is_proven_is_finite_and_an_outcome() -> None:
    from athenan import make_game
    from athenan._core import Mind, Pool

    game = make_game("tic_tac_toe")
    pool = Pool(game, [Mind("descent:expansions=9", "ordinal:schedule=uniform")])
    pool.add(0, 1)
    while waiting := pool.collect():
        pool.resume(0, np.zeros(waiting, np.float32))
    (record,) = pool.take_finished()
    proven, whole = len(record.resolved), record.as_bytes()  # it ends with their v, then their c
    nan = np.float32("nan").tobytes()
    values = np.array(record.values, np.float32).tobytes()
    assert proven > 0
    assert MatchRecord.from_bytes(game, whole).resolved
    for wrong in (
        whole[:-1] + b"\x02",
        whole[: -proven - 4] + nan + whole[-proven:],
        whole.replace(values, nan + values[4:]),
    ):
        assert len(wrong) == len(whole)
        with pytest.raises(ParameterError, match="no record"):
            MatchRecord.from_bytes(game, wrong)
