"""A search and an engine in one pool: the matches are those that a referee would see."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import athenan
import pytest
from athenan._core import Mind, Pool
from athenan.arena import Conditions, Match, play_matches, player
from athenan.arena.conditions import Adjudication
from athenan.arena.engines import EngineSpec

FAKE = Path(__file__).parents[1] / "protocols" / "fake_engine.py"
GAME = athenan.make_game("tic_tac_toe")


def series(workers: int, ours: str = "ubfm:expansions=3", first: bool = True) -> list[Match]:
    command = shlex.join([sys.executable, "-S", "-E", str(FAKE), "ugi", "none"])
    search, engine = player(ours, GAME), EngineSpec("fake", "ugi", command)
    a, b = (search, engine) if first else (engine, search)
    played = play_matches(GAME, a, b, 12, workers=workers)
    return sorted(played, key=lambda match: match.index)


@pytest.mark.parametrize("first", [True, False])
def test_matches_do_not_depend_on_how_many_are_played_at_a_time(first: bool) -> None:
    """One seat, fewer seats than matches, and one for each."""
    found = [series(workers, first=first) for workers in (1, 3, 12)]
    moves = [[match.moves for match in each] for each in found]
    assert moves[0] == moves[1] == moves[2]
    for match in found[1]:
        assert not match.reason
        assert match.outcome in (-1, 0, 1)
        ours, theirs = match.efforts_of_players if first else match.efforts_of_players[::-1]
        assert ours.expansions > 0
        assert theirs.expansions == 0
        assert ours.moves + theirs.moves == len(match.moves) - match.opening
        assert len(match.values) == len(match.moves) - match.opening


def test_the_engine_plays_the_first_free_cell_in_each_match() -> None:
    cells = [f"{column}{row}" for row in "123" for column in "abc"]
    for match in series(4):
        theirs = 1 if match.index % 2 == 0 else 0
        for ply, move in enumerate(match.moves):
            if ply >= match.opening and ply % 2 == theirs:
                taken = match.moves[:ply]
                assert move == next(cell for cell in cells if cell not in taken)


def test_a_referee_sees_as_many_matches() -> None:
    command = shlex.join([sys.executable, "-S", "-E", str(FAKE), "ugi", "none"])
    watched = Conditions(adjudication=Adjudication(length=100))
    pair = player("ubfm:expansions=3", GAME), EngineSpec("fake", "ugi", command)
    played = list(play_matches(GAME, *pair, 4, workers=2, conditions=watched))
    assert sorted(match.index for match in played) == [0, 1, 2, 3]
    assert all(match.outcome is not None for match in played)


def test_a_guest_answers_when_it_is_asked_and_plays_by_the_rules() -> None:
    pool = Pool(GAME, [Mind("random")], guests=True)
    pool.add(7, 1, first_mind=1)
    assert pool.collect() == 0
    assert pool.take_asked() == [(7, [])]
    assert pool.take_asked() == []
    with pytest.raises(athenan.Error, match="the guest of match 8 was not asked for a move"):
        pool.answer(8, 0)
    with pytest.raises(athenan.IllegalMoveError):
        pool.answer(7, 100)
    pool.answer(7, 4)
    with pytest.raises(athenan.Error, match="was not asked"):
        pool.answer(7, 4)
    assert pool.collect() == 0
    ((index, moves),) = pool.take_asked()
    assert (index, moves[0], len(moves)) == (7, 4, 2)
    given_up = pool.withdraw(7)
    assert given_up.moves == moves
    assert pool.collect() == 0
    assert (pool.take_asked(), pool.take_finished()) == ([], [])
    with pytest.raises(athenan.ParameterError, match="a guest plays against one mind"):
        Pool(GAME, [Mind("random"), Mind("random")], guests=True)
