"""Games written in Python: mistakes of their authors are told, never a crash."""

import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import athenan
import numpy as np
import pytest
from athenan import Datasheet, ParameterError, PositionError, Rules, game_from_rules
from athenan import reference as ref
from athenan.games import StateBytes
from athenan.searches import terminal_evaluations
from conformance.variants import PYTHON_EXAMPLE
from numpy.typing import NDArray


class Countdown(Rules):
    """One player takes one or two matches from a heap; taking the last one wins."""

    offers_swap = False

    def __init__(self, heap: int = 3) -> None:
        self.heap = heap

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Countdown",
            rows=1,
            columns=1,
            planes=["heap"],
            move_count=3,
            max_length=self.heap,
            players=1,
        )

    def initial(self) -> StateBytes:
        return np.array([self.heap], np.uint8)

    def to_move(self, state: StateBytes) -> int:  # noqa: ARG002
        return 0

    def result(self, state: StateBytes) -> int | None:
        return None if state[0] else 1

    def moves(self, state: StateBytes) -> Iterable[int]:
        return range(1, min(2, state[0]) + 1)

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        return state - np.uint8(move)

    def encode(self, state: StateBytes) -> NDArray[np.uint8]:
        return state.reshape(1, 1, 1)


def write_game(path: Path, body: str) -> str:
    path.write_text("from athenan import Datasheet, Rules\nimport numpy as np\n" + body)
    return str(path)


def test_the_example_and_the_built_in_game_are_the_same_game() -> None:
    python, builtin = athenan.make_game(PYTHON_EXAMPLE), athenan.make_game("tic_tac_toe")
    assert [python.perft(depth) for depth in range(5)] == [
        builtin.perft(depth) for depth in range(5)
    ]
    one, other = python.initial_state(), builtin.initial_state()
    for move in ("b2", "a1", "c1", "a3", "a2", "c2"):
        assert one.legal_move_strings() == other.legal_move_strings()
        one, other = one.play(move), other.play(move)
        assert np.array_equal(one.encode(), other.encode())
        assert (one.outcome, one.to_move, str(one)) == (other.outcome, other.to_move, str(other))


class Thrift(Countdown):
    """The same with an evaluation of its own."""

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Thrift",
            rows=1,
            columns=1,
            planes=["heap"],
            move_count=3,
            max_length=self.heap,
            players=1,
            has_score=True,
            own_evaluation="thrift",
        )

    def score(self, state: StateBytes) -> float:
        return float(state[0])


def test_a_game_names_its_own_terminal_evaluation() -> None:
    game = game_from_rules(Thrift())
    assert terminal_evaluations(game) == ["classic", "thrift"]
    athenan.search(game.initial_state(), spec="descent:terminal=thrift", iterations=2)
    with pytest.raises(ParameterError, match=r"'score' makes no sense .* takes classic, thrift"):
        athenan.search(game.initial_state(), spec="descent:terminal=score", iterations=2)


class Pointed(Countdown):
    """Countdown whose moves touch a cell: as its author says, or none at all."""

    def __init__(self, path: object) -> None:
        super().__init__()
        self.path = path

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Pointed",
            rows=4,
            columns=5,
            border=1,
            planes=["heap"],
            move_count=3,
            move_kinds=["take"],
            max_length=self.heap,
            players=1,
        )

    def move_path(self, state: StateBytes, move: int) -> Any:  # noqa: ARG002
        return self.path


def test_moves_touch_cells_of_the_board_without_its_border() -> None:
    path = game_from_rules(Pointed(("take", [(0, 0), (1, 2)]))).initial_state().move_path(1)
    assert path is not None
    assert (path.kind, path.cells) == ("take", [(0, 0), (1, 2)])
    assert game_from_rules(Countdown()).initial_state().move_path(1) is None


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("steal", []), "a move of Pointed is of the kind 'steal', which is not among"),
        (("take", [(2, 0)]), "touches row 2, column 0, outside its board of 2 rows and 3 columns"),
        (("take", [(0, 3)]), "touches row 0, column 3, outside"),
        (("take", [(0, 0), (-1, 0)]), "touches row -1, column 0, outside"),
    ],
)
def test_a_wrong_path_is_told(path: object, message: str) -> None:
    with pytest.raises(athenan.Error, match=message):
        game_from_rules(Pointed(path)).initial_state().move_path(1)


