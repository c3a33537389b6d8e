"""Whole random matches, turn by turn, written in a community's dialect and read again."""

from random import Random

import pytest
from athenan import Error, make_game
from athenan.dialects import dialect_for
from dialects.turns import random_turns

DIALECTS = [
    ("nboard", "othello:size=8"),
    ("nboard", "othello:size=6"),
    ("gomocup", "outer_open_gomoku:size=15"),
    ("gomocup", "outer_open_gomoku:size=9,overline=exact"),
    ("hub", "international_draughts"),
    ("hub", "brazilian_draughts"),
    ("hub", "canadian_draughts"),
    ("aei", "arimaa:setup=pieces"),
    ("aei", "arimaa:setup=choice"),
]


@pytest.mark.parametrize(("protocol", "game"), DIALECTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_match_survives_its_translation(protocol: str, game: str, seed: int) -> None:
    dialect = dialect_for(protocol, make_game(game))
    for began, moves, ended in random_turns(dialect, Random(seed)):
        text, state = dialect.write_turn(began, moves), began
        for move in dialect.read_turn(began, text):
            state = state.play(move)
        assert state == ended, (began.position, text)
    assert ended.is_terminal


@pytest.mark.parametrize(("protocol", "game"), DIALECTS)
def test_other_texts_are_refused_in_one_sentence(protocol: str, game: str) -> None:
    dialect = dialect_for(protocol, make_game(game))
    state = dialect.game.initial_state()
    for text in ("", "z99", "99,99", "50-1", "Ra1", "Ed2n Ed2n", "0,0,0", "32x28", "x" * 500, "é"):
        with pytest.raises(Error) as complaint:
            dialect.read_turn(state, text)
        assert "\n" not in str(complaint.value)
