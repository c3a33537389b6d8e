from collections.abc import Iterator
from itertools import product
from random import Random

import athenan
import pytest

APART = "3o/4/4/x3"  # one stone each, not in each other's way


def position(text: str, options: str = "") -> athenan.State:
    return athenan.make_game(f"shobu{options}").parse_position(text)


def boards(state: athenan.State) -> dict[str, str]:
    return dict(zip("dlDL", state.position.split(), strict=False))


# Passive moves


def test_the_start() -> None:
    start = athenan.make_game("shobu").initial_state()
    assert start.position == " ".join(["oooo/4/4/xxxx"] * 4) + " x @0"
    moves = start.legal_move_strings()
    assert len(moves) == 232
    assert {move[0] for move in moves} == {"D", "L"}
    state = start.play("D:b1b3,l:a1a3")
    assert boards(state) == {
        "d": "oooo/4/4/xxxx",
        "l": "oooo/x3/4/1xxx",
        "D": "oooo/1x2/4/x1xx",
        "L": "oooo/4/4/xxxx",
    }
    assert {move[0] for move in state.legal_move_strings()} == {"d", "l"}


def test_the_stones_move_alike_on_boards_of_different_colours() -> None:
    for move in athenan.make_game("shobu").initial_state().legal_move_strings():
        (passive, a, b, c, d), (aggressive, e, f, g, h) = (
            (half[0], *half[2:]) for half in move.split(",")
        )
        assert passive.lower() != aggressive.lower()
        assert [ord(c) - ord(a), int(d) - int(b)] == [ord(g) - ord(e), int(h) - int(f)]


@pytest.mark.parametrize(
    ("board", "targets"),
    [
        ("3o/4/4/x3", {"a2", "a3", "b1", "c1", "b2", "c3"}),
        ("4/4/4/xo2", {"a2", "a3", "b2", "c3"}),  # nothing is pushed
        ("4/4/4/x1o1", {"a2", "a3", "b1", "b2", "c3"}),
        ("4/2o1/1x2/xx2", {"a2", "a3"}),  # nothing is jumped over
    ],
)
def test_a_passive_stone_pushes_nothing(board: str, targets: set[str]) -> None:
    # The aggressive stone in the middle of d can follow everywhere.
    moves = position(f"o3/4/1x2/4 {APART} {APART} {board} x").legal_move_strings()
    assert {move[4:6] for move in moves if move.startswith("L:a1")} == targets


def test_a_passive_move_needs_an_aggressive_one() -> None:
    stuck = "o2x/4/4/4"  # the stone of x cannot go to the right
    state = position(f"{stuck} {APART} {stuck} {APART} x")
    assert not any(move.startswith("L:a1b1") for move in state.legal_move_strings())
    state = position(f"{APART} {APART} {stuck} {APART} x")
    found = [move for move in state.legal_move_strings() if move.startswith("L:a1b1")]
    assert found == ["L:a1b1,d:a1b1"]


# Aggressive moves


@pytest.mark.parametrize(
    ("row", "move", "after"),
    [
        ("xo2", "a4b4", "1xo1"),
        ("xo2", "a4c4", "2xo"),  # pushed along for both steps
        ("x1o1", "a4b4", "1xo1"),
        ("x1o1", "a4c4", "2xo"),
        ("x2o", "a4c4", "2xo"),
        ("2xo", "c4d4", "3x"),  # pushed off the board
        ("1xo1", "b4d4", "3x"),
        ("1x1o", "b4d4", "3x"),
        ("xoo1", "a4b4", None),  # never two stones
        ("xoo1", "a4c4", None),
        ("xo1o", "a4b4", "1xoo"),
        ("xo1o", "a4c4", None),
        ("x1oo", "a4b4", "1xoo"),
        ("x1oo", "a4c4", None),
        ("1xoo", "b4c4", None),
        ("1xoo", "b4d4", None),
        ("xx1o", "a4b4", None),  # never an own one
        ("xx1o", "a4c4", None),
        ("x1xo", "a4c4", None),
        ("xox1", "a4b4", None),
        ("xo1x", "a4b4", "1xox"),
        ("xo1x", "a4c4", None),
        ("x1ox", "a4c4", None),
        ("2xo", "c4e4", None),  # nor off the board oneself
    ],
)
def test_an_aggressive_stone_pushes_at_most_one_enemy(
    row: str, move: str, after: str | None
) -> None:
    state = position(f"{row}/4/4/o3 {APART} {APART} {APART} x")
    passive = "L:a1b1" if ord(move[2]) - ord(move[0]) == 1 else "L:a1c1"
    text = f"{passive},d:{move}"
    if after is None:
        assert text not in state.legal_move_strings()
    else:
        assert boards(state.play(text))["d"] == f"{after}/4/4/o3"


# Ends


def test_clearing_one_board_wins() -> None:
    state = position(f"2xo/4/4/4 {APART} {APART} {APART} x")
    assert state.play("L:a1b1,d:c4d4").outcome == 1
    assert state.play("L:a1a2,D:a1a2").outcome is None
    mirrored = position(f"2ox/4/4/4 {APART} {APART} {APART} o")
    assert mirrored.outcome is None
    assert mirrored.play("l:d4c3,D:d4c3").outcome is None
    assert position(f"{APART} {APART} {APART} 4/4/4/o3 o").outcome == -1


