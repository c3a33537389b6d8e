import athenan
import pytest

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


def position(text: str, options: str = "") -> athenan.State:
    return athenan.make_game(f"xiangqi{options}").parse_position(text)


def played(state: athenan.State, moves: str) -> athenan.State:
    for move in moves.split():
        assert state.outcome is None, move
        state = state.play(move)
    return state


def targets(state: athenan.State, origin: str) -> str:
    """Where the piece on a cell may go, in the order of the alphabet."""
    moves = state.legal_move_strings()
    return " ".join(sorted(move[2:] for move in moves if move.startswith(origin)))


# Pieces


@pytest.mark.parametrize(
    ("text", "origin", "expected"),
    [
        # A chariot goes up to the first piece and takes it if it is not own.
        ("3k5/9/9/9/9/R1P6/9/9/p8/4K4 w", "a4", "a1 a2 a3 a5 a6 a7 a8 a9 b4"),
        # A cannon moves like it but takes beyond exactly one piece, of either side.
        ("3k5/9/9/9/9/C1P1p1p2/9/9/9/4K4 w", "a4", "a0 a1 a2 a3 a5 a6 a7 a8 a9 b4 e4"),
        ("3k5/9/9/9/9/2p1p1C2/9/9/9/4K4 w", "g4", "c4 f4 g0 g1 g2 g3 g5 g6 g7 g8 g9 h4 i4"),
        ("3k5/9/9/9/p8/C1pp1p3/9/9/9/4K4 w", "a4", "a0 a1 a2 a3 b4 d4"),
        # A horse is blocked by a piece beside it, not by one at the corner.
        ("3k5/9/9/9/4p4/3pN4/9/9/9/5K3 w", "e4", "d2 f2 g3 g5"),
        ("3k5/9/9/9/3n1n3/4N4/3c5/9/9/5K3 w", "e4", "c3 c5 d2 d6 f2 f6 g3 g5"),
        # An elephant does not cross the river, nor a piece.
        ("3k5/9/9/9/9/2B6/1N7/9/9/5K3 w", "c4", "e2"),
        ("3k5/9/4b4/9/9/9/9/9/9/5K3 b", "e7", "c5 c9 g5 g9"),
        # Advisors and generals stay in the palace.
        ("3k5/9/9/9/9/9/9/9/4A4/5K3 w", "e1", "d0 d2 f2"),
        ("3k5/9/9/9/9/9/9/5A3/9/5K3 w", "f2", "e1"),
        ("5k3/9/9/9/9/9/9/3K5/9/9 w", "d2", "d1 e2"),
        # A soldier never goes back, and sideways only beyond the river.
        ("3k5/9/9/9/9/P8/9/9/9/5K3 w", "a4", "a5"),
        ("3k5/9/9/9/1P7/9/9/9/9/5K3 w", "b5", "a5 b6 c5"),
        ("P2k5/9/9/9/9/9/9/9/9/5K3 w", "a9", "b9"),
        ("3k5/9/9/9/p8/9/9/9/9/5K3 b", "a5", "a4"),
        ("3k5/9/9/9/9/p8/9/9/9/5K3 b", "a4", "a3 b4"),
    ],
)
def test_how_pieces_move(text: str, origin: str, expected: str) -> None:
    assert targets(position(text), origin) == expected


# Check


def test_generals_do_not_face_each_other() -> None:
    assert targets(position("3k5/9/9/9/9/9/9/9/9/4K4 w"), "e0") == "e1 f0"
    assert targets(position("4k4/9/9/9/9/9/9/4N4/9/4K4 w"), "e2") == ""
    assert targets(position("4k4/9/9/9/4p4/9/9/4N4/9/4K4 w"), "e2") == "c1 c3 d0 d4 f0 f4 g1 g3"


@pytest.mark.parametrize(
    ("text", "origin", "expected"),
    [
        # The screen of a cannon: neither of two may leave, none may come between.
        ("3k5/4c4/9/4p4/9/9/9/4N4/9/4K4 w", "e2", ""),
        ("5k3/4c4/9/9/9/9/9/3R5/9/4K4 w", "d2", "a2 b2 c2 d0 d1 d3 d4 d5 d6 d7 d8 d9 f2 g2 h2 i2"),
        ("3k5/4c4/9/4p4/9/9/9/4R4/9/4K4 w", "e2", "e1 e3 e4 e5"),
        # A piece that stands in the way of a horse may not leave.
        ("5k3/9/9/9/9/9/9/9/4Rn3/3K5 w", "e1", "f1"),
        ("5k3/9/9/9/9/9/9/2n6/2R6/3K5 w", "c1", "c2"),
        # Out of check: take, move away, block, or remove the screen.
        ("3k5/4r4/9/9/9/9/9/9/9/R2AK4 w", "d0", "e1"),
        ("3k5/4r4/9/9/9/9/9/9/9/R2AK4 w", "e0", "f0"),
        ("3k5/4r4/9/9/9/9/9/9/9/R2AK4 w", "a0", ""),
        ("3k5/4c4/9/9/9/9/4C4/9/9/4K4 w", "e3", "a3 b3 c3 d3 f3 g3 h3 i3"),
        ("3k5/4c4/9/9/9/9/4C4/9/9/4K4 w", "e0", "f0"),
    ],
)
def test_the_own_general_is_not_left_under_attack(text: str, origin: str, expected: str) -> None:
    assert targets(position(text), origin) == expected


