"""Whole turns of Arimaa: set-ups in any order, short turns, removals; pyrimaa's rules agree."""

from random import Random
from typing import Any

import pytest
from athenan import IllegalMoveError, make_game
from athenan.dialects.arimaa import ArimaaDialect
from dialects.turns import random_turns

START = "rrrddrrr/rhcmechr/8/8/8/8/RHCEMCHR/RRRDDRRR g"


def arimaa() -> ArimaaDialect:
    return ArimaaDialect(make_game("arimaa"))


def test_a_set_up_is_read_in_any_order() -> None:
    dialect = arimaa()
    start = dialect.game.initial_state()
    text = "Rh1 Rg1 Rf1 Rc1 Rb1 Ra1 Rh2 Ra2 Ce1 Cf2 Dd1 Dc2 Hg2 Hb2 Md2 Ee2"
    moves = dialect.read_turn(start, text)
    assert sorted(dialect.write_turn(start, moves).split()) == sorted(text.split())
    for wrong in (text[4:], text.replace("Ee2", "Me2"), text.replace("Rh1", "Rh3"), text + " Ra4"):
        with pytest.raises(IllegalMoveError):
            dialect.read_turn(start, wrong)


def test_a_short_turn_ends_with_our_pass_and_a_removal_is_written() -> None:
    dialect = arimaa()
    start = dialect.game.parse_position(START)
    assert [start.move_to_string(move) for move in dialect.read_turn(start, "Cc2n Cc3x")[:1]] == [
        "Cc2n,Cc3x"
    ]
    moves = dialect.read_turn(start, "Cc2n Cc3x")
    assert dialect.write_turn(start, moves) == "Cc2n Cc3x"
    assert dialect.read_turn(start, "Cc2n") == moves
    with pytest.raises(IllegalMoveError):  # a turn must change the position
        dialect.read_turn(start, "Ed2n Ed3s")
    with pytest.raises(IllegalMoveError):  # five steps
        dialect.read_turn(start, "Ed2n Ed3n Ed4n Ed5n Ed6e")


def test_positions_are_those_of_setposition() -> None:
    dialect = arimaa()
    text = "g [rrrddrrrrhcmechr" + " " * 32 + "RHCEMCHRRRRDDRRR]"
    assert dialect.read_position(text) == dialect.game.parse_position(START)
    assert dialect.write_position(dialect.game.parse_position(START)) == text


@pytest.mark.parametrize("seed", range(2))
def test_pyrimaa_accepts_our_turns_and_reaches_our_positions(seed: int) -> None:
    board: Any = pytest.importorskip("pyrimaa.board", reason="pyrimaa is not installed")
    dialect, turns = arimaa(), 0
    other = board.Position(board.Color.GOLD, 4, board.BLANK_BOARD)
    for turns, (began, moves, ended) in enumerate(random_turns(dialect, Random(seed)), 1):
        if ended.is_terminal and ended.to_move == began.to_move:
            break  # without a legal step within a turn: pyrimaa has no such turn
        other = other.do_move_str(dialect.write_turn(began, moves))
        _, squares = dialect.write_position(ended).split(" ", 1)
        assert other.board_to_str("short") == squares
        assert bool(other.is_end_state()) == ended.is_terminal or turns < 3
    assert turns > 10
