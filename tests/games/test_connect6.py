import athenan
import numpy as np
import pytest


def position(text: str, size: int = 7) -> athenan.State:
    return athenan.make_game("connect6", size=size).parse_position(text)


def test_one_stone_and_then_two_at_a_time() -> None:
    state = athenan.make_game("connect6").initial_state()
    movers = []
    for move in ["K10", "A1", "T19", "J10", "H8", "B2"]:
        movers.append(state.to_move)
        state = state.play(move)
    assert [*movers, state.to_move] == [0, 1, 1, 0, 0, 1, 1]
    assert (state.pieces(0), state.pieces(1), state.ply) == (3, 3, 6)


def test_points_have_the_names_of_go_boards() -> None:
    state = athenan.make_game("connect6").initial_state().play("J10")
    assert state.position.split("/")[9] == "8x10"
    assert "I10" not in state.legal_move_strings()


def test_two_stones_of_a_turn_may_come_in_any_order() -> None:
    start = athenan.make_game("connect6").initial_state().play("K10")
    one, other = start.play("A1").play("B1"), start.play("B1").play("A1")
    assert one == other
    assert one.key == other.key


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("7/7/ooo1ooo/7/7/7/xxxxx2 x", "F1"),  # along a row
        ("6x/6x/6x/6x/6x/7/ooo1ooo x", "G2"),  # along a column
        ("5x1/4x2/3x3/2x4/1x5/7/ooo1ooo x", "A2"),  # rising to the right
        ("x6/1x5/2x4/3x3/4x2/7/ooo1ooo x", "F2"),  # rising to the left
        ("ooo1ooo/7/7/7/7/7/xxx1xxx x", "D1"),  # seven
    ],
)
def test_six_or_more_in_a_row_win(text: str, move: str) -> None:
    assert position(text).outcome is None
    assert position(text).play(move).outcome == 1


def test_the_first_stone_of_a_turn_wins_at_once() -> None:
    won = position("x6/7/ooooo2/7/o6/7/xxx1xxx o").play("F5")
    assert (won.outcome, won.ply, won.legal_moves()) == (-1, 14, [])


def test_five_do_not_win() -> None:
    assert position("7/7/oo1oo2/7/7/7/xxxx3 x").play("E1").outcome is None


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = position("ooxxoo/ooxxoo/xxooxx/xxooxx/ooxxoo/xxoox1 x", 6)
    assert state.outcome is None
    assert state.play("F1").outcome == 0


def test_planes_show_how_many_stones_are_left() -> None:
    state = athenan.make_game("connect6", size=6).initial_state()
    last = []
    for move in ["A1", "B1", "C1", "D1", "E1"]:
        last.append(int(state.encode()[3][0, 0]))
        state = state.play(move)
    assert last == [1, 0, 1, 0, 1]
    first, second, to_move, last_stone = state.encode()
    assert np.array_equal(first[5], [1, 0, 0, 1, 1, 0])
    assert np.array_equal(second[5], [0, 1, 1, 0, 0, 0])
    assert (to_move == 1).all()
    assert (last_stone == 0).all()


@pytest.mark.parametrize(
    "text",
    [
        "7/7/7/7/7/7/xo5 x",  # the second player has one more stone to put
        "7/7/7/7/7/7/xoo4 o",
        "7/7/7/7/7/7/xxo4 o",
        "7/7/7/7/7/7/o6 o",
        "7/oooooo1/7/7/7/xxxxxxx/7 o",  # the second player had won before
    ],
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text)
