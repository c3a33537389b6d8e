import athenan
import numpy as np
import pytest


def position(text: str, options: str = "size=3") -> athenan.State:
    return athenan.make_game(f"go:{options}").parse_position(text)


def played(moves: str, options: str = "size=3") -> athenan.State:
    state = athenan.make_game(f"go:{options}").initial_state()
    for move in moves.split():
        state = state.play(move)
    return state


def board_of(state: athenan.State) -> str:
    return state.position.split()[0]


# Points and notation


def test_points_have_the_names_of_go_boards() -> None:
    start = athenan.make_game("go:size=9").initial_state()
    assert start.play("A1").position == "9/9/9/9/9/9/9/9/X8 O - A1"
    assert start.play("H9").position == "7X1/9/9/9/9/9/9/9/9 O - H9"
    assert start.play("J9").position == "8X/9/9/9/9/9/9/9/9 O - J9"
    with pytest.raises(athenan.IllegalMoveError):
        start.play("I9")
    assert str(start).splitlines()[-1] == "  A B C D E F G H J"


# Captures and suicide


@pytest.mark.parametrize(
    ("text", "move", "board"),
    [
        ("OX1/3/3 X", "A2", "1X1/X2/3"),  # in the corner
        ("1X1/XO1/1X1 X", "C2", "1X1/X1X/1X1"),  # in the middle
        ("OOX/X2/3 X", "B2", "2X/XX1/3"),  # two stones
        ("O1O/XOX/1X1 X", "B3", "1X1/X1X/1X1"),  # three chains at once
        ("1XO/XO1/O2 O", "A3", "O1O/1O1/O2"),  # by a stone that has no liberty before
    ],
)
def test_chains_without_liberties_are_captured(text: str, move: str, board: str) -> None:
    assert board_of(position(text).play(move)) == board


def test_only_the_enemy_is_captured() -> None:
    # A2 is the last liberty of A3 and of A1: the own chain lives by the capture.
    assert board_of(position("XO1/1O1/OX1 X").play("A2")) == "XO1/XO1/1X1"


def test_suicide_is_illegal() -> None:
    single = position("1X1/X2/3 O")
    assert "A3" not in single.legal_move_strings()
    chain = position("1OX/XX1/3 O")
    assert "A3" not in chain.legal_move_strings()
    assert "A3" in position("1OX/X2/3 O").legal_move_strings()


def test_a_board_with_a_dead_chain_is_refused() -> None:
    with pytest.raises(athenan.PositionError, match="liberty"):
        position("OX1/X2/3 X")


# Ko


KO = "1XO1/X1XO/1XO1/4 O"  # a capture at B3 can be taken back at C3


@pytest.mark.parametrize("ko", ["superko", "simple"])
def test_a_stone_is_not_taken_back_at_once(ko: str) -> None:
    start = position(KO, f"size=4,ko={ko}")
    taken = start.play("B3")
    assert board_of(taken) == "1XO1/XO1O/1XO1/4"
    assert "C3" not in taken.legal_move_strings()
    later = taken.play("A1").play("D1")
    assert "C3" in later.legal_move_strings()
    assert board_of(later.play("C3")) == "1XO1/X1XO/1XO1/X2O"


@pytest.mark.parametrize("ko", ["superko", "simple"])
def test_a_stone_that_took_two_may_be_taken_at_once(ko: str) -> None:
    taken = position("XO1/XO1/1X1 O", f"size=3,ko={ko}").play("A1")
    assert board_of(taken) == "1O1/1O1/OX1"
    assert board_of(taken.play("A2")) == "1O1/XO1/1X1"


# A1 takes A2 and A3; A2 would take A1 and leave the stones as they were after the fourth move. They
# came then with the first player to move, now with the second: positional superko does not mind.
CYCLE, LAST = "B1 B3 A2 B2 A3 A1", "A2"


def test_superko_knows_all_boards_of_the_match() -> None:
    earlier = played(" ".join(CYCLE.split()[:4]))
    simple, superko = played(CYCLE, "size=3,ko=simple"), played(CYCLE)
    assert board_of(simple.play(LAST)) == board_of(earlier)
    assert earlier.to_move != simple.play(LAST).to_move
    assert set(simple.legal_move_strings()) - set(superko.legal_move_strings()) == {LAST}
    with pytest.raises(athenan.IllegalMoveError):
        superko.play(LAST)


def test_superko_allows_the_move_once_the_board_is_another() -> None:
    assert LAST in played(f"{CYCLE} C3 pass").legal_move_strings()


def test_a_pass_may_keep_the_board() -> None:
    state = played("B2 pass A1 pass")
    assert "pass" in state.legal_move_strings()
    assert state.outcome is None


def test_a_board_that_begins_a_match_counts_too() -> None:
    # The capture and its recapture at once are the start again.
    start = position(KO, "size=4")
    assert "C3" not in start.play("B3").legal_move_strings()
    fresh = position("1XO1/XO1O/1XO1/4 X", "size=4")
    assert "C3" in fresh.legal_move_strings()


# The end


def test_two_passes_end_the_match_and_the_area_counts() -> None:
    state = played("B2 pass pass", "size=3,komi=7.5")
    assert (state.outcome, state.score) == (1, 1.5)
    assert played("pass pass", "size=3,komi=0").outcome == 0
    assert played("pass pass", "size=3,komi=0.5").outcome == -1
    assert played("pass B2 pass pass", "size=3,komi=0").score == -9


