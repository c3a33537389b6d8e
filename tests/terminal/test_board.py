"""Boards in colour: every game's, with owners and the last turn told apart."""

from __future__ import annotations

import re
from pathlib import Path

import athenan
import pytest
from athenan.games.turns import turn_start
from athenan.terminal.board import drawn
from athenan.terminal.drawings import DRAWINGS, drawing_of

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")


def styles(states: list[athenan.State], style: str) -> str:
    """Return the characters of a drawing that have a style."""
    text = drawn(states)
    return "".join(text.plain[s.start : s.end] for s in text.spans if str(s.style) == style)


def test_the_board_shows_owners_and_the_last_turn() -> None:
    state = athenan.make_game("othello:size=4").initial_state()
    states = [state, state.play(state.legal_moves()[0])]
    assert drawn(states).plain == str(states[-1]).rstrip("\n")
    assert styles(states, "bold cyan") == "XXXX"
    assert styles(states, "bold yellow") == "O"
    assert styles(states, "reverse") == "XX"  # the new disc and the turned one
    assert styles(states[:1], "reverse") == ""
    gold = athenan.make_game("arimaa").parse_position("8/8/8/8/8/8/8/HHD5 g setup @3")
    assert styles([gold], "bold cyan") == "HHD"  # and not the traps, which are x
    capitals = athenan.make_game("breakthrough:rows=5,columns=5").initial_state()
    assert styles([capitals], "bold yellow") == "p" * 10


@pytest.mark.parametrize("game_id", [*athenan.game_names(), EXAMPLE])
def test_every_board_is_drawn_as_it_is(game_id: str) -> None:
    states = [athenan.make_game(game_id).initial_state()]
    for ply in range(12):
        assert drawn(states).plain.splitlines() == drawing_of(states[-1])
        if game_id not in DRAWINGS:
            assert drawn(states).plain == str(states[-1]).rstrip("\n")
        if ply:
            assert turn_start(states) < len(states) - 1
            assert styles(states, "reverse") or states[-1].game.name == "arimaa"
        moves = states[-1].legal_moves()
        if not moves:
            break
        states.append(states[-1].play(moves[(7 * ply) % len(moves)]))


@pytest.mark.parametrize("game_id", [name for name in athenan.game_names() if "draughts" in name])
def test_all_squares_of_draughts_have_their_numbers(game_id: str) -> None:
    game = athenan.make_game(game_id)
    squares = game.datasheet.rows * game.datasheet.columns // 2
    text = "\n".join(drawing_of(game.initial_state()))
    numbers = [int(number) for number in re.findall(r"[wb.](\d+)", text)]
    assert numbers == list(range(1, squares + 1))
    moved = drawing_of(game.initial_state().play(game.initial_state().legal_moves()[0]))
    origin, target = game.initial_state().legal_move_strings()[0].split("-")
    assert f".{origin}" in " ".join(moved).split()
    assert f"w{target}" in " ".join(moved).split()
    assert max(map(len, moved)) <= 60


def test_the_lines_of_morpion_are_drawn() -> None:
    state = athenan.make_game("morpion").initial_state()
    assert not set("-|/\\") & set("".join(drawing_of(state)))
    for move in ("g5h1", "h4v1"):
        state = state.play(move)
    lines = drawing_of(state)
    row = next(line for line in lines if line.startswith(" 5 "))
    assert row == " 5 . . . . . . x-o-o-o-o . . . . . . ."
    assert sum(line.strip() == "|" for line in lines) == 4  # from h4 down to h8
    assert lines[-1].split() == list("abcdefghijklmnopqr")
