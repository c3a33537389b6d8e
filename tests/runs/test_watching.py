"""The match of a training that others may watch."""

import json
from pathlib import Path

import athenan
import numpy as np
import pytest
from athenan._core import Mind, Pool
from athenan.runs.watching import Window, read_match
from athenan.selfplay.source import Glimpse


def test_a_window_shows_a_match_and_is_closed(tmp_path: Path) -> None:
    file, game = tmp_path / "match.json", athenan.make_game("tic_tac_toe")
    window = Window(file, game)
    assert window.is_due
    assert not window.is_due, "once a second"
    window.look(None)
    assert read_match(file) is None
    window.look(Glimpse(3, [4, 0], [0.123456]))
    shown = {"game": "tic_tac_toe", "number": 3, "moves": ["b2", "a1"], "values": [0.1235]}
    assert read_match(file) == shown
    window.look(Glimpse(3, [4, 0, 8], [0.1, 0.2]))
    assert len(json.loads(file.read_text())["moves"]) == 3
    window.close()
    assert not file.exists()


def test_who_has_shown_nothing_leaves_what_others_show(tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text("{}")
    Window(tmp_path / "match.json", athenan.make_game("tic_tac_toe")).close()
    assert (tmp_path / "match.json").exists()


def test_a_training_goes_on_where_nothing_can_be_shown(tmp_path: Path) -> None:
    window = Window(tmp_path / "gone" / "match.json", athenan.make_game("tic_tac_toe"))
    window.look(Glimpse(0, [4], []))
    window.close()


@pytest.mark.parametrize("slots", [1, 3])
def test_a_pool_shows_its_first_match_as_it_grows(slots: int) -> None:
    game = athenan.make_game("tic_tac_toe")
    pool = Pool(game, [Mind("descent:iterations=2", "max")], "none", slots, 1)
    assert pool.glimpse is None
    for index in range(slots):
        pool.add(index, seed=index, opening=[4])
    seen: list[tuple[int, list[int]]] = []
    while waiting := pool.collect():
        glimpse = pool.glimpse
        assert glimpse is not None
        index, moves, values = glimpse
        assert len(moves) == 1 + len(values)
        seen.append((index, moves))
        pool.resume(0, np.zeros(waiting, np.float32))
    record = next(each for each in pool.take_finished() if each.index == 0)
    assert {index for index, _ in seen} == {0}
    assert all(list(record.moves[: len(moves)]) == moves for _, moves in seen)
    assert len({len(moves) for _, moves in seen}) > 2, "it was seen to grow"
    last = pool.glimpse
    assert last is not None
    assert last[1] == list(record.moves)
