"""Matches with targets of their moves, played without a network."""

from __future__ import annotations

import athenan
import numpy as np
from athenan._core import MatchRecord, Mind, Pool
from athenan.learning.table import Data, ReplayTable


def records_of(
    game: athenan.Game, search: str, matches: int, learning: str = "terminal"
) -> list[MatchRecord]:
    """Play with values and logits that depend on nothing but the number of states asked."""
    pool = Pool(game, [Mind(search)], learning, 4, 1, None, "policy")
    for index in range(matches):
        pool.add(index, index)
    random = np.random.default_rng(1)
    records: list[MatchRecord] = []
    while waiting := pool.collect():
        moves = pool.moves(0)
        logits = None if moves is None else random.normal(size=len(moves.numbers))
        values = np.zeros(waiting, np.float32)
        pool.resume(0, values, None if logits is None else logits.astype(np.float32))
        records += pool.take_finished()
    return records + pool.take_finished()


def data_of_matches(game: athenan.Game, matches: int) -> Data:
    """Return the states of some matches with their targets."""
    records = records_of(game, "puct:iterations=3", matches)
    found = [Data.of_match(record) for record in sorted(records, key=lambda each: each.index)]
    moves = found[0].moves
    assert moves is not None
    for each in found[1:]:
        assert each.moves is not None
        moves = moves.followed_by(each.moves)
    states = np.concatenate([each.states for each in found])
    return Data(states, np.concatenate([each.values for each in found]), moves)


def table_of_moves(game: athenan.Game, matches: int) -> ReplayTable:
    """Return a table of the states of some matches with their targets."""
    table = ReplayTable(game.packed_size, with_moves=True)
    table.append(data_of_matches(game, matches))
    return table