STUCK = "4/4/1o2/xx2 3x/4/4/o3 1o1o/4/4/x3 3x/1o2/4/o3 x"  # came about in a random match


@pytest.mark.parametrize(
    ("options", "outcome"), [("", -1), (":no_move=loses", -1), (":no_move=draw", 0)]
)
def test_a_player_without_a_move(options: str, outcome: int) -> None:
    assert position(STUCK, options).outcome == outcome
    assert position(STUCK.replace(" x", " o"), options).outcome is None


def test_a_board_has_at_most_four_stones_of_a_player() -> None:
    with pytest.raises(athenan.PositionError, match="more than 4 stones"):
        position(f"xxxx/x3/4/3o {APART} {APART} {APART} x")


# The same rules once more, cell by cell


Cells = dict[tuple[str, int, int], str]


def cells_of(state: athenan.State) -> Cells:
    found = {}
    for name, rows in boards(state).items():
        for y, row in enumerate(rows.split("/")):
            for x, stone in enumerate("".join("." * int(c) if c.isdigit() else c for c in row)):
                found[name, x, 3 - y] = stone
    return found


def stepped(cells: Cells, name: str, at: tuple[int, int], step: tuple[int, int]) -> Cells | None:
    """Move a stone by one cell, pushing one of the opponent."""
    (x, y), (dx, dy) = at, step
    mover = cells[name, x, y]
    ahead, beyond = (name, x + dx, y + dy), (name, x + 2 * dx, y + 2 * dy)
    if cells.get(ahead, mover) == mover:
        return None
    after = {**cells, (name, x, y): ".", ahead: mover}
    if cells[ahead] != ".":
        if cells.get(beyond, ".") != ".":
            return None
        if beyond in cells:
            after[beyond] = cells[ahead]
    return after


def slid(
    cells: Cells, name: str, at: tuple[int, int], step: tuple[int, int], distance: int
) -> Cells | None:
    """Move a stone; a stone met at the second step is a second one if one was already pushed."""
    after: Cells | None = cells
    for k in range(distance):
        if after is not None:
            after = stepped(after, name, (at[0] + k * step[0], at[1] + k * step[1]), step)
    return after


def turns(state: athenan.State) -> Iterator[tuple[str, Cells]]:
    cells, mover = cells_of(state), "xo"[state.to_move]
    homes = "dl" if state.to_move else "DL"
    stones = [key for key, stone in cells.items() if stone == mover]
    steps = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
    for (name, x, y), (dx, dy), distance in product(stones, steps, (1, 2)):
        path = [(name, x + k * dx, y + k * dy) for k in range(1, distance + 1)]
        if name not in homes or any(cells.get(cell) != "." for cell in path):
            continue
        between = {**cells, (name, x, y): ".", path[-1]: mover}
        for other, u, v in stones:
            if other.lower() == name.lower():
                continue
            after = slid(between, other, (u, v), (dx, dy), distance)
            if after is not None:
                texts = [
                    f"{b}:{'abcd'[p]}{q + 1}{'abcd'[p + distance * dx]}{q + 1 + distance * dy}"
                    for b, p, q in ((name, x, y), (other, u, v))
                ]
                yield ",".join(texts), after


@pytest.mark.parametrize("seed", range(12))
def test_turns_are_as_the_rules_say_cell_by_cell(seed: int) -> None:
    state, random = athenan.make_game("shobu").initial_state(), Random(seed)
    while not state.is_terminal and state.ply < 300:
        if state.ply % 12 == seed:
            expected = dict(turns(state))
            moves = state.legal_move_strings()
            assert sorted(moves) == sorted(expected)
            for move in random.sample(moves, min(6, len(moves))):
                assert cells_of(state.play(move)) == expected[move]
        state = state.play(random.choice(state.legal_moves()))


# Geometry


def path_of(state: athenan.State, move: str) -> tuple[str, list[tuple[int, int]]]:
    path = state.move_path(move)
    assert path is not None
    return path.kind, path.cells


def test_the_kind_of_a_move_names_the_boards_of_its_four_cells() -> None:
    start = athenan.make_game("shobu").initial_state()
    cells = [(3, 1), (1, 1), (3, 0), (1, 0)]
    assert path_of(start, "D:b1b3,L:a1a3") == ("dark and home light", cells)
    assert path_of(start, "D:b1b3,l:a1a3") == ("dark and far light", cells)
    assert path_of(start, "L:b1b3,D:a1a3") == ("light and home dark", cells)
    assert path_of(start, "L:b1b3,d:a1a3") == ("light and far dark", cells)
    second = start.play("D:b1b3,L:a1a3")
    cells = [(0, 2), (1, 3), (0, 0), (1, 1)]
    assert path_of(second, "d:c4d3,l:a4b3") == ("dark and home light", cells)
    assert path_of(second, "l:c4d3,D:a4b3") == ("light and far dark", cells)


def test_the_exchange_of_dark_and_light_exchanges_them_in_kinds() -> None:
    start = athenan.make_game("shobu").initial_state()
    squares = start.game.symmetries // 2
    exchanged = {"dark": "light", "light": "dark"}
    for move in start.legal_moves():
        path, image = (
            start.move_path(move),
            start.transform(squares).move_path(start.transform_move(squares, move)),
        )
        assert path is not None
        assert image is not None
        assert image.kind == " ".join(exchanged.get(word, word) for word in path.kind.split())
        assert image.cells == path.cells
