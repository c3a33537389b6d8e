import athenan
import numpy as np
import pytest


def position(text: str, options: str = "size=7") -> athenan.State:
    return athenan.make_game(f"ataxx:{options}").parse_position(text)


def board_after(text: str, move: str) -> str:
    return position(text).play(move).position.split()[0]


def test_the_first_player_starts_in_the_upper_left_and_lower_right_corner() -> None:
    start = athenan.make_game("ataxx").initial_state()
    assert start.position == "x5o/7/7/7/7/7/o5x x 0 @0"
    jumps = {"a7a5", "a7b5", "a7c5", "a7c6", "a7c7", "g1e1", "g1e2", "g1e3", "g1f3", "g1g3"}
    clones = {"a6", "b6", "b7", "f1", "f2", "g2"}
    assert set(start.legal_move_strings()) == clones | jumps


def test_a_clone_is_one_move_whatever_piece_it_comes_from() -> None:
    moves = position("o6/7/7/7/7/7/x1x4 x 0").legal_move_strings()
    assert moves.count("b1") == moves.count("b2") == 1
    assert {"a1a3", "c1a3"} <= set(moves)


def test_a_clone_keeps_its_origin_and_a_jump_leaves_it() -> None:
    assert board_after("o6/7/7/7/7/7/x6 x 0", "b2") == "o6/7/7/7/7/1x5/x6"
    assert board_after("o6/7/7/7/7/7/x6 x 0", "a1b3") == "o6/7/7/7/1x5/7/7"


@pytest.mark.parametrize(("move", "second_row"), [("d4", "1xoooo1"), ("b2d4", "2oooo1")])
def test_the_neighbours_of_the_arrival_change_sides_and_nothing_else(
    move: str, second_row: str
) -> None:
    board = board_after("7/1ooooo1/1ooooo1/1oo1oo1/1oxooo1/1xoooo1/7 x 0", move)
    assert board == f"7/1ooooo1/1oxxxo1/1oxxxo1/1oxxxo1/{second_row}/7"


def test_a_jump_passes_over_anything() -> None:
    assert "a1c1" in position("7/7/7/7/7/oo5/xo5 x 0").legal_move_strings()
    assert "a1c1" in position("o6/7/7/7/7/--5/x-5 x 0").legal_move_strings()


def test_the_edges_of_the_board_are_not_joined() -> None:
    state = position("7/7/o6/6x/o6/7/7 x 0")
    assert state.play("g5").position.split()[0] == "7/7/o5x/6x/o6/7/7"
    assert {move[-2] for move in state.legal_move_strings()} == {"e", "f", "g"}


def test_walls_are_neither_entered_nor_taken() -> None:
    state = position("o6/7/7/7/7/-1-4/x-5 x 0")
    assert set(state.legal_move_strings()) == {"b2", "a1a3", "a1b3", "a1c3", "a1c1"}
    assert state.play("b2").position.split()[0] == "o6/7/7/7/7/-x-4/x-5"


def test_a_player_without_a_move_passes_and_only_then() -> None:
    state = position("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0")
    assert state.legal_move_strings() == ["0000"]
    passed = state.play("0000")
    assert passed.position == "7/7/7/7/ooooooo/ooooooo/xxxxxxx o 1 @1"
    assert "0000" not in passed.legal_move_strings()


@pytest.mark.parametrize(
    ("text", "move", "outcome", "score"),
    [
        ("7/7/7/7/7/7/xo4x x 0", "a2", 1, 4),  # every piece taken
        ("7/7/7/7/7/7/xo4o o 0", "a2", -1, -4),
        ("-------/-------/-------/-------/-------/-------/xxxo2o x 0", "c1e1", None, 3),
        ("-------/-------/-------/-------/-------/-------/xxo1ooo o 0", "d1", -1, -3),  # full
        ("7/7/7/7/-------/-------/xxx1ooo o 0", "d1", -1, -3),  # nobody reaches the rest
        ("7/7/7/7/-------/-------/xxx-1oo o 0", "g1e1", None, 1),
        ("7/7/7/7/-------/-------/xxx-o1o o 0", "f1", 0, 0),
    ],
)
def test_the_match_ends_when_a_side_is_gone_or_nobody_can_move(
    text: str, move: str, outcome: int | None, score: int
) -> None:
    state = position(text).play(move)
    assert (state.outcome, state.score) == (outcome, score)


