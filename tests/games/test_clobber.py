import athenan
import pytest


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 3), (4, 5), (5, 4), (10, 10)])
def test_the_bottom_left_corner_is_the_first_players(rows: int, columns: int) -> None:
    state = athenan.make_game("clobber", rows=rows, columns=columns).initial_state()
    assert state.to_move == 0
    assert {"a1a2", "a1b1"} <= set(state.legal_move_strings())
    assert state.pieces(0) == (rows * columns + 1) // 2
    assert state.pieces(1) == rows * columns // 2


def test_a_move_takes_an_adjacent_stone_of_the_opponent() -> None:
    state = athenan.make_game("clobber", rows=3, columns=3).parse_position("1ox/oxx/1o1 x")
    # Neither empty cells, nor own stones, nor diagonals can be entered.
    assert sorted(state.legal_move_strings()) == ["b2a2", "b2b1", "b2b3", "c3b3"]
    after = state.play("b2b3")
    assert after.position == "1xx/o1x/1o1 o"
    assert after.pieces(1) == 2


def test_stones_of_neighbouring_rows_are_not_adjacent_across_the_edge() -> None:
    state = athenan.make_game("clobber", rows=2, columns=3).parse_position("2x/o2 x")
    assert state.outcome == -1


def test_the_last_to_move_wins() -> None:
    state = athenan.make_game("clobber", rows=2, columns=3).parse_position("xo1/1x1 x")
    # b1b2 leaves two own stones; a2b2 does too: the second player has no move either way.
    assert [state.play(move).outcome for move in state.legal_move_strings()] == [1, 1]
    assert state.game.parse_position("xo1/1x1 o").play("b2a2").outcome == -1


def test_the_ply_is_the_number_of_emptied_cells() -> None:
    assert athenan.make_game("clobber", rows=2, columns=3).parse_position("xo1/1x1 x").ply == 3
