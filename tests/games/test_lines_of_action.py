import athenan
import pytest


def position(text: str, options: str = "") -> athenan.State:
    return athenan.make_game(f"lines_of_action{options}").parse_position(text)


def moves_from(state: athenan.State, origin: str) -> list[str]:
    return sorted(move for move in state.legal_move_strings() if move.startswith(origin))


def test_a_piece_moves_as_far_as_there_are_pieces_on_the_line() -> None:
    start = athenan.make_game("lines_of_action").initial_state()
    assert moves_from(start, "b1") == ["b1b3", "b1d3", "b1h1"]
    assert moves_from(start, "c1") == ["c1c3", "c1e3", "c1xa3"]
    assert start.play("c1xa3").position == "1LLLLLL1/l6l/l6l/l6l/l6l/L6l/l6l/1L1LLLL1 b @1"


@pytest.mark.parametrize(
    ("row", "move", "legal"),
    [
        ("LlL5", "a4d4", False),  # over another's piece
        ("LlL5", "c4f4", True),
        ("LL1l4", "a4xd4", True),  # over an own piece, taking another's
        ("L1L5", "a4c4", False),  # onto an own piece
        ("L5lL", "h4e4", False),
    ],
)
def test_own_pieces_are_jumped_and_others_taken(row: str, move: str, legal: bool) -> None:
    state = position(f"l6l/8/8/8/{row}/8/8/7L w")
    assert state.outcome is None
    assert (move in state.legal_move_strings()) is legal


@pytest.mark.parametrize(("move", "outcome"), [("c2b2", 1), ("c2b1", 1), ("c2c1", None)])
def test_connecting_all_own_pieces_wins(move: str, outcome: int | None) -> None:
    assert position("5l1l/8/8/8/8/8/2L5/L7 w").play(move).outcome == outcome


@pytest.mark.parametrize("rows", ["8/7L/8/L7", "8/8/7L/L7", "8/8/8/L6L"])
def test_pieces_on_opposite_edges_are_not_neighbours(rows: str) -> None:
    assert position(f"3l3l/{rows}/8/8/8 w").outcome is None


def test_a_single_piece_is_connected() -> None:
    state = position("3L3l/8/8/8/8/l7/8/L7 w")
    assert state.play("a1xa3").outcome == -1


@pytest.mark.parametrize(
    ("options", "outcome"), [("", 0), (":simultaneous=draw", 0), (":simultaneous=mover", 1)]
)
def test_a_move_that_connects_both(options: str, outcome: int) -> None:
    state = position("7l/8/8/8/1L6/l7/8/L7 w", options)
    assert state.play("a1xa3").outcome == outcome
    mirrored = position("7L/8/8/8/1l6/L7/8/l7 b", options)
    assert mirrored.play("a1xa3").outcome == -outcome


def test_a_player_without_a_move_loses() -> None:
    # h8 and a1 are hemmed in: each line holds two or more pieces, and the first of them is not own.
    state = position("6Ll/7L/7L/8/8/8/LL6/lL6 w").play("h6g7")
    assert (state.outcome, state.to_move) == (1, 1)


@pytest.mark.parametrize("text", ["8/8/8/8/8/8/8/L1L5 w", "LLLLLLLL/LLLLL3/8/8/8/8/8/l1l5 w"])
def test_each_player_has_one_to_twelve_pieces(text: str) -> None:
    with pytest.raises(athenan.PositionError, match="12 pieces"):
        position(text)


def test_only_the_default_rules_have_draws() -> None:
    assert athenan.make_game("lines_of_action").datasheet.has_draws
    assert not athenan.make_game("lines_of_action:simultaneous=mover").datasheet.has_draws


def test_a_capture_is_a_kind_of_its_own() -> None:
    start = athenan.make_game("lines_of_action").initial_state()
    moved = start.move_path("b8d6"), start.play("b8d6").move_path("a6xd6")
    assert [(path.kind, path.cells) for path in moved if path] == [
        ("move", [(0, 1), (2, 3)]),
        ("capture", [(2, 0), (2, 3)]),
    ]