def test_passes_of_different_turns_do_not_end_the_match() -> None:
    assert played("pass A1 pass B1 pass C1").outcome is None


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("3/3/3 X", 0),
        ("1X1/1X1/1X1 X", 9),
        ("1XO/1X1/1XO X", 6 - 2),  # the left column reaches X alone, C2 both
        ("X1O/X1O/X1O X", 0),  # the column between reaches both
        ("1X1/1XO/1X1 X", 6 - 1),  # nothing is judged dead
        ("1XO/XO1/O2 X", 3 - 6),
    ],
)
def test_area_is_stones_and_points_that_reach_no_enemy(text: str, score: int) -> None:
    assert position(text, "size=3,komi=0").score == score


@pytest.mark.parametrize(("komi", "outcome"), [("3.5", 1), ("4", 0), ("4.5", -1), ("-4", 1)])
def test_komi_belongs_to_the_second_player(komi: str, outcome: int) -> None:
    state = position("1XO/1X1/1XO X", f"size=3,komi={komi}").play("pass").play("pass")
    assert (state.outcome, state.score) == (outcome, 4 - float(komi))
    assert state.game.datasheet.has_draws == komi.lstrip("-").isdigit()


@pytest.mark.parametrize("ko", ["superko", "simple"])
def test_the_match_is_counted_after_twice_as_many_moves_as_points(ko: str) -> None:
    options = f"size=2,komi=0.5,ko={ko}"
    moves = "A1 pass B1 pass A2 B2 A1"  # B2 takes three stones
    assert (played(moves, options).ply, played(moves, options).outcome) == (7, None)
    end = played(f"{moves} pass", options)
    assert (end.ply, end.score, end.outcome) == (8, -0.5, -1)
    assert end.game.datasheet.max_length == 8


# Texts


def test_a_position_tells_its_match() -> None:
    state = played("B2 A1 pass C3")
    assert state.position == "2O/1X1/O2 X - B2,A1,pass,C3"
    later = position("1X1/3/3 O").play("A1")
    assert later.position == "1X1/3/O2 X 1X1/3/3,O A1"
    assert state.game.parse_position(later.position) == later
    assert (later.ply, position("1X1/3/3 O").ply) == (1, 0)


def test_with_simple_ko_a_position_tells_what_matters_now() -> None:
    options = "size=4,ko=simple"
    assert played("B2 A1", options).position == "4/4/1X2/O3 X 2 -"
    assert position(KO, options).play("B3").position == "1XO1/XO1O/1XO1/4 X 1 C3"
    assert played("pass", options).position == "4/4/4/4 O 1 pass"
    assert played("pass pass", options).position == "4/4/4/4 X 2 pass-pass"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("2O/1X1/O2 X - B2,A1,pass,B3", "size=3"),  # leads elsewhere
        ("2O/1X1/O2 O - B2,A1,pass,C3", "size=3"),
        ("2O/1X1/O2 X - B2,A1,pass,C3,", "size=3"),
        ("2O/1X1/O2 X - B2,A1,A1,C3", "size=3"),  # an illegal move
        ("3/3/3 X - pass,pass,pass", "size=3"),  # goes on after the end
        ("3/3/3 X - ", "size=3"),
        ("3/3/3 X -", "size=3"),
        ("3/3/3 X 3/3/3 pass", "size=3"),
        ("3/3/3 X 1 -", "size=3"),
        ("3/3/3 X - pass", "size=3,ko=simple"),
        ("3/3/3 X 0 -", "size=3,ko=simple"),
        ("3/3/3 X 19 -", "size=3,ko=simple"),
        ("3/3/3 X 1 A1", "size=3,ko=simple"),  # no ko there
        ("3/3/3 X 1 D1", "size=3,ko=simple"),
        ("3/3/3 X 1 pass-pass", "size=3,ko=simple"),
        ("3/3/3 x", "size=3"),
    ],
)
def test_positions_that_contradict_themselves_are_refused(text: str, options: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text, options)


# Planes


def test_planes_show_stones_ko_and_passes() -> None:
    first, second, to_move, special = position(KO, "size=4").play("B3").encode()
    assert np.array_equal(first, [[0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    assert np.array_equal(second, [[0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]])
    assert not to_move.any()
    assert np.array_equal(special, [[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    passed = played("pass").encode()
    assert (passed[2] == 1).all()
    assert (passed[3] == -1).all()


def test_images_of_a_match_are_matches() -> None:
    start = athenan.make_game("go:size=3").initial_state()
    moves = [start.parse_move(move) for move in CYCLE.split()]
    for k in range(8):
        image = start
        for move in moves:
            image = image.play(start.transform_move(k, move))
        assert played(CYCLE).transform(k) == image
        assert start.transform_move(k, start.parse_move(LAST)) not in image.legal_moves()


def test_a_pass_touches_no_point() -> None:
    start = athenan.make_game("go").initial_state()
    placed, passed = start.move_path("D4"), start.move_path("pass")
    assert placed is not None
    assert passed is not None
    assert (placed.kind, placed.cells) == ("place", [(5, 3)])
    assert (passed.kind, passed.cells) == ("pass", [])
