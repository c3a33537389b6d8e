import athenan
import pytest


def position(text: str, size: str = "rows=5,columns=3") -> athenan.State:
    return athenan.make_game(f"breakthrough:{size}").parse_position(text)


def test_straight_ahead_is_blocked_and_diagonals_capture() -> None:
    # b2 faces an enemy it cannot take, has an enemy on its left and an own piece on its right.
    state = position("3/p2/ppP/1P1/3 w")
    assert sorted(state.legal_move_strings()) == ["b2xa3", "c3b4", "c3c4"]
    after = state.play("b2xa3")
    assert after.position == "3/p2/PpP/3/3 b @1"
    assert (after.pieces(0), after.pieces(1)) == (2, 2)


def test_the_second_player_moves_down() -> None:
    state = position("ppp/3/1p1/P1P/3 b")
    assert {"b3xa2", "b3b2", "b3xc2", "a5a4", "a5b4"} <= set(state.legal_move_strings())


def test_moves_do_not_wrap_around_the_edge() -> None:
    state = position("3/1p1/3/P1P/3 w")
    assert sorted(state.legal_move_strings()) == ["a2a3", "a2b3", "c2b3", "c2c3"]


@pytest.mark.parametrize(
    ("text", "move", "outcome"),
    [
        ("1p1/P2/3/3/2P w", "a4a5", 1),
        ("1p1/P2/3/3/2P w", "a4xb5", 1),
        ("2p/3/3/p2/1P1 b", "a2a1", -1),
    ],
)
def test_reaching_the_far_row_wins(text: str, move: str, outcome: int) -> None:
    assert position(text).play(move).outcome == outcome


def test_capturing_every_piece_wins() -> None:
    assert position("3/3/1p1/P2/3 w").play("a2xb3").outcome == 1
    assert position("3/3/1p1/P2/3 b").play("b3xa2").outcome == -1


def test_both_sides_start_with_two_rows_on_the_smallest_board() -> None:
    state = athenan.make_game("breakthrough", rows=4, columns=2).initial_state()
    assert state.position == "pp/pp/PP/PP w @0"
    assert sorted(state.legal_move_strings()) == ["a2xb3", "b2xa3"]


@pytest.mark.parametrize(
    "text",
    [
        "P2/3/3/p2/3 w",  # the first player has already arrived
        "3/3/3/P2/3 w",  # the second player has no piece, yet seems to have moved
        "ppp/ppp/p2/3/PPP w",  # seven pieces
    ],
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text)


def path(state: athenan.State, move: str) -> tuple[str, list[tuple[int, int]]]:
    found = state.move_path(move)
    assert found is not None
    return found.kind, found.cells


def test_a_capture_is_a_kind_of_its_own() -> None:
    state = position("3/p2/ppP/1P1/3 w")
    assert path(state, "b2xa3") == ("capture", [(3, 1), (2, 0)])
    assert path(state, "c3c4") == ("move", [(2, 2), (1, 2)])
