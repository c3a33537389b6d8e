"""Simple games: the author writes values, the engine plays bytes, and both say the same."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import athenan
import numpy as np
import pytest
from athenan import Error, ParameterError, PositionError, SimpleRules, game_from_rules
from athenan.games import author_of, value_of
from athenan.games.check import check_game
from athenan.games.measure import random_turns
from athenan.games.values import own_classes, text_of
from athenan.games.values import value_of as read_value
from athenan.pictures import svg_of
from hypothesis import given
from hypothesis import strategies as st
from processes import ENVIRONMENT

EXAMPLES = Path(__file__).parents[2] / "examples"
TIC_TAC_TOE = str(EXAMPLES / "simple_tic_tac_toe.py")
BOXES = str(EXAMPLES / "dots_and_boxes.py")


def test_tic_tac_toe_is_the_same_game_in_three_ways() -> None:
    simple, builtin = athenan.make_game(TIC_TAC_TOE), athenan.make_game("tic_tac_toe")
    other_game = athenan.make_game(str(EXAMPLES / "tic_tac_toe.py"))
    assert [simple.perft(depth) for depth in range(5)] == [
        builtin.perft(depth) for depth in range(5)
    ]
    for turn in random_turns(simple, 3):
        board = value_of(turn.state)
        other = other_game.parse_position(board)
        assert turn.moves == other.legal_moves()
        assert turn.state.legal_move_strings() == other.legal_move_strings()
        assert np.array_equal(turn.state.encode()[[1, 0, 2]], other.encode())  # o before x
        assert str(turn.state) == str(other)
        path, wanted = turn.state.move_path(turn.moves[0]), other.move_path(turn.moves[0])
        assert path is not None
        assert wanted is not None
        assert path.cells == wanted.cells


@cache
def best_outcome(rules: SimpleRules[Any, Any], state: Any) -> int:
    """Minimax over the author's own values."""
    result = rules.result(state)
    if result is not None:
        return result
    best = min if rules.to_move(state) else max
    return best(best_outcome(rules, rules.play(state, move)) for move in rules.moves(state))


def test_dots_and_boxes_is_solved_as_plain_minimax_over_values_does() -> None:
    game = athenan.make_game(BOXES, size=1)
    assert game.perft(4) == 24
    rules = author_of(game)
    assert isinstance(rules, SimpleRules)
    assert (
        athenan.solve(game.initial_state()).proven_outcome
        == best_outcome(rules, rules.initial())
        == -1
    )
    state = athenan.make_game(BOXES).initial_state()
    for move in ("b1", "a2", "b3"):
        state = state.play(move)
    closing = state.play("c2")
    assert (state.to_move, closing.to_move, closing.score) == (1, 1, -1.0)


def test_examples_are_as_short_as_they_say() -> None:
    assert len(Path(TIC_TAC_TOE).read_text().partition("\nclass")[2].strip().splitlines()) <= 30
    assert len(Path(BOXES).read_text().partition("\nclass")[2].strip().splitlines()) <= 60


# Bytes that say the same everywhere.

ELSEWHERE = """
import sys, athenan
from athenan.games.measure import random_turns
game = athenan.make_game({file!r})
for turn in random_turns(game, 2):
    print(bytes(turn.state).hex(), turn.moves)
"""


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_states_and_moves_are_the_same_in_every_process(hash_seed: str, tmp_path: Path) -> None:
    file = tmp_path / "sets.py"
    file.write_text(SETS)
    game = athenan.make_game(str(file))
    here = [f"{bytes(turn.state).hex()} {turn.moves}" for turn in random_turns(game, 2)]
    program = ELSEWHERE.format(file=str(file))
    there = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **ENVIRONMENT, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert there.stdout.splitlines() == here


SETS = """
from athenan import SimpleRules

class Sets(SimpleRules):
    max_length = 6
    def initial(self): return frozenset()
    def to_move(self, state): return len(state) % 2
    def result(self, state): return 1 if len(state) == 6 else None
    def moves(self, state): return {"red", "green", "blue", "white", "black", "grey"} - state
    def play(self, state, move): return state | {move}
    def planes(self, state): return [[[len(state)]]]
"""


class Colour(Enum):
    RED = 1
    BLUE = 2


class Pair(NamedTuple):
    left: int
    right: Any


@dataclass(frozen=True)
class Card:
    colour: Colour
    number: int


@dataclass
class Changing:
    number: int


