import re
from collections import Counter
from pathlib import Path
from random import Random

import athenan
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "games" / "morpion.md"
BOTH = pytest.mark.parametrize("variant", ["5D", "5T"])


def start(variant: str = "5D", board: int = 18) -> athenan.State:
    return athenan.make_game("morpion", variant=variant, board=board).initial_state()


@BOTH
@pytest.mark.parametrize("board", [18, 22])
def test_the_cross_is_centred_and_offers_28_moves(variant: str, board: int) -> None:
    state = start(variant, board)
    points = state.encode()[0]
    assert points.sum() == 36
    assert (points == points[::-1]).all()
    assert (points == points.T).all()
    directions = Counter(move[-2] for move in state.legal_move_strings())
    assert directions == {"h": 12, "v": 12, "d": 2, "u": 2}


def test_a_move_is_a_point_a_direction_and_a_place_on_the_line() -> None:
    moves = start().legal_move_strings()
    assert "g5h1" in moves  # left of h5 i5 j5 k5
    assert "h9v5" in moves  # below h5 h6 h7 h8
    assert "l7d3" in moves  # between j5 k6 and m8 n9
    assert "g7u3" in moves  # between i5 h6 and f8 e9
    state = start().play("g7u3")
    assert state.position.split()[1:] == ["i5u"]
    assert (state.to_move, state.ply, state.score, state.outcome) == (0, 1, 1, None)


@BOTH
def test_only_touching_lines_share_an_end(variant: str) -> None:
    # h5-h9 is drawn; h10 is missing between it and the points h11 to h14.
    moves = start(variant).play("h9v5").legal_move_strings()
    assert "h10v1" in moves  # h10-h14 is apart from it
    assert ("h10v2" in moves) == (variant == "5T")  # h9-h13 touches its end
    assert "h10v3" not in moves  # h8-h12 runs over h8-h9
    assert "i8h5" in moves  # e8-i8 crosses it in another direction


@pytest.mark.parametrize(("variant", "column"), [("5D", [1, 1, 1, 1, 1]), ("5T", [1, 2, 2, 2, 1])])
def test_planes_show_what_is_crossed_in_each_direction(variant: str, column: list[int]) -> None:
    planes = start(variant).play("h9v5").encode()
    assert planes.shape == (5, 18, 18)
    assert planes[0].sum() == 37
    assert planes[2, 4:9, 7].tolist() == column
    assert planes[1:].sum() == sum(column)


def test_an_end_shared_by_two_lines_is_used_up() -> None:
    state = start("5T").play("h9v5").play("h10v2")
    assert state.encode()[2, 4:13, 7].tolist() == [1, 2, 2, 2, 2, 2, 2, 2, 1]
    assert state.position.split()[1:] == ["h5v", "h9v"]


@BOTH
def test_a_match_ends_in_a_draw_and_scores_its_moves(variant: str) -> None:
    state = start(variant)
    while not state.is_terminal:
        assert state.to_move == 0
        state = state.play(state.legal_moves()[0])
    assert state.outcome == 0
    assert state.score == state.ply == state.encode()[0].sum() - 36


def test_positions_must_be_made_of_whole_lines() -> None:
    game = athenan.make_game("morpion")
    state = start().play("h9v5").play("h10v1")
    assert game.parse_position(state.position).legal_moves() == state.legal_moves()
    rows = state.position.split()[0]
    for lines in ["", "h5v", "h5v h9v", "h5v h10v h10v", "h5v i10h", "h5v h15v", "h5v h10x"]:
        with pytest.raises(athenan.PositionError):
            game.parse_position(f"{rows} {lines}".strip())


def path_of(state: athenan.State, move: str | int) -> list[tuple[int, int]]:
    path = state.move_path(move)
    assert path is not None
    assert path.kind == "place"
    return path.cells


def test_a_move_touches_its_point_and_the_ends_of_its_line() -> None:
    assert path_of(start(), "g5h1") == [(4, 6), (4, 10)]  # g5 is an end, k5 the other
    assert path_of(start(), "h9v5") == [(8, 7), (4, 7)]
    assert path_of(start(), "l7d3") == [(6, 11), (4, 9), (8, 13)]  # j5, l7, n9
    assert path_of(start(), "g7u3") == [(6, 6), (4, 8), (8, 4)]


@pytest.mark.parametrize("symmetry", range(8))
def test_the_image_of_a_line_has_the_same_ends_in_either_order(symmetry: int) -> None:
    luck, state = Random(symmetry), start()
    while not state.is_terminal:
        image = state.transform(symmetry)
        for move in state.legal_moves():
            point, *ends = [mapped(cell, symmetry) for cell in path_of(state, move)]
            cells = path_of(image, state.transform_move(symmetry, move))
            assert (cells[0], sorted(cells[1:])) == (point, sorted(ends))
        state = state.play(luck.choice(state.legal_moves()))


def mapped(cell: tuple[int, int], symmetry: int) -> tuple[int, int]:
    row, column = cell
    down, right = 17 - row, 17 - column
    return [
        *((row, column), (down, right), (row, right), (down, column)),
        *((column, row), (column, down), (right, row), (right, down)),
    ][symmetry]


@BOTH
def test_the_longest_match_of_the_page_is_one_by_the_rules_and_as_long_as_it_says(
    variant: str,
) -> None:
    text = PAGE.read_text()
    shown = re.search(
        rf"^\$ athenan show (morpion:variant={variant}\S*)([^`]+)", text, re.MULTILINE
    )
    said = re.search(rf"\*\*(\d+) moves of {variant}\*\*", text)
    assert shown
    assert said
    state = athenan.make_game(shown[1]).initial_state()
    for move in shown[2].replace("\\", "").split():
        state = state.play(move)  # refuses a move that is not legal
    assert state.is_terminal
    assert state.legal_moves() == []
    assert state.ply == state.score == int(said[1])
    # The same again from the drawing alone: as many new points and lines as moves.
    assert state.encode()[0].sum() == 36 + int(said[1])
    assert len(state.position.split()) == 1 + int(said[1])
