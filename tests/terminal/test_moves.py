"""What people type as moves: close enough is enough, and several moves may share a line."""

from __future__ import annotations

import athenan
import pytest
from athenan.games.goals import GOALS, goal_of, side_of
from athenan.terminal.moves import find_moves

SETUP = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Cb2 Dc2 Dd2 He2 Hf2 Mg2 Eh2"
SAID = [
    ("tic_tac_toe", "", "B2", ["b2"]),
    ("tic_tac_toe", "", "b 2", ["b2"]),
    ("connect_four", "", "4", ["d"]),
    ("connect_four", "", "1", ["a"]),
    ("connect_four", "", "D", ["d"]),
    ("hex", "f6", "swap", ["swap"]),
    ("hex", "f6", "S", ["swap"]),
    ("hex", "f6", "A1", ["a1"]),
    ("breakthrough", "", "a2-a3", ["a2a3"]),
    ("breakthrough", "", "A2 A3", ["a2a3"]),
    ("lines_of_action", "", "c8 a6", ["c8xa6"]),
    ("lines_of_action", "", "c8-a6", ["c8xa6"]),
    ("amazons", "", "d1-d7", ["d1d7"]),
    ("amazons", "", "d1d7/g7", ["d1d7", "/g7"]),
    ("amazons", "", "d1 d7 g7", ["d1d7", "/g7"]),
    ("amazons:plies=1", "", "d1 d7 g7", ["d1d7/g7"]),
    ("international_draughts", "", "32 28", ["32-28"]),
    ("international_draughts", "", "32-28", ["32-28"]),
    ("international_draughts", "32-28 19-23", "28 19", ["28x19"]),
    ("xiangqi", "", "h2-e2", ["h2e2"]),
    ("xiangqi", "", "H2E2", ["h2e2"]),
    ("shobu", "", "D b1a2 l c1b2", ["D:b1a2,l:c1b2"]),
    ("shobu", "", "D:b1a2 L:c1b2", ["D:b1a2,L:c1b2"]),
    ("go", "", "d4", ["D4"]),
    ("go", "", "pass", ["pass"]),
    ("connect6", "J10", "a1 b1", ["A1", "B1"]),
    ("arimaa", "", "Ra1 Cb1 Dc1", ["Ra1", "Cb1", "Dc1"]),
    ("arimaa", "", "Ra1Cb1Dc1", ["Ra1", "Cb1", "Dc1"]),
    ("arimaa", "", "R", ["Ra1"]),
]


def after(game: str, moves: str) -> athenan.State:
    state = athenan.make_game(game).initial_state()
    for move in moves.split():
        state = state.play(move)
    return state


@pytest.mark.parametrize(("game", "played", "line", "meant"), SAID)
def test_close_enough_is_enough(game: str, played: str, line: str, meant: list[str]) -> None:
    state = after(game, played)
    for text, move in zip(meant, find_moves(state, line), strict=True):
        assert state.move_to_string(move) == text
        state = state.play(move)


def test_a_set_up_is_one_line_in_any_order() -> None:
    start = athenan.make_game("arimaa").initial_state()
    words = SETUP.split()
    ends = set()
    for line in (SETUP, " ".join(reversed(words)), " ".join(sorted(words))):
        state = start
        moves = find_moves(start, line)
        for move in moves:
            state = state.play(move)
        assert len(moves) == 16
        assert state.to_move == 1
        ends.add(state)
    assert len(ends) == 1


def test_a_turn_of_several_steps() -> None:
    gold = athenan.make_game("arimaa").initial_state()
    for line in (SETUP, SETUP.lower().replace("1", "8").replace("2", "7")):
        for move in find_moves(gold, line):
            gold = gold.play(move)
    steps = find_moves(gold, "Eh2n Eh3n Mg2n Mg3n")
    assert len(steps) == 4
    for move in steps:
        gold = gold.play(move)
    assert gold.to_move == 1


REFUSED = [
    (
        "tic_tac_toe",
        "z9",
        "'z9' is not a legal move here; moves lists them, help lists the commands",
    ),
    ("tic_tac_toe", "c", "'c' could be c1, c2, c3"),
    ("hex:size=5", "c", "'c' could be c1, c2, c3, ..."),
    ("tic_tac_toe", "b2 a1", "your turn is over before 'a1': type one turn at a time"),
    ("connect_four", "9", "'9' is not a legal move here"),
    ("connect_four", "0", "'0' is not a legal move here"),
    ("arimaa", "Ra1 Zb1", "'Zb1' is not a legal move here; .* after Ra1"),
    ("hex", "²", "is not a legal move here"),
    ("hex", "-", "is not a legal move here"),
]


@pytest.mark.parametrize(("game", "line", "sentence"), REFUSED)
def test_what_is_not_close_enough_gets_a_sentence(game: str, line: str, sentence: str) -> None:
    with pytest.raises(athenan.Error, match=sentence) as refused:
        find_moves(athenan.make_game(game).initial_state(), line)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", athenan.game_names())
def test_every_game_says_its_goal_and_its_sides(name: str) -> None:
    game = athenan.make_game(name)
    assert goal_of(game).endswith(".")
    symbols = set(str(game.initial_state()))
    for player in range(game.datasheet.players if game.datasheet.players > 1 else 0):
        look = side_of(game, player)
        assert look
        if len(look.partition(",")[0]) == 1 and {"x", "o", "X", "O"} & symbols:
            assert look[0] in symbols | set("xoXO")
    assert GOALS.keys() == set(athenan.game_names())


def test_a_game_that_is_not_known_says_nothing() -> None:
    game = athenan.make_game("examples/tic_tac_toe.py")
    assert (goal_of(game), side_of(game, 0)) == ("", "")
