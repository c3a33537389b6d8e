"""`athenan show`: the board and what there is to say about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
Output = Callable[..., str]


def test_show_draws_the_board(output_of: Output) -> None:
    assert output_of("show", "tic_tac_toe", "b2", "a1") == (
        "1 o . .\n2 . x .\n3 . . .\n  a b c\n"
        "ply 2: first player to move, 7 legal moves\n"
        "position: o2/1x1/3 x\n"
    )
    assert "position: o...x....\n" in output_of("show", EXAMPLE, "b2", "a1")


def test_show_starts_from_a_position(output_of: Output) -> None:
    text = output_of("show", "tic_tac_toe", "c1", "--position", "xx1/oo1/3 x")
    assert "ply 5: the first player won\nposition: xxx/oo1/3 o\n" in text
    drawn = output_of("show", "tic_tac_toe", "c3", "--position", "xox/xoo/ox1 x")
    assert "ply 9: a draw\n" in drawn
    last = output_of("show", "tic_tac_toe", "--position", "xox/xoo/ox1 x")
    assert "ply 8: first player to move, 1 legal move\n" in last


def test_show_tells_the_score(output_of: Output) -> None:
    last = ["show", "othello:size=4", "--position", "XXXXXXXXXXXXXXO- X @11"]
    assert "ply 11: first player to move, 1 legal move\n" in output_of(*last)
    assert "ply 12: the first player won, score +16\n" in output_of(*last, "d4")


def test_show_of_a_game_for_one(output_of: Output) -> None:
    assert "ply 0: to move, 28 legal moves\n" in output_of("show", "morpion")
