"""A person as a player: moves from lines, and everything else that is said."""

from __future__ import annotations

import io
import sys

import athenan
import pytest
from athenan.terminal.person import Aside, Person

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
        assert told == ["'z9' is not a legal move here; moves lists them, help lists the commands"]
        with pytest.raises(Aside, match="wait a moment"):
            person.think(STATE)
        with pytest.raises(athenan.Stopped):
            person.think(STATE)


@pytest.mark.parametrize("line", ["a4 b5", "d1d7/g7"])
def test_a_line_of_several_moves_is_several_answers(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{line}\nj4j5\n"))
    start = athenan.make_game("amazons").initial_state()
    person = Person(lambda _: None)
    queen = start.play(person.think(start).move)
    if "/" in line:
        assert person.has_more(queen)
        assert queen.move_to_string(person.think(queen).move) == "/g7"
    assert not person.has_more(queen)
    assert start.move_to_string(person.think(start).move) == "j4j5"  # what follows is forgotten
