from functools import cache
from itertools import zip_longest
from random import Random
from typing import NamedTuple

import athenan
import numpy as np
import pytest

Cell = tuple[int, int]
STEPS = [(-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1)]


def game(options: str = "size=4,swap=false") -> athenan.Game:
    return athenan.make_game(f"havannah:{options}")


def after(first: str, second: str, options: str = "size=4,swap=false") -> athenan.State:
    """Let both players put their stones in turn; the match must not end before."""
    state = game(options).initial_state()
    for pair in zip_longest(first.split(), second.split()):
        for move in filter(None, pair):
            assert state.outcome is None
            state = state.play(move)
    return state


# Cells of the board of side 4 that together are no figure.
ELSEWHERE = "a1 a3 e2 f3 g7 f7 e6 c6 d7"


def elsewhere(count: int) -> str:
    return " ".join(ELSEWHERE.split()[:count])


@pytest.mark.parametrize(
    ("stones", "outcome"),
    [
        ("c3 d3 e4 e5 d5 c4", 1),  # around an empty cell
        ("d4 c3 d3 e4 e5 d5 c4", 1),  # around an own stone, all in one arc
        ("d4 c4 c3 d3 e4 e5 d5", 1),
        ("c3 d3 e4 e5 d5 d4", None),  # one stone is missing, and the inner one does not help
        ("c3 d3 e4 d4", None),
        ("c2 d2 e3 e4 e5 d5 c4 c3", 1),  # around two cells
        ("b2 c2 d2 e3 e4 e5 d5 c4 b3", 1),  # around three
    ],
)
def test_a_ring_wins(stones: str, outcome: int | None) -> None:
    assert after(stones, elsewhere(stones.count(" "))).outcome == outcome


def test_a_ring_around_the_opponent_wins() -> None:
    assert after("c3 d3 e4 e5 d5 c4", "d4 a1 a3 e2 f3").outcome == 1


def test_the_edge_does_not_close_a_ring() -> None:
    assert after("a2 b3 c4 c5 b5", "g4 g7 d7 e2 a3").outcome is None


@pytest.mark.parametrize(
    ("stones", "outcome"),
    [
        ("a1 b1 c1 d1", 1),  # along a side
        ("d1 d2 d3 d4 d5 d6 d7", 1),  # across the board
        ("d1 d2 d3 d4 c4 b4 a4", 1),
        ("d1 d2 d3 d5 d6 d7", None),  # not joined
        ("b1 c1 d1 e2 f3", None),  # one corner and two sides
    ],
)
def test_a_bridge_between_two_corners_wins(stones: str, outcome: int | None) -> None:
    assert after(stones, "a2 f6 c6 g5 e7 b5"[: 3 * stones.count(" ")]).outcome == outcome


FORK = "d2 d3 d4 e4 f5 g5 c4 b4 b5"


@pytest.mark.parametrize(
    ("stones", "outcome"),
    [
        (f"{FORK} c1", 1),
        (f"c1 {FORK}", 1),
        (f"{FORK} d1", None),  # a corner belongs to no side
        (FORK, None),
        ("b1 c1 d2 d3 d4 c4 b4 b5 c6", None),  # two sides, however often
    ],
)
def test_a_fork_between_three_sides_wins(stones: str, outcome: int | None) -> None:
    others = ELSEWHERE.replace("c6", "d6") if "c6" in stones else ELSEWHERE
    assert after(stones, " ".join(others.split()[: stones.count(" ")])).outcome == outcome


def test_the_second_player_wins_alike() -> None:
    state = after("a1 a3 e2 f3 g7 f7", "c3 d3 e4 e5 d5 c4")
    assert (state.outcome, state.ply) == (-1, 12)


def test_the_groups_of_a_position_are_known() -> None:
    state = game().parse_position("xxx1/ooo2/6/7/6/5/4 x")
    assert state.play("d1").outcome == 1
    assert state.play("g7").play("d2").outcome is None


def neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + down, cell[1] + right) for down, right in STEPS]


def reached(start: set[Cell], within: set[Cell]) -> set[Cell]:
    seen, fresh = set(start), list(start)
    while fresh:
        new = {near for near in neighbours(fresh.pop()) if near in within and near not in seen}
        seen |= new
        fresh += new
    return seen


class Board(NamedTuple):
    cells: set[Cell]
    rim: set[Cell]
    corners: list[set[Cell]]
    sides: list[set[Cell]]


@cache
def board(side: int) -> Board:
    lines = range(2 * side - 1)
    cells = {(row, column) for row in lines for column in lines if abs(row - column) < side}
    missing = {cell: sum(near not in cells for near in neighbours(cell)) for cell in cells}
    corners = [{cell} for cell in cells if missing[cell] == 3]
    rest, sides = {cell for cell in cells if missing[cell] == 2}, []
    while rest:
        sides.append(reached({next(iter(rest))}, rest))
        rest -= sides[-1]
    assert (len(corners), len(sides)) == (6, 6)
    return Board(cells, {cell for cell in cells if missing[cell]}, corners, sides)


