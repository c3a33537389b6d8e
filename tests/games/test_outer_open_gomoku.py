import athenan
import pytest


def position(text: str, options: str = "size=6") -> athenan.State:
    return athenan.make_game(f"outer_open_gomoku:{options}").parse_position(text)


def test_the_first_stone_lies_on_the_two_outer_lines() -> None:
    start = athenan.make_game("outer_open_gomoku").initial_state()
    opening = set(start.legal_move_strings())
    assert len(opening) == 104
    assert {"a1", "b2", "h2", "n8", "o15", "b14"} <= opening
    assert not {"c3", "h8", "c13", "m3", "h3"} & opening
    # The second player may answer anywhere, and so may the first one from then on.
    answered = start.play("a1").play("h8")
    assert len(answered.legal_moves()) == 15 * 15 - 2


def test_a_small_board_is_almost_all_outer_lines() -> None:
    start = athenan.make_game("outer_open_gomoku:size=5").initial_state()
    assert len(start.legal_moves()) == 24
    assert "c3" not in start.legal_move_strings()


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("6/6/oooo2/6/6/xxxx2 x", "e1"),  # along a row
        ("5x/5x/5x/5x/oooo2/6 x", "f2"),  # along a column
        ("6/4x1/3x2/2x3/1x4/1oooo1 x", "a1"),  # rising to the right
        ("6/1x4/2x3/3x2/4x1/oooo2 x", "f1"),  # rising to the left
        ("6/6/oooo2/6/6/xx1xx1 x", "c1"),  # by the stone in the middle
    ],
)
def test_five_in_a_row_win(text: str, move: str) -> None:
    for overline in ("wins", "exact"):
        state = position(text, f"size=6,overline={overline}")
        assert state.outcome is None
        assert state.play(move).outcome == 1


def test_the_second_player_wins_too() -> None:
    assert position("xx4/6/oooo2/6/6/xxx3 o").play("e4").outcome == -1


def test_more_than_five_win_unless_exactly_five_are_asked_for() -> None:
    text = "6/6/oooo1o/6/6/xxx1xx x"
    assert position(text, "size=6,overline=wins").play("d1").outcome == 1
    exact = position(text, "size=6,overline=exact").play("d1")
    assert exact.outcome is None
    # Nor for the second player, and the longer line stays what it is.
    assert exact.play("e4").outcome is None
    assert exact.play("a6").play("a5").outcome is None


def test_exactly_five_win_though_another_line_is_longer() -> None:
    text = "oo1oo2/oo1oo2/oo1x3/3x3/3x3/3x3/xxx1xxx x"
    # Seven along the row, five up the column.
    assert position(text, "size=7,overline=exact").play("d1").outcome == 1


def test_lines_do_not_go_on_in_the_next_row() -> None:
    assert position("6/6/oooo2/3xxx/x5/6 x").play("b2").outcome is None


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = position("xxoox/ooxxo/xxoox/ooxxo/xxoo1 x", "size=5").play("e1")
    assert state.outcome == 0


@pytest.mark.parametrize(
    "text",
    [
        "6/6/2x3/6/6/6 o",  # the first stone was not there
        "6/2x3/6/6/6/6 x",
        "6/6/6/6/6/xo4 o",
        "oooo2/o5/6/6/6/xxxxx1 x",  # the first player had won before
        "6/6/6/6/6/6 o",
    ],
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text)