CLASSES = own_classes(Card)
leaves = (
    st.none()
    | st.integers()
    | st.text()
    | st.binary(max_size=9)
    | st.sampled_from(Colour)
    | st.builds(Card, st.sampled_from(Colour), st.integers())
    | st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False)
    | st.booleans()
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4).map(tuple)
        | st.frozensets(inner, max_size=4)
        | st.builds(Pair, st.integers(), inner)
    ),
    max_leaves=12,
)


@given(value=values)
def test_values_are_read_back(value: object) -> None:
    text = text_of(value, CLASSES)
    assert text.isascii()
    assert "\0" not in text
    again = read_value(text, CLASSES)
    assert again == value
    assert hash(again) == hash(value)
    assert text_of(again, CLASSES) == text


@given(text=st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_texts_that_are_no_values_are_refused(text: str) -> None:
    try:
        assert text_of(read_value(text, CLASSES), CLASSES) == text
    except ValueError:
        return


FOREIGN = [
    '{"Popen":["touch mark"]}',
    '{"Changing":[1]}',
    '{"Card":[1]}',
    '{"Card":[1,2,3]}',
    '{"Colour":"GREEN"}',
    '{"Colour":"__class__"}',
    '{"frozenset":[[],{"frozenset":1}]}',
    '{"bytes":"zz"}',
    "{}",
    '{"a":1,"b":2}',
    "NaN",
    "[1, 2]",
    "01",
    "[" * 100_000,
    "9" * 10_000,
    '"\ud800"',
]


@pytest.mark.parametrize("text", FOREIGN, ids=lambda text: text[:20])
def test_a_text_from_outside_names_no_other_class(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_value(text, CLASSES)


@pytest.mark.parametrize(
    ("value", "words"),
    [([1], "use a tuple"), ({1}, "use a frozenset"), (np.zeros(2), "a ndarray"), (1j, "complex")],
)
def test_what_is_no_value_is_told(value: object, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        text_of((1, value), CLASSES)


@pytest.mark.parametrize(
    "text", ["5", "[]", '"........"', '"xxxxxxxxx', '["x","o"]', '"abcdefghi"']
)
def test_foreign_positions_are_refused(text: str) -> None:
    game = athenan.make_game(TIC_TAC_TOE)
    with pytest.raises(PositionError):
        game.parse_position(text)
    data = bytes(16) + text.encode().ljust(game.packed_size - 16, b"\0")
    with pytest.raises(PositionError):
        game.state_from_bytes(data)


def test_a_state_survives_a_pickle() -> None:
    state = athenan.make_game(BOXES, size=3).initial_state().play("b1")
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert value_of(again) == value_of(state)


# What is derived, and what is told.


class Heap(SimpleRules[Any, Any]):
    """A heap of ten; its state as the test wants it."""

    max_length = 10

    def __init__(self, **described: Any) -> None:
        for name, value in described.items():
            setattr(self, name, value)

    def initial(self) -> Any:
        return (10, 0)

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def result(self, state: Any) -> int | None:
        return None if state[0] else 1

    def moves(self, state: Any) -> Iterable[Any]:
        return range(1, min(3, state[0]) + 1)

    def play(self, state: Any, move: Any) -> Any:
        return (state[0] - move, 1 - state[1])

    def planes(self, state: Any) -> Any:
        return [[[state[0]]]]


class Bare(Heap):
    planes = SimpleRules.planes


class Drawn(Heap):
    def svg(self, state: Any) -> str:
        return f"<svg>{state[0]}</svg>"


def test_the_authors_picture_is_used() -> None:
    state = game_from_rules(Drawn()).initial_state()
    assert svg_of(state) == "<svg>10</svg>"
    assert "<svg" in svg_of(athenan.make_game(TIC_TAC_TOE).initial_state())


@pytest.mark.parametrize(
    ("start", "shape", "planes"),
    [
        ("x..\n...\n..o", (3, 3), ["o", "x", "player to move"]),
        (("x..", "..."), (2, 3), ["x", "player to move"]),
        (((0, 1), (2, 0), (0, 0)), (3, 2), ["1", "2", "player to move"]),
        (("." * 9, 7, True), (3, 3), ["number 2", "number 3", "player to move"]),
        ((0,) * 16, (4, 4), ["player to move"]),
        ((("...", "..."), (1, 5, 100)), None, None),
        (frozenset(), None, None),
        (5, (1, 1), ["number 1", "player to move"]),
        ((5, 0, 7), (1, 1), ["number 1", "number 3", "player to move"]),
    ],
)
def test_planes_are_derived_of_boards(
    start: Any, shape: tuple[int, int] | None, planes: list[str] | None
) -> None:
    rules = Bare(
        initial=lambda: start, to_move=lambda _: 0, result=lambda _: 1, players=1, max_length=1
    )
    if shape is None:
        with pytest.raises(ParameterError, match="no board is found in the states of Bare"):
            game_from_rules(rules)
        return
    game = game_from_rules(rules)
    assert (game.datasheet.rows, game.datasheet.columns) == shape
    assert game.datasheet.planes == planes
    assert game.initial_state().encode().shape == (len(planes or ()), *shape)


class Runners(SimpleRules[Any, Any]):
    """Each player has a runner that goes up a column of three."""

    max_length = 4

    def initial(self) -> Any:
        return (("..", "..", "xo"), 0)

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def result(self, state: Any) -> int | None:
        return 1 if state[0][0] == "xo" else None

    def moves(self, state: Any) -> Any:
        column = state[1]
        row = next(r for r in range(3) if "xo"[column] in state[0][r])
        return [((row, column), (row - 1, column))]

    def play(self, state: Any, move: Any) -> Any:
        (row, column), (to, _) = move
        grid = [list(line) for line in state[0]]
        grid[row][column], grid[to][column] = ".", "xo"[column]
        return tuple(map("".join, grid)), 1 - column


def test_moves_over_a_board_are_written_and_touched_as_their_cells() -> None:
    game = game_from_rules(Runners())
    state = game.initial_state()
    assert state.legal_move_strings() == ["a3-a2"]
    path = state.move_path(state.legal_moves()[0])
    assert path is not None
    assert (path.kind, path.cells) == ("move", [(2, 0), (1, 0)])
    assert [*map(str, check_game(game, 3))] == []
    after = state.play("a3-a2").play("b3-b2")
    assert after.legal_move_strings() == ["a2-a1"]


def test_other_moves_of_a_board_are_written_as_json() -> None:
    class Named(Runners):
        def moves(self, state: Any) -> Any:
            return [("go", *move) for move in super().moves(state)]

        def play(self, state: Any, move: Any) -> Any:
            return super().play(state, move[1:])

    state = game_from_rules(Named()).initial_state()
    assert state.legal_move_strings() == ['["go",[2,0],[1,0]]']
    assert state.move_path(0) is None


@pytest.mark.parametrize(
    ("described", "message"),
    [
        ({"moves": lambda _: [1, 1]}, "returned 1 twice"),
        ({"moves": lambda _: []}, "no legal move"),
        ({"all_moves": [1, 2]}, "returned 3, which is not among all_moves"),
        ({"play": lambda *_: [1, 2]}, "cannot hold a list; use a tuple"),
        ({"to_move": lambda _: 2}, "returned 2 instead of 0 or 1"),
        ({"result": lambda _: 0.5}, "the method result of Heap returned 0.5"),
        ({"planes": lambda _: [[[0.5]]]}, "its numbers must be integers from -128 to 127"),
        ({"state_bytes": 6, "play": lambda *_: (1, 1, 1)}, "write state_bytes = 64 in the class"),
    ],
)
def test_mistakes_of_the_author_are_told(described: dict[str, Any], message: str) -> None:
    with pytest.raises(Error, match=message):
        athenan.search(game_from_rules(Heap(**described)).initial_state(), expansions=20)


def test_options_are_read_as_their_defaults_are(tmp_path: Path) -> None:
    file = tmp_path / "optional.py"
    file.write_text(
        SETS.replace(
            "    max_length = 6\n",
            "    max_length = 6\n    def __init__(self, size=3, quick=False, name='a'):\n"
            "        self.title = f'{size + 1} {quick is True} {name}'\n",
        )
    )
    game = athenan.make_game(f"{file}:size=4,quick=true,name=7")
    assert game.datasheet.title == "5 True 7"
    assert game.id == f"{file}:size=4,quick=true,name=7"
    assert athenan.make_game(str(file), quick=False).datasheet.title == "4 False a"
    for option, words in (("size=big", "is a whole number"), ("quick=1", "is true or false")):
        with pytest.raises(ParameterError, match=words):
            athenan.make_game(f"{file}:{option}")
