"""A person as a player: moves from lines, and everything else that is said."""

from __future__ import annotations

import io
import sys

import athenan
import pytest
from athenan.terminal.person import Aside, Person, find_move

STATE = athenan.make_game("tic_tac_toe").initial_state()


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "z9\n\nb2\nwait a moment\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))


@pytest.mark.usefixtures("say")
def test_a_person_is_a_player() -> None:
    told: list[str] = []
    with Person(told.append, is_aside=lambda line: line.startswith("wait")) as person:
        person.begin(STATE.game, 1)
        assert STATE.move_to_string(person.think(STATE).move) == "b2"
        assert told == ["'z9' is no legal move here; moves lists them, help lists the commands"]
        with pytest.raises(Aside, match="wait a moment"):
            person.think(STATE)
        with pytest.raises(athenan.Stopped):
            person.think(STATE)


def test_finding_moves() -> None:
    state = athenan.make_game("hex:size=11").initial_state().play("f6")
    assert state.move_to_string(find_move(state, "swap")) == "swap"
    assert state.move_to_string(find_move(state, "S")) == "swap"
    assert state.move_to_string(find_move(state, "A1")) == "a1"  # not a10, a11
    with pytest.raises(athenan.Error, match=r"'b1' could be|'c' could be c1, c2, c3, \.\.\."):
        find_move(state, "c")
    pieces = athenan.make_game("arimaa").initial_state()
    assert pieces.move_to_string(find_move(pieces, "R")) == "Ra1"