@pytest.mark.parametrize(
    ("stalled", "board", "outcome", "score"),
    [
        ("count", "xx5/7/7/7/7/7/6o", 1, 1),
        ("count", "x6/7/7/7/7/7/5oo", -1, -1),
        ("count", "x6/7/7/7/7/7/6o", 0, 0),
        ("draw", "xx5/7/7/7/7/7/6o", 0, 0),
        ("draw", "x6/7/7/7/7/7/5oo", 0, 0),
    ],
)
def test_a_hundred_plies_without_a_clone_end_the_match(
    stalled: str, board: str, outcome: int, score: int
) -> None:
    before = position(f"{board} x 98", f"stalled={stalled}").play("a7a5")
    assert (before.outcome, before.position.split()[2]) == (None, "99")
    after = before.play("g1g3")
    assert (after.outcome, after.score) == (outcome, score)
    assert before.play("g2").outcome is None


def test_an_end_on_the_board_comes_before_the_hundred_plies() -> None:
    state = position("7/7/7/7/7/7/x1o4 x 99", "stalled=draw").play("a1a3")
    assert state.outcome == 0
    state = position("7/7/7/7/7/2x4/xo5 x 99", "stalled=draw").play("c2a2")
    assert (state.outcome, state.score) == (1, 3)


def test_only_a_clone_sets_the_count_back() -> None:
    state = position("o6/7/7/7/7/7/x6 x 7")
    assert state.play("b2").position.split()[2] == "0"
    assert state.play("a1a3").position.split()[2] == "8"


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ("walls=square", "x5o/7/2-1-2/7/2-1-2/7/o5x"),
        ("walls=diamond", "x5o/7/3-3/2-1-2/3-3/7/o5x"),
        ("size=5,walls=square", "x3o/1-1-1/5/1-1-1/o3x"),
        ("size=6,walls=diamond", "x4o/2--2/1-2-1/1-2-1/2--2/o4x"),
        ("size=10", "x8o/10/10/10/10/10/10/10/10/o8x"),
    ],
)
def test_sizes_and_walls_are_options(options: str, rows: str) -> None:
    start = athenan.make_game(f"ataxx:{options}").initial_state()
    assert start.position == f"{rows} x 0 @0"
    assert start.legal_moves()
    assert all(start.transform(k) == start for k in (1, 4))


def test_the_number_of_the_full_move_is_read_over() -> None:
    start = athenan.make_game("ataxx").initial_state()
    assert position("x5o/7/7/7/7/7/o5x x 0 1") == start
    assert position("x5o/7/7/7/7/7/o5x x 0 17") == start


@pytest.mark.parametrize(
    "text",
    [
        "x5o/7/7/7/7/7/o5x w 0",
        "x5o/7/7/7/7/7/o5x x",
        "x5o/7/7/7/7/7/o5x x 101",
        "x5o/7/7/7/7/7/o5x x -1",
        "x5o/7/7/7/7/7/o5x x 0 one",
        "x5o/7/7/7/7/7/o5x x 0 1 1",
        "x5o/7/7/7/7/o5x x 0",
        "x5o/7/7/3#3/7/7/o5x x 0",
    ],
)
def test_texts_that_are_no_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text)


def test_planes_tell_walls_from_empty_cells() -> None:
    first, second, empty, idle, to_move = position("x4/5/2-2/5/4o o 37", "size=5").encode()
    assert np.argwhere(first).tolist() == [[0, 0]]
    assert np.argwhere(second).tolist() == [[4, 4]]
    assert np.argwhere(first + second + empty == 0).tolist() == [[2, 2]]
    assert (idle == 3).all()
    assert to_move.all()


def path(state: athenan.State, move: str) -> tuple[str, list[tuple[int, int]]]:
    found = state.move_path(move)
    assert found is not None
    return found.kind, found.cells


def test_a_clone_touches_its_cell_and_a_jump_its_origin_too() -> None:
    start = athenan.make_game("ataxx").initial_state()
    assert path(start, "g2") == ("clone", [(5, 6)])
    assert path(start, "g1e3") == ("jump", [(6, 6), (4, 4)])
    assert path(position("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0"), "0000") == ("pass", [])
