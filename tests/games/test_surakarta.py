import athenan
import pytest


def position(text: str, options: str = "") -> athenan.State:
    return athenan.make_game(f"surakarta{options}").parse_position(text)


def moves_from(state: athenan.State, origin: str) -> list[str]:
    return sorted(
        move[len(origin) :] for move in state.legal_move_strings() if move.startswith(origin)
    )


def test_a_piece_steps_to_the_empty_points_around_it() -> None:
    start = athenan.make_game("surakarta").initial_state()
    assert moves_from(start, "a2") == ["a3", "b3"]
    assert moves_from(start, "c2") == ["b3", "c3", "d3"]
    assert moves_from(start, "c1") == []


def test_a_small_loop_joins_the_second_row_and_column() -> None:
    # d2, c2, b2, a2, the loop, b1; and the other way round through the three other loops.
    state = position("6/6/6/6/3x2/1o4 x")
    assert "b1" in moves_from(state, "d2")
    assert state.legal_move_strings().count("d2b1") == 1
    assert state.play("d2b1").outcome == 1


def test_a_large_loop_joins_the_third_row_and_column() -> None:
    # d3, c3, b3, a3, the loop, c1
    assert "c1" in moves_from(position("6/6/6/3x2/6/2o3 x"), "d3")
    barred = position("6/6/6/x2x2/2x3/2o3 x")  # c2 stands on the way round
    assert "c1" not in moves_from(barred, "d3")
    assert "c1" in moves_from(barred, "a3")


def test_nothing_is_taken_without_a_loop() -> None:
    # d2 sees a2 on its own line; the way round through the loops is barred by e4.
    state = position("6/6/4x1/6/o2x2/6 x")
    assert "a2" not in moves_from(state, "d2")
    # e4, e5, e6, the loop, f5 to a5, the loop, b6 to b1, the loop, a2
    assert "a2" in moves_from(state, "e4")
    assert "a2" in moves_from(position("6/6/6/6/o2x2/6 x"), "d2")


def test_neighbours_are_taken_through_loops_only() -> None:
    # d4 and c3 are neighbours: d4 reaches c3 through the loops of the large circuit.
    assert "c3" in moves_from(position("6/6/3x2/2o3/6/6 x"), "d4")
    assert moves_from(position("6/1o4/x5/6/6/6 x"), "a4") == ["a3", "a5", "b3", "b4"]


def test_the_starting_point_does_not_bar_the_way() -> None:
    # b2, a2, the loop, b1, b2 again, b3
    state = position("6/6/6/1o4/1x2x1/6 x")
    assert "b3" in moves_from(state, "b2")
    assert state.play("b2b3").outcome == 1


def test_own_pieces_bar_the_way() -> None:
    assert "b3" not in moves_from(position("6/6/1x4/1o4/xx4/6 x"), "b2")


def test_no_loop_leads_to_a_corner() -> None:
    state = position("6/6/6/6/6/x4o x")
    assert moves_from(state, "a1") == ["a2", "b1", "b2"]
    assert all(not move.endswith("f1") for move in state.legal_move_strings())


@pytest.mark.parametrize(
    ("rows", "outcome"),
    [("o5/6/6/6/6/xx4", 1), ("oo4/6/6/6/6/x5", -1), ("o5/6/6/6/6/x5", 0)],
)
def test_pieces_are_counted_after_many_plies_without_a_capture(rows: str, outcome: int) -> None:
    state = position(f"{rows} x 48").play("a1b2")
    assert state.outcome is None
    end = state.play("a6a5")
    assert (end.outcome, end.score) == (outcome, outcome)


def test_a_capture_starts_the_count_again() -> None:
    state = position("5o/6/6/6/3x2/1o4 x 49")
    assert state.play("d2b1").position == "5o/6/6/6/6/1x4 o 0 @1"
    assert state.play("d2d3").outcome == -1


def test_the_limit_of_plies_is_an_option() -> None:
    state = position("o5/6/6/6/6/xx4 x 9", ":no_capture=10")
    assert state.play("a1b2").outcome == 1
    assert athenan.make_game("surakarta:no_capture=10").datasheet.max_length == 230
    with pytest.raises(athenan.PositionError, match="10 plies"):
        position("o5/6/6/6/6/xx4 x 11", ":no_capture=10")


def test_a_player_without_a_move() -> None:
    # c2 and d2 have no loop to c1 and d1; the loops lead from a2 to b1 and from f2 to e1.
    blocked = "6/6/6/oooooo/xxxxxx/xxooxx x"
    counted = position(blocked)
    assert (counted.outcome, counted.score, counted.legal_moves()) == (1, 2, [])
    lost = position(blocked, ":blocked=loses")
    assert (lost.outcome, lost.score, lost.legal_moves()) == (-1, -1, [])


def test_boards_come_again_and_states_do_not() -> None:
    start = position("o5/6/6/6/6/x5 x")
    again = start.play("a1a2").play("a6a5").play("a2a1").play("a5a6")
    assert again.position == "o5/6/6/6/6/x5 x 4 @4"
    assert again != start
    assert not start.game.datasheet.cyclic


@pytest.mark.parametrize(
    "text", ["6/6/6/6/6/6 x", "oooooo/oooooo/o5/6/6/x5 x", "o5/6/6/6/6/6 x 51", "6/6/6/6/6/x5 x"]
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text)


def test_a_capture_around_loops_touches_its_two_points() -> None:
    state = position("6/6/6/6/3x2/1o4 x")  # d2 takes b1 both ways round
    capture, step = state.move_path("d2b1"), state.move_path("d2c1")
    assert capture is not None
    assert step is not None
    assert (capture.kind, capture.cells) == ("capture", [(4, 3), (5, 1)])
    assert (step.kind, step.cells) == ("move", [(4, 3), (5, 2)])