def has_figure(own: set[Cell], side: int) -> bool:
    """Look for a ring, a bridge or a fork as the rules describe them."""
    cells, rim, corners, sides = board(side)
    others = cells - own
    if reached(rim - own, others) != others or any(set(neighbours(cell)) <= own for cell in own):
        return True
    left = set(own)
    while left:
        group = reached({next(iter(left))}, own)
        left -= group
        if sum(not group.isdisjoint(corner) for corner in corners) >= 2:
            return True
        if sum(not group.isdisjoint(edge) for edge in sides) >= 3:
            return True
    return False


@pytest.mark.parametrize(("side", "matches"), [(3, 60), (4, 40), (5, 20), (6, 10), (10, 2)])
def test_matches_end_exactly_when_the_plain_definition_says_so(side: int, matches: int) -> None:
    random = Random(side)
    for _ in range(matches):
        state = game(f"size={side},swap=false").initial_state()
        stones: tuple[set[Cell], set[Cell]] = set(), set()
        while state.outcome is None:
            move = random.choice(state.legal_move_strings())
            mover = state.to_move
            stones[mover].add((int(move[1:]) - 1, ord(move[0]) - ord("a")))
            state = state.play(move)
            assert has_figure(stones[mover], side) == (state.outcome == (-1 if mover else 1))


def test_a_full_board_without_a_figure_is_a_draw() -> None:
    state = game("size=3,swap=false").parse_position("1xo/oxxx/xoooo/oxxx/xoo x")
    (last,) = state.legal_move_strings()
    drawn = state.play(last)
    assert (drawn.outcome, drawn.ply) == (0, 19)
    assert drawn == game("size=3,swap=false").parse_position(drawn.position)


def test_swap_changes_the_owner_and_leaves_the_stone() -> None:
    start = game("size=4").initial_state()
    assert "swap" not in start.legal_move_strings()
    opened = start.play("b2")
    assert len(opened.legal_moves()) == 37
    swapped = opened.play("swap")
    assert swapped.position == "4/1o3/6/7/6/5/4 x"
    assert (swapped.to_move, swapped.ply, len(swapped.legal_moves())) == (0, 2, 36)
    assert "swap" not in swapped.legal_move_strings()
    assert "swap" not in opened.play("a1").legal_move_strings()
    assert game().offers_swap is False


def test_stones_that_changed_their_owner_count_for_the_new_one() -> None:
    state = game("size=4").initial_state().play("b1").play("swap")
    for move in ("g4", "a1", "g6", "c1", "e7"):
        state = state.play(move)
    assert state.play("d1").outcome == -1


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("4/1o3/6/7/6/5/4 x", "size=4,swap=false"),  # only a swap leads there
        ("4/5/6/7/6/5/4 o", "size=4"),  # nothing to swap
        ("4/oo3/6/7/6/5/4 x", "size=4"),
        ("xxxx/oooo1/6/7/6/5/4 x", "size=4"),  # the side to move has already won
        ("4/5/6/7/6/5/4", "size=4"),
        ("4/5/6/7/6/5/4 w", "size=4"),
        ("4/5/6/7/6/5 x", "size=4"),
        ("5/5/6/7/6/5/4 x", "size=4"),
        ("4/5/6/7/6/5/4 x", "size=5"),
    ],
)
def test_impossible_positions_are_refused(text: str, options: str) -> None:
    with pytest.raises(athenan.PositionError):
        game(options).parse_position(text)


def test_planes_show_the_hexagon_in_rows_and_columns() -> None:
    first, second, empty, to_move = (
        game("size=3,swap=false").parse_position("x2/4/4o/4/3 x").encode()
    )
    assert np.argwhere(first).tolist() == [[0, 0]]
    assert np.argwhere(second).tolist() == [[2, 4]]
    assert (first + second + empty).tolist() == [
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
        [0, 1, 1, 1, 1],
        [0, 0, 1, 1, 1],
    ]
    assert not to_move.any()


def test_the_images_of_a_corner_are_the_corners() -> None:
    start = game().initial_state()
    images = {start.play("a1").transform(k) for k in range(12)}
    assert images == {start.play(corner) for corner in ("a1", "d1", "g4", "g7", "d7", "a4")}
    assert game().symmetries == 12


def test_the_cells_of_a_path_are_those_of_the_planes() -> None:
    state = athenan.make_game("havannah:size=3").initial_state()
    for move in state.legal_moves():
        path = state.move_path(move)
        assert path is not None
        assert state.play(move).encode()[0][path.cells[0]] == 1
