import athenan
import numpy as np
import pytest


def position(text: str, options: str = "size=3,swap=false") -> athenan.State:
    return athenan.make_game(f"hex:{options}").parse_position(text)


@pytest.mark.parametrize(
    ("text", "move", "outcome"),
    [
        ("xo1/xo1/3 x", "a3", 1),  # top to bottom
        ("xx1/oo1/3 x", "c1", None),  # left to right is the other player's direction
        ("xx1/oo1/x2 o", "c2", -1),  # left to right
        ("xo1/1o1/x1x o", "b3", None),  # top to bottom is the other player's direction
        ("o1x/1x1/1o1 x", "a3", 1),  # the cell below and to the left touches
        ("x1o/1x1/1o1 x", "c3", None),  # the cell below and to the right does not
        ("3/o2/xx1 o", "c1", None),  # the end of a row does not touch the start of the next
        ("1x1/3/ox1 o", "b2", None),
    ],
)
def test_a_match_ends_when_a_player_joins_its_two_sides(
    text: str, move: str, outcome: int | None
) -> None:
    assert position(text).play(move).outcome == outcome


def test_a_stone_that_joins_two_groups_links_all_their_stones() -> None:
    # c3 d3 hang loose until b3 links them to the left side; then e2 completes the chain.
    state = position("xxx2/5/o1oo1/5/x4 o", "size=5,swap=false")
    assert state.play("b3").play("a4").play("e2").outcome == -1
    assert state.play("e2").play("a4").play("b3").outcome == -1


def test_swap_mirrors_the_stone_and_hands_the_move_back() -> None:
    start = athenan.make_game("hex", size=3).initial_state()
    assert "swap" not in start.legal_move_strings()
    opened = start.play("b1")
    assert len(opened.legal_moves()) == 9
    swapped = opened.play("swap")
    assert swapped.position == "3/o2/3 x"
    assert (swapped.to_move, swapped.ply, len(swapped.legal_moves())) == (0, 2, 8)
    assert "swap" not in swapped.legal_move_strings()
    assert "swap" not in opened.play("a1").legal_move_strings()
    assert start.play("b2").play("swap").position == "3/1o1/3 x"


def test_swap_is_an_option() -> None:
    opened = athenan.make_game("hex:size=3,swap=false").initial_state().play("b1")
    assert len(opened.legal_moves()) == 8
    with pytest.raises(athenan.IllegalMoveError):
        opened.play("swap")


def test_the_stones_tell_whether_there_was_a_swap() -> None:
    assert position("3/o2/3 x", "size=3").ply == 2
    assert position("3/o1x/3 o", "size=3").ply == 3
    assert position("3/o1x/3 x", "size=3").ply == 2


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("3/o2/3 x", "size=3,swap=false"),  # only a swap leads there
        ("3/o1x/3 o", "size=3,swap=false"),
        ("3/3/3 o", "size=3"),  # nothing to swap
        ("3/oo1/3 x", "size=3"),
        ("xo1/xo1/xo1 x", "size=3"),  # the side to move has already won
        ("3/3/3", "size=3"),
        ("3/3/3 x", "size=4"),
    ],
)
def test_impossible_positions_are_refused(text: str, options: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text, options)


def test_planes_show_the_sides_as_stones_of_their_owners() -> None:
    first, second, to_move = position("x1/2 o", "size=2,swap=false").encode()
    assert np.array_equal(first, [[1, 1, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
    assert np.array_equal(second, [[1, 0, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1]])
    assert np.array_equal(to_move, np.ones((4, 4)))


def test_only_the_half_turn_keeps_the_sides_of_both_players() -> None:
    state = position("1x1/o2/3 x")
    assert state.game.symmetries == 2
    assert state.transform(1).position == "3/2o/1x1 x"


def path(state: athenan.State, move: str) -> tuple[str, list[tuple[int, int]]]:
    found = state.move_path(move)
    assert found is not None
    return found.kind, found.cells


def test_cells_are_counted_without_the_border_and_the_swap_touches_none() -> None:
    game = athenan.make_game("hex", size=3)
    assert (game.datasheet.border, game.datasheet.move_kinds) == (1, ["place", "swap"])
    opened = game.initial_state().play("a1")
    assert path(opened, "c2") == ("place", [(1, 2)])
    assert path(opened, "swap") == ("swap", [])
    assert athenan.make_game("hex:swap=false").datasheet.move_kinds == ["place"]
