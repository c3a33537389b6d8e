"""Games written in Python that break their word: each lie ends in an exception that tells it."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Iterable
from typing import Any

import athenan
import numpy as np
import pytest
from athenan import Datasheet, Error, ParameterError, Rules, game_from_rules
from athenan.arena import play_matches, player
from athenan.games import StateBytes
from numpy.typing import NDArray

ALGORITHMS = ["descent", "ubfm", "ubfm-safe", "alphabeta", "uct", "mcts"]


class Walk(Rules):
    """Two players walk on a ring of cells; one who says to be acyclic goes round for ever."""

    def __init__(self, cells: int = 4, max_length: int = 60, **described: Any) -> None:
        self.cells = cells
        self.sheet = {"max_length": max_length, **described}

    def datasheet(self) -> Datasheet:
        described: dict[str, Any] = {
            "title": "Walk",
            "rows": 1,
            "columns": self.cells,
            "planes": ["place"],
            "move_count": 2,
        }
        return Datasheet(**{**described, **self.sheet})

    def initial(self) -> StateBytes:
        return np.zeros(2, np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state[1])

    def result(self, state: StateBytes) -> int | None:  # noqa: ARG002
        return None

    def moves(self, state: StateBytes) -> Iterable[int]:  # noqa: ARG002
        return [0, 1]

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        return np.array([(state[0] + move + 1) % self.cells, 1 - state[1]], np.uint8)

    def encode(self, state: StateBytes) -> NDArray[Any]:
        return np.array([[[place == state[0] for place in range(self.cells)]]])

    def score(self, state: StateBytes) -> float:
        return float(state[0])


def start(rules: Rules) -> athenan.State:
    return game_from_rules(rules).initial_state()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_cycle_that_is_not_declared_is_told(algorithm: str) -> None:
    with pytest.raises(Error, match="comes again, and its datasheet does not say that it is cyc"):
        athenan.search(start(Walk()), spec=f"{algorithm}:iterations=2000")
    result = athenan.search(start(Walk(max_length=6, cyclic=True)), spec=algorithm, iterations=300)
    assert result.best_move in (0, 1)


def test_matches_of_a_cycle_that_is_not_declared_end() -> None:
    state = start(Walk(max_length=40))
    assert state.playouts(3).draws == 3
    with pytest.raises(Error, match="comes again"):
        athenan.solve(state)
    anyone, thinker = (player(text, state.game) for text in ("random", "ubfm:expansions=3"))
    (match,) = play_matches(state.game, anyone, anyone, 1)
    assert match.outcome == 0
    with pytest.raises(Error, match="match 0 was given up: a position of Walk comes again"):
        list(play_matches(state.game, anyone, thinker, 1))


@pytest.mark.slow
def test_the_exact_value_of_a_game_without_end_is_refused() -> None:
    with pytest.raises(Error, match="for small games, and Walk is too large"):
        athenan._core.exact_value(start(Walk(max_length=50_000)))


class Liar(Walk):
    """A walk of at most four plies, of which one method lies."""

    def __init__(self, method: str = "", answer: Any = None, **described: Any) -> None:
        super().__init__(max_length=4, cyclic=True, **described)
        if method:
            setattr(self, method, answer if callable(answer) else lambda *_: answer)


def searched(state: athenan.State) -> object:
    return athenan.search(state, athenan.hash_evaluator(), "descent", iterations=5)


def played(state: athenan.State) -> object:
    a, b = (player(text, state.game) for text in ("ubfm:expansions=3", "random"))
    return list(play_matches(state.game, a, b, 2))


USES: list[Callable[[athenan.State], object]] = [
    searched,
    played,
    lambda state: state.perft(3),
    lambda state: state.playouts(4),
    lambda state: state.game.expand([state], 2),
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("moves", [0, 1, 0], "returned number 0 twice instead of each move once"),
        ("moves", [0, 2], "returned number 2 instead of numbers below the move_count 2"),
        ("moves", [-1], "instead of"),
        ("moves", [0.5], "it must be a list of the numbers of moves"),
        ("moves", 7, "it must be a list of the numbers of moves"),
        ("moves", [], "returned no legal move"),
        ("moves", lambda *_: itertools.count(), "a state has at most 1,000,000 moves"),
        ("moves", lambda *_: itertools.repeat(0), "a state has at most 1,000,000 moves"),
        ("result", 2, "returned 2 instead of"),
        ("result", 0.5, r"it must be \+1, 0, -1 or None"),
        ("result", "won", r"it must be \+1, 0, -1 or None"),
        ("to_move", 2, "returned 2 instead of 0 or 1"),
        ("to_move", None, "it must be 0 or 1"),
        ("apply", np.zeros(3, np.uint8), "a state of 3 bytes instead of 2"),
        ("apply", np.array([300, 0]), "integers from 0 to 255"),
        ("apply", np.array([0.5, 0]), "integers from 0 to 255"),
        ("apply", None, "returned None: it must be an array of integers from 0 to 255"),
    ],
)
def test_every_use_of_a_lying_game_tells_the_lie(
    method: str, answer: object, message: str, use: Callable[[athenan.State], object]
) -> None:
    state = start(Liar(method, answer))
    if method == "to_move" and use not in USES[:2]:
        with pytest.raises(Error, match=message):
            state.play(0)
        return
    with pytest.raises(Error, match=message) as told:
        use(state)
    assert f"the method {method} of Walk" in str(told.value)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros((1, 4, 1), np.int8), r"of the shape \[1, 4, 1\] instead of one of \[1, 1, 4\]"),
        (np.zeros(4, np.int8), r"of the shape \[4\] instead of"),
        (np.zeros((1, 1, 5), np.int8), r"of the shape \[1, 1, 5\] instead of"),
        (np.full((1, 1, 4), 128), "integers from -128 to 127"),
        (np.full((1, 1, 4), 0.5), "integers from -128 to 127"),
        (np.full((1, 1, 4), np.nan), "integers from -128 to 127"),
        ("planes", "returned 'planes': it must be an array of integers from -128 to 127"),
    ],
)
def test_wrong_planes_are_told(answer: object, message: str) -> None:
    state = start(Liar("encode", answer))
    uses: list[Callable[[athenan.State], object]] = [
        lambda state: state.encode(),
        lambda state: state.game.encode([state]),
        searched,
    ]
    for use in uses:
        with pytest.raises(Error, match=message) as told:
            use(state)
        assert "the method encode of Walk" in str(told.value)
        assert "for the state 0" in str(told.value)


@pytest.mark.parametrize("points", [float("nan"), float("inf"), 1e308, -1e308, "many"])
def test_a_score_is_a_finite_number_of_single_precision(points: object) -> None:
    rules = Liar("score", points, has_score=True, players=1)
    rules.__dict__["to_move"] = lambda _: 0
    state = start(rules)
    for use in (
        lambda: athenan.search(state, spec="descent:terminal=score", iterations=3),
        lambda: athenan._core.random_ends(state.game, "score", 3, 1),
    ):
        with pytest.raises(Error, match="finite number"):
            use()


def test_a_result_that_changes_is_told_or_does_no_harm() -> None:
    told = 0
    uses: list[Callable[[athenan.State], object]] = [*USES, lambda state: state.play(0), str]
    for period, use in itertools.product((2, 3, 5, 7), uses):
        calls = itertools.count()
        state = start(Liar("result", lambda _, c=calls, p=period: None if next(c) % p else 1))
        try:
            use(state)
        except Error:
            told += 1
    assert told > 3


METHODS = ["to_move", "result", "moves", "apply", "encode"]


@pytest.mark.parametrize("method", METHODS)
def test_the_authors_exception_keeps_its_traceback(method: str) -> None:
    def broken(*_: object) -> None:
        raise LookupError("the author's own words")

    state = start(Liar(method, broken))
    for use in (searched, played):
        with pytest.raises(LookupError, match="the author's own words") as told:
            use(state)
        frames = traceback.extract_tb(told.value.__traceback__)
        assert frames[-1].name == "broken"
        notes = " ".join(told.value.__notes__)
        assert f"in the method {method} of Walk, for the state 0" in notes
        assert use is searched or "match" in notes


@pytest.mark.parametrize(
    ("described", "message"),
    [
        ({"rows": 0}, "number of rows of Walk is 0; accepted is a number from 1"),
        ({"columns": -3}, "number of columns of Walk is -3"),
        ({"planes": []}, "number of planes of Walk is 0"),
        ({"move_count": 0}, "move_count of Walk is 0"),
        ({"symmetries": 0}, "number of symmetries of Walk is 0"),
        ({"max_length": 2**31 - 1}, "max_length of Walk is 2147483647"),
        ({"border": 1}, "border of Walk is 1"),
    ],
)
def test_an_impossible_datasheet_is_told(described: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        game_from_rules(Walk(**described))


def test_what_is_no_rules_object_is_told() -> None:
    with pytest.raises(ParameterError, match=r"subclass of athenan.Rules, not '42'"):
        athenan._core.make_python_game("game", "", 42)
    with pytest.raises(ParameterError, match="instead of a Datasheet"):
        game_from_rules(Liar("datasheet", "a page"))
    with pytest.raises(ParameterError, match="has no bytes"):
        game_from_rules(Liar("initial", np.empty(0, np.uint8)))
    with pytest.raises(ParameterError, match="has 2000000 bytes; accepted is at most 1000000"):
        game_from_rules(Liar("initial", np.zeros(2_000_000, np.uint8)))


def test_a_ply_out_of_range_is_told() -> None:
    for ply in (-1, 5):
        game = game_from_rules(Liar("ply_of", ply, board_determines_ply=True))
        with pytest.raises(athenan.PositionError, match=f"has the ply {ply}; accepted is"):
            game.parse_position("0000")
