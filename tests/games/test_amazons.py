import athenan
import pytest


def position(text: str, size: int = 4, plies: int = 2) -> athenan.State:
    return athenan.make_game(f"amazons:size={size},plies={plies}").parse_position(text)


@pytest.mark.parametrize(
    ("size", "rows"),
    [
        (10, "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3"),
        (8, "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2"),
        (6, "1q2q1/q4q/6/6/Q4Q/1Q2Q1"),
        (5, "1q1q1/q3q/5/Q3Q/1Q1Q1"),
        (4, "1qq1/q2q/Q2Q/1QQ1"),
    ],
)
def test_the_lower_side_starts(size: int, rows: str) -> None:
    start = athenan.make_game("amazons", size=size).initial_state()
    assert (start.position, start.to_move) == (f"{rows} w", 0)


def test_the_queen_that_moved_shoots_as_a_second_ply() -> None:
    moved = athenan.make_game("amazons").initial_state().play("d1d7")
    assert moved.position == "3q2q3/10/10/q2Q5q/10/10/Q8Q/10/10/6Q3 w d7"
    assert (moved.to_move, moved.ply) == (0, 1)
    planes = moved.encode()
    assert planes.shape == (5, 10, 10)
    assert planes[4].sum() == planes[4, 3, 3] == 1
    shot = moved.play("/g7")
    assert shot.position == "3q2q3/10/10/q2Q2*2q/10/10/Q8Q/10/10/6Q3 b"
    assert (shot.to_move, shot.ply) == (1, 2)
    assert shot.encode()[4].sum() == 0


def test_arrows_fly_into_and_through_the_square_just_left() -> None:
    moved = athenan.make_game("amazons").initial_state().play("g1h1")
    along_the_row = {move for move in moved.legal_move_strings() if move.endswith("1")}
    assert along_the_row == {"/g1", "/f1", "/e1", "/i1", "/j1"}
    whole_turns = athenan.make_game("amazons", plies=1).initial_state().legal_move_strings()
    assert {turn for turn in whole_turns if turn.startswith("g1h1") and turn.endswith("1")} == {
        f"g1h1{arrow}" for arrow in along_the_row
    }


@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize(
    ("text", "outcome", "score"),
    [
        ("qqQQ/qq*Q/***1/Q*2 b", 1, 3),  # c1 is two moves away from d3
        ("qq*1/qq**/*Q*Q/QQ2 b", 1, 2),  # nobody gets to d4
        ("qq*Q/qq*Q/****/QQ** w", -1, -1),  # the winner is walled in too
    ],
)
def test_no_move_loses_and_the_score_is_the_winners_territory(
    text: str, outcome: int, score: int, plies: int
) -> None:
    state = position(text, plies=plies)
    assert (state.outcome, state.score, state.legal_moves()) == (outcome, score, [])


def test_a_queen_that_can_move_can_shoot() -> None:
    state = position("qq*Q/qq*Q/***Q/Q1*1 w", plies=1)
    assert sorted(state.legal_move_strings()) == ["a1b1/a1", "d2d1/d2"]
    after = state.play("a1b1/a1")
    assert (after.outcome, after.score) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "qq*Q/qq*Q/***1/QQ2 w",  # five arrows: the second player is to move
        "qqq1/4/4/QQQQ w",
        "qqqq/4/4/QQQQ w a4",  # not the mover's queen
        "qqqq/4/4/QQQQ w b2",
        "qq2/qq2/****/QQQQ w a1",  # no room for the arrow
    ],
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text)


def path(state: athenan.State, move: str) -> tuple[str, list[tuple[int, int]]]:
    found = state.move_path(move)
    assert found is not None
    return found.kind, found.cells


def test_a_queen_is_moved_and_shoots_from_where_she_stands() -> None:
    game = athenan.make_game("amazons")
    assert game.datasheet.move_kinds == ["move", "shoot"]
    start = game.initial_state()
    assert path(start, "d1d7") == ("move", [(9, 3), (3, 3)])
    assert path(start.play("d1d7"), "/g7") == ("shoot", [(3, 3), (3, 6)])


def test_a_whole_turn_touches_three_squares() -> None:
    game = athenan.make_game("amazons", plies=1)
    assert game.datasheet.move_kinds == ["move"]
    assert path(game.initial_state(), "d1d7/g7") == ("move", [(9, 3), (3, 3), (3, 6)])