def test_the_defaults_of_the_base_class_make_a_whole_game() -> None:
    game = game_from_rules(Countdown(heap=5))
    state = game.initial_state()
    assert state.position == "05 @0"
    assert game.parse_position("02 @3").legal_move_strings() == ["1", "2"]
    assert game.symmetries == 1
    assert state.transform(0) == state
    assert game.perft(5) == 1
    assert sum(game.perft(depth) > 0 for depth in range(1, 9)) == 5
    assert state.playouts(10).first_wins == 10
    for text in ("zz", "0505", ""):
        with pytest.raises(PositionError):
            game.parse_position(text)
    assert state.score is None
    with pytest.raises(PositionError, match="Countdown has no"):
        state.pieces(0)


def test_a_game_without_a_file_is_pickled_with_its_rules() -> None:
    state = game_from_rules(Countdown(heap=5)).initial_state().play(2)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.position == "03 @1"


def test_options_reach_the_constructor(tmp_path: Path) -> None:
    file = write_game(
        tmp_path / "heap.py", f"from {__name__} import Countdown\nclass Heap(Countdown): pass\n"
    )
    game = athenan.make_game(file, heap=7)
    assert game.id == f"{file}:heap=7"
    assert game.initial_state().position == "07 @0"
    assert athenan.make_game(game.id) == game
    assert pickle.loads(pickle.dumps(game)) == game
    with pytest.raises(ParameterError, match="has no option 'size=3'; it takes heap"):
        athenan.make_game(file, size=3)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "exactly one subclass of Rules or SimpleRules, not 0"),
        ("class A(Rules): pass\n", "the class A lacks apply, datasheet, encode, initial"),
        ("1 / 0\n", "cannot be loaded: ZeroDivisionError: division by zero "),
        ("def (\n", "cannot be loaded: "),
    ],
)
def test_files_that_are_no_games_are_refused(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        athenan.make_game(write_game(tmp_path / "wrong.py", body))


def test_a_file_whose_first_run_was_interrupted_is_run_again(tmp_path: Path) -> None:
    file = write_game(tmp_path / "slow.py", "raise KeyboardInterrupt\n")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            athenan.make_game(file)


class Wrong(Countdown):
    """Countdown whose author made one mistake: what a method returns, or raises."""

    def __init__(self, method: str, mistake: object) -> None:
        super().__init__()
        if not isinstance(mistake, Exception):
            setattr(self, method, lambda *_: mistake)
        else:
            setattr(self, method, lambda *_: raise_(mistake))


def raise_(problem: Exception) -> None:
    raise problem


def start_of(method: str, mistake: object) -> athenan.State:
    return game_from_rules(Wrong(method, mistake)).initial_state()


def test_an_exception_of_the_author_comes_through() -> None:
    state = start_of("apply", RuntimeError("the author's own words"))
    for attempt in (
        lambda: state.play(1),
        state.children,
        lambda: state.perft(2),
        lambda: state.playouts(4, threads=2),
        lambda: state.game.expand([state]),
    ):
        with pytest.raises(RuntimeError, match="the author's own words"):
            attempt()


@pytest.mark.parametrize(
    ("method", "mistake", "attempt", "message"),
    [
        ("apply", np.zeros(2, np.uint8), lambda state: state.play(1), "2 bytes instead of 1"),
        ("encode", np.zeros(2, np.uint8), lambda state: state.encode(), r"\[2\] instead of"),
        ("moves", [], lambda state: state.play(1), "no legal move"),
        ("moves", [], lambda state: state.parse_move("1"), "no legal move"),
        ("moves", [], lambda state: state.playouts(1), "no legal move"),
        ("moves", [3], lambda state: state.legal_moves(), "number 3"),
        ("moves", [3], lambda state: state.playouts(1), "number 3"),
        ("result", 7, lambda state: state.outcome, "result"),
        ("to_move", 5, lambda state: state.to_move, "returned 5 instead of 0"),
    ],
)
def test_a_mistake_of_the_author_is_told(
    method: str, mistake: object, attempt: Callable[[athenan.State], object], message: str
) -> None:
    with pytest.raises(athenan.Error, match=message) as told:
        attempt(start_of(method, mistake))
    assert "Countdown" in str(told.value)


class Described(Countdown):
    """Countdown with any datasheet."""

    def __init__(self, sheet: Datasheet) -> None:
        super().__init__()
        self.sheet = sheet

    def datasheet(self) -> Datasheet:
        return self.sheet


def test_an_impossible_datasheet_is_told() -> None:
    for heap, players, message in ((0, 1, "max_length"), (3, 3, "number of players")):
        sheet = Datasheet(
            title="Wrong",
            rows=1,
            columns=1,
            planes=["a"],
            move_count=1,
            max_length=heap,
            players=players,
        )
        with pytest.raises(ParameterError, match=message):
            game_from_rules(Described(sheet))


class SwappingCountdown(Countdown):
    """Two players count down; the second may take over the first move."""

    offers_swap = True

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Countdown", rows=1, columns=1, planes=["heap"], move_count=3, max_length=9
        )

    def initial(self) -> StateBytes:
        return np.array([self.heap, 0], np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state[1])

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        return np.array([state[0] - move, 1 - state[1]], np.uint8)

    def encode(self, state: StateBytes) -> NDArray[np.uint8]:
        return state[:1].reshape(1, 1, 1)

    def swap_sides(self, state: StateBytes) -> StateBytes:
        return np.array([state[0], 1 - state[1]], np.uint8)


