import athenan
import numpy as np
import pytest

FLAT = "00000/00000/00000/00000/00000"


def position(text: str) -> athenan.State:
    return athenan.make_game("santorini").parse_position(text)


def steps_from(state: athenan.State, origin: str) -> set[str]:
    return {move[2:4] for move in state.legal_move_strings() if move.startswith(origin)}


def builds_after(state: athenan.State, step: str) -> set[str]:
    return {move[4:] for move in state.legal_move_strings() if move.startswith(step)}


def test_each_player_places_both_workers_one_by_one() -> None:
    state = athenan.make_game("santorini").initial_state()
    players = []
    for move, left in [("B2", 25), ("D2", 24), ("B4", 23), ("D4", 22)]:
        assert len(state.legal_moves()) == left
        players.append(state.to_move)
        state = state.play(move)
        assert move not in state.legal_move_strings()
    assert players == [0, 0, 1, 1]
    assert (state.to_move, state.ply) == (0, 4)
    assert state.position == f"{FLAT} B2D2 B4D4 x"


def test_the_order_of_the_two_workers_does_not_matter() -> None:
    start = athenan.make_game("santorini").initial_state()
    assert start.play("A1").play("C3") == start.play("C3").play("A1")


@pytest.mark.parametrize(
    ("level", "reached"),
    [
        (0, {"B2", "C2"}),
        (1, {"B2", "C2", "D2", "B3"}),
        (2, {"B2", "C2", "D2", "B3", "D3"}),
    ],
)
def test_a_worker_climbs_one_level_and_descends_any(level: int, reached: set[str]) -> None:
    # Around C3: levels 0 and 1 (B2 C2), 2 twice (D2 B3), 3 (D3), a dome (D4) and two workers.
    state = position(f"00000/00040/02{level}30/00120/00000 C3A1 B4C4 x")
    assert steps_from(state, "C3") == reached


def test_a_worker_builds_around_its_new_cell_but_not_on_workers_or_domes() -> None:
    state = position("00000/00000/00000/04300/00000 A1E5 A2D1 x")
    # From B1: A1 is left behind, A2 is taken, B2 a dome, C2 gets one.
    assert builds_after(state, "A1B1") == {"A1", "C1", "C2"}
    assert state.play("A1B1C2").position == "00000/00000/00000/04400/00000 E5B1 A2D1 o"


def test_stepping_up_to_level_3_wins_at_once_and_without_a_build() -> None:
    state = position("00000/00000/02300/00000/00000 B3E1 A5E5 x")
    assert builds_after(state, "B3C3") == {""}
    won = state.play("B3C3")
    assert (won.outcome, won.ply) == (1, state.ply + 1)
    assert won.position == "00000/00000/02300/00000/00000 C3E1 A5E5 o"
    assert won.position == position(won.position).position
    lost = position("00000/00000/02300/00000/00000 A5E5 B3E1 o").play("B3C3")
    assert lost.outcome == -1


def test_level_3_is_not_reached_from_level_1() -> None:
    state = position("00000/00000/01300/00000/00000 B3E1 A5E5 x")
    assert "C3" not in steps_from(state, "B3")


def test_building_next_to_a_tower_wins_nothing() -> None:
    state = position("00000/00000/00200/00000/00000 B2E1 A5E5 x").play("B2B3C3")
    assert (state.outcome, state.position.split()[0]) == (None, "00000/00000/00300/00000/00000")


@pytest.mark.parametrize("corner_level", [0, 1])
def test_a_player_without_a_move_loses(corner_level: int) -> None:
    # A1 and A2 are walled in by levels two higher, a dome and a worker; from level 1 B1 is open.
    state = position(f"00000/00000/42000/{corner_level}2000/{corner_level}2000 A1A2 E5D5 o")
    assert state.outcome is None
    after = state.play("E5E4E5")
    assert after.outcome == (-1 if corner_level == 0 else None)
    assert len(after.legal_moves()) == 0 or steps_from(after, "A1") == {"B1", "B2"}


def test_one_blocked_worker_does_not_lose() -> None:
    after = position("00000/00000/00000/22000/02000 A1E1 E5D5 o").play("E5E4E5")
    assert after.outcome is None
    assert {move[:2] for move in after.legal_move_strings()} == {"E1"}


@pytest.mark.parametrize(
    "text",
    [
        f"{FLAT} - B4D4 o",  # the second player places last
        f"{FLAT} B2 - o",  # the first player has a worker left to place
        f"{FLAT} B2D2 - x",
        f"{FLAT} B2D2E1 B4D4 x",
        f"{FLAT} B2D2 B2D4 x",
        f"{FLAT} B2B2 B4D4 x",
        f"{FLAT} B2F2 B4D4 x",
        f"{FLAT} B2D6 B4D4 x",
        f"{FLAT} b2d2 B4D4 x",
        f"{FLAT} B2D B4D4 x",
        f"{FLAT}  B2D2 B4D4 x",
        "00000/00000/00000/00000/00001 B2D2 - o",  # built before all workers stand
        "00000/00000/00000/04000/00000 B2D2 B4D4 x",  # a worker on a dome
        "00000/00000/00000/02300/00000 C2D5 B4D4 x",  # the side to move has already won
        "00000/00000/00000/01300/00000 C2D5 B4D4 o",  # level 3 was not reached from level 2
        "00000/00000/00000/00000/00005 B2D2 B4D4 x",
        "00000/00000/00000/00000 B2D2 B4D4 x",
        f"{FLAT} B2D2 B4D4",
    ],
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text)


def test_planes_are_bordered_by_domes() -> None:
    first, second, *levels, to_move = position("00000/00000/00000/01234/00000 A1E5 A5E1 o").encode()
    assert np.argwhere(first).tolist() == [[1, 5], [5, 1]]
    assert np.argwhere(second).tolist() == [[1, 1], [5, 5]]
    for height, plane in enumerate(levels, 1):
        assert plane[4, 1:6].tolist() == [int(level >= height) for level in range(5)]
        assert plane[1:6, 1:6].sum() == 5 - height
        border = plane.copy()
        border[1:6, 1:6] = 1
        assert border.all()
    assert to_move.all()


def test_the_ply_is_read_from_the_board() -> None:
    assert position(f"{FLAT} - - x").ply == 0
    assert position(f"{FLAT} B2D2 B4 o").ply == 3
    assert position("00000/00000/00000/01234/00000 A1E5 A5E1 x").ply == 4 + 10


@pytest.mark.parametrize(
    ("text", "move", "kind", "cells"),
    [
        (f"{FLAT} - - x", "B2", "place", [(3, 1)]),
        (f"{FLAT} B2D2 B4D4 x", "B2A1B2", "move and build", [(3, 1), (4, 0), (3, 1)]),
        (f"{FLAT} B2D2 B4D4 o", "D4E5E4", "move and build", [(1, 3), (0, 4), (1, 4)]),
        (
            "00000/00000/02300/00000/00000 B3E1 A5E5 x",
            *("B3C3", "climb to win", [(2, 1), (2, 2)]),
        ),
    ],
)
def test_a_move_touches_the_cells_of_its_text(
    text: str, move: str, kind: str, cells: list[tuple[int, int]]
) -> None:
    path = position(text).move_path(move)
    assert path is not None
    assert (path.kind, path.cells) == (kind, cells)
