import athenan
import pytest


def outcome_after(columns: str, size: str = "") -> int | None:
    state = athenan.make_game(f"connect_four{size}").initial_state()
    for column in columns:
        state = state.play(column)
    return state.outcome


def test_discs_fall_onto_each_other() -> None:
    state = athenan.make_game("connect_four").initial_state()
    for column in "ddg":
        state = state.play(column)
    assert state.position == "7/7/7/7/3o3/3x2x o"


@pytest.mark.parametrize(
    "columns",
    [
        "aabbccd",  # along the bottom
        "gfgfgfg",  # up the last column
        "abbccdcddgd",  # rising to the right: a1, b2, c3, d4
        "dccbbabaaga",  # rising to the left: d1, c2, b3, a4
    ],
)
def test_four_in_a_row_win(columns: str) -> None:
    assert outcome_after(columns[:-1]) is None
    assert outcome_after(columns) == 1


def test_the_second_player_wins_with_its_own_line() -> None:
    assert outcome_after("abababgb") == -1


def test_lines_do_not_continue_in_the_next_column() -> None:
    # o holds a5, a6, b1 and b2: successive cells column by column, but no line.
    state = athenan.make_game("connect_four").parse_position("o6/o6/x6/o6/xo5/xoxx3 x")
    assert not state.is_terminal
    assert "a" not in state.legal_move_strings()


def test_a_full_board_without_a_line_is_a_draw() -> None:
    assert outcome_after("aaaabbbbcdcddccd", ":rows=4,columns=4") == 0


def test_a_board_too_small_for_a_line_is_always_drawn() -> None:
    assert outcome_after("aaabbbccc", ":rows=3,columns=3") == 0


@pytest.mark.parametrize(
    "text",
    [
        "7/7/7/7/3x3/7 o",  # floats
        "7/7/7/7/7/3x3 x",  # not x's turn
        "7/7/7/7/ooo4/xxxxo2 x",  # x has already won
    ],
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        athenan.make_game("connect_four").parse_position(text)


def test_the_path_of_a_disc_is_the_cell_where_it_comes_to_rest() -> None:
    state = athenan.make_game("connect_four").initial_state().play("d").play("d")
    landings = {move: state.move_path(move) for move in "ad"}
    assert {move: path.cells for move, path in landings.items() if path is not None} == {
        "a": [(5, 0)],
        "d": [(3, 3)],
    }