def test_a_soldier_does_not_give_check_backwards() -> None:
    assert "check" not in str(position("4P4/4k4/9/9/9/9/9/9/9/3K5 b"))
    assert "check" in str(position("9/3Pk4/9/9/9/9/9/9/9/3K5 b"))
    assert "check" in str(position("9/4k4/4P4/9/9/9/9/9/9/3K5 b"))


# Ends


def test_checkmate_wins() -> None:
    state = position("4k4/R8/9/9/9/9/9/9/8R/3K5 w").play("i1i9")
    assert (state.outcome, state.legal_moves()) == (1, [])


def test_stalemate_loses() -> None:
    state = position("3k5/9/R8/9/9/9/9/9/9/4K4 w").play("a7a8")
    assert (state.outcome, state.to_move) == (1, 1)
    assert "check" not in str(state)
    assert position("4k4/9/9/9/9/9/9/9/r8/3K5 w").outcome == -1


CHECKS = "e1f1 f9e9 f1e1 e9f9"  # each move of the chariot gives check


def test_perpetual_check_loses() -> None:
    state = played(position("5k3/9/9/9/9/9/9/9/4R4/3K5 w"), f"{CHECKS} {CHECKS}")
    assert state.outcome == -1
    other = position("3k5/4r4/9/9/9/9/9/9/9/5K3 b")
    assert played(other, "e8f8 f0e0 f8e8 e0f0 " * 2).outcome == 1


def test_the_last_move_of_a_perpetual_check_may_be_the_other_players() -> None:
    state = played(position("5k3/9/9/9/9/9/9/9/8R/3K5 w"), "i1f1 f9e9 f1e1 e9f9 e1f1")
    assert played(state, "f9e9 f1e1 e9f9").outcome is None
    assert played(state, "f9e9 f1e1 e9f9 e1f1").outcome == -1


def test_other_repetition_is_a_draw() -> None:
    start = athenan.make_game("xiangqi").initial_state()
    cycle = "b0c2 b9c7 c2b0 c7b9"
    assert played(start, f"{cycle} {cycle}").outcome == 0
    assert played(start, f"{cycle} b0c2 b9c7 c2b0").outcome is None
    assert played(start, f"b0c2 {cycle[5:]} {cycle}").outcome == 0


def test_one_move_without_check_makes_the_repetition_a_draw() -> None:
    state = position("5k3/9/9/9/9/9/9/9/R8/3K5 w")
    assert played(state, "a1f1 f9e9 f1a1 e9f9 " * 2).outcome == 0
    # Also if only the first of the two cycles has one.
    state = played(position("5k3/9/9/9/9/9/9/9/4R4/3K5 w"), "e1d1 f9e9 d1e1 e9f9")
    assert played(state, CHECKS).outcome == 0


def test_perpetual_check_by_both_is_a_draw() -> None:
    state = position("3r5/4k4/9/4c4/1r7/4N4/9/9/9/3KC4 w")
    for move in ["e4d2", "e6d6", "d2e4", "d6e6", "e4d2", "e6d6", "d2e4"]:
        state = state.play(move)
        assert "check" in str(state)
    assert state.play("d6e6").outcome == 0


def test_the_perpetual_check_is_judged_since_the_first_occurrence_of_the_position() -> None:
    state = played(position("5k3/9/9/9/9/9/9/9/R8/3K5 w"), "a1b1 f9e9 b1e1 e9f9")
    assert played(state, f"{CHECKS} e1f1 f9e9 f1e1").outcome == -1


def test_pieces_of_a_kind_are_alike() -> None:
    state = position("3k5/9/9/9/9/9/9/9/R1R6/4K4 w", ":repetition=2")
    moves = "a1a2 d9d8 c1a1 d8d9 a2c2 d9d8 c2c1 d8d9"  # the chariots have changed places
    assert played(state, moves).outcome == 0