def test_the_swap_rule_is_at_the_disposal_of_python_games() -> None:
    state = game_from_rules(SwappingCountdown(heap=5)).initial_state()
    assert state.legal_move_strings() == ["1", "2"]
    state = state.play("1")
    assert state.legal_move_strings() == ["1", "2", "swap"]
    state = state.play("swap")
    assert (state.ply, state.to_move, state.position) == (2, 0, "0400 @2")
    assert state.depth == 2  # the board does not show the swap
    assert state.legal_move_strings() == ["1", "2"]
    assert state.game.perft(2) == 6
    assert sum(outcomes(state.game)) == 200


class CountedCountdown(SwappingCountdown):
    """The same with a state that shows the ply and the swap."""

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Countdown",
            rows=1,
            columns=1,
            planes=["heap"],
            move_count=3,
            max_length=9,
            board_determines_ply=True,
        )

    def initial(self) -> StateBytes:
        return np.array([self.heap, 0, 0, 0], np.uint8)

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        return np.array([state[0] - move, 1 - state[1], state[2] + 1, state[3]], np.uint8)

    def ply_of(self, state: StateBytes) -> int:
        return int(state[2])

    def swap_sides(self, state: StateBytes) -> StateBytes:
        return np.array([state[0], 1 - state[1], 2, 1], np.uint8)

    def swapped(self, state: StateBytes) -> bool:
        return bool(state[3])


def test_the_swap_is_no_depth_where_the_board_shows_it() -> None:
    start = game_from_rules(CountedCountdown(heap=2)).initial_state()
    # P = 8 moves on the board; both matches put two of them.
    for moves, depth in ((("1", "swap", "1"), 2), (("1", "1"), 2)):
        state = start
        for move in moves:
            state = state.play(move)
        assert (state.is_terminal, state.ply, state.depth) == (True, len(moves), depth)
        assert abs(ref.ADDITIVE_DEPTH(state)) == 7


def outcomes(game: athenan.Game) -> tuple[int, int, int]:
    tally = game.initial_state().playouts(200, seed=1, threads=2)
    return tally.first_wins, tally.draws, tally.second_wins