@pytest.mark.parametrize(("times", "cycles"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_how_often_a_position_must_occur_is_an_option(times: int, cycles: int) -> None:
    state = position(f"{START} w", f":repetition={times}")
    cycle = "b0c2 b9c7 c2b0 c7b9 "
    assert played(state, cycle * cycles).outcome == 0
    assert played(state, (cycle * cycles).removesuffix(" c7b9 ")).outcome is None


def test_a_step_of_a_soldier_makes_repetition_impossible() -> None:
    state = position("3k5/9/9/9/P8/9/9/9/9/5K3 w", ":repetition=2")
    assert played(state, "a5b5 d9d8 b5a5 d8d9").outcome == 0
    state = played(state, "a5b5 d9d8 b5b6")
    assert " after" not in state.position
    assert played(state, "d8d9 b6b7 d9d8").outcome is None


def test_120_plies_without_a_capture_are_a_draw() -> None:
    state = position("3k5/9/9/9/9/p8/P8/9/9/5K3 w - - 119 80")
    assert state.play("f0f1").outcome == 0
    assert state.play("a3a4").outcome is None
    state = position("3k5/9/9/9/P8/9/9/9/9/5K3 w - - 119 80")
    assert state.play("a5a6").outcome == 0  # a soldier's step is no capture
    assert position("3k5/9/9/9/9/9/9/9/9/5K3 w - - 120 80").outcome == 0
    state = position("3k5/9/9/9/9/9/9/9/9/5K3 w - - 39 80", ":no_capture=40")
    assert state.play("f0f1").outcome == 0


def test_mate_comes_before_the_draw() -> None:
    state = position("4k4/R8/9/9/9/9/9/9/8R/3K5 w - - 119 80")
    assert state.play("i1i9").outcome == 1
    assert state.play("i1i2").outcome == 0


def test_matches_cannot_be_longer_than_the_datasheet_says() -> None:
    assert athenan.make_game("xiangqi").datasheet.max_length == 31 * 120
    assert athenan.make_game("xiangqi:no_capture=20").datasheet.max_length == 31 * 20


# Positions


def test_positions_are_written_as_fen() -> None:
    start = athenan.make_game("xiangqi").initial_state()
    assert start.position == f"{START} w - - 0 1"
    state = played(start, "h2e2 h9g7")
    rows = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"
    assert state.position == f"{rows} w - - 2 2 after h2e2 h9g7"
    assert state.play("e2e6").position.endswith(" b - - 0 2")
    assert state.play("e3e4").position.endswith(" b - - 3 2")
    assert state.play("e3e4").play("a6a5").ply == 4


def test_fen_may_be_short_and_moves_may_follow_it() -> None:
    state = played(athenan.make_game("xiangqi").initial_state(), "h2e2 h9g7")
    for text in (f"{START} w", f"{START} r", f"{START} w - - 0 1"):
        assert position(f"{text} moves h2e2 h9g7") == state
    assert position(f"{START} w moves h2e2 h9g7 e2e6").ply == 3


def test_the_history_of_a_position_counts() -> None:
    cycle = "b0c2 b9c7 c2b0 c7b9"
    state = position(f"{START} w - - 4 3 after {cycle}")
    assert played(state, cycle).outcome == 0
    assert played(position(f"{START} w - - 4 3"), cycle).outcome is None
    assert state.encode()[9].max() == 1
    assert position(f"{START} w - - 4 3").encode()[9].max() == 0


def test_only_the_moves_that_can_be_taken_back_are_kept() -> None:
    start = athenan.make_game("xiangqi").initial_state()
    lengths = [
        len(bytes(played(start, moves)))
        for moves in ("", "h2e2", "h2e2 h9g7", "h2e2 h9g7 e2e6", "h2e2 h9g7 e3e4")
    ]
    assert [length - lengths[0] for length in lengths] == [0, 4, 8, 0, 0]
    assert lengths[0] < 120


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("9/9/9/9/9/9/9/9/9/4K4 w", "no general"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "in check"),
        ("3k5/9/9/9/9/9/9/9/3R5/4K4 w", "in check"),
        ("3k5/9/9/9/9/9/9/9/RRR6/4K4 w", "too many"),
        ("3k5/9/9/2B6/9/9/9/9/9/4K4 w", "cannot have come"),
        ("3k5/9/9/9/9/9/9/9/3A5/4K4 w", "cannot have come"),
        ("3k5/9/9/9/9/9/1P7/9/9/4K4 w", "cannot have come"),
        ("3k5/9/9/9/9/9/9/9/P8/4K4 w", "cannot have come"),
        (f"{START} x", "is not"),
        (f"{START} w - -", "is not"),
        (f"{START} w - - 121 1", "is not"),
        (f"{START} w - - 0 0", "is not"),
        (f"{START} w - - 0 1 before h2e2", "is not"),
        (f"{START} w moves h2e3", "h2e3"),
        (f"{START} w moves h2j2", "h2j2"),
        (f"{START} b - - 1 1 after h2e2", "cannot have come about"),
        ("3k5/9/9/9/9/P8/9/9/9/5K3 b - - 1 1 after a3a4", "cannot have come about"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1 after f0e0", "cannot have come about"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 b - - 1 1 after d0e0", "cannot have come about"),
    ],
)
def test_what_cannot_be_is_refused(text: str, problem: str) -> None:
    with pytest.raises(athenan.PositionError, match=problem):
        position(text)


def test_a_move_touches_its_two_points() -> None:
    start = athenan.make_game("xiangqi").initial_state()
    move, capture = start.move_path("h2e2"), start.move_path("b2b9")
    assert move is not None
    assert capture is not None
    assert (move.kind, move.cells) == ("move", [(7, 7), (7, 4)])
    assert (capture.kind, capture.cells) == ("capture", [(7, 1), (0, 1)])
