"""Rules that answer for many states at once say what rules for one state say, only faster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import athenan
import numpy as np
import pytest
from athenan import Datasheet, Error, game_from_rules
from athenan.games import ONGOING, BatchRules, Expanded, StateBytes, States
from athenan.games.check import check_game
from athenan.games.measure import random_turns

EXAMPLES = Path(__file__).parents[2] / "examples"
BATCH, SIMPLE = (str(EXAMPLES / f"{name}dots_and_boxes.py") for name in ("batch_", ""))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_batched_game_is_the_simple_game(size: int) -> None:
    batch, simple = (athenan.make_game(file, size=size) for file in (BATCH, SIMPLE))
    for depth in range(6 - size):
        assert batch.perft(depth) == simple.perft(depth)
    for turn in random_turns(simple, 2):
        state = batch.initial_state()
        for move in moves_to(turn.state):
            state = state.play(move)
        assert (state.to_move, state.score) == (turn.state.to_move, turn.state.score)
        assert state.legal_moves() == turn.moves
        planes, other = state.encode(), turn.state.encode()
        assert np.array_equal(planes[0], other[1])  # edges
        assert np.array_equal(planes[1], other[2])  # the first player's boxes


def moves_to(state: athenan.State) -> list[int]:
    """Return moves in the order that gives the same boxes to the same players, by search."""
    waiting: list[tuple[athenan.State, list[int]]] = [(state.game.initial_state(), [])]
    seen: set[int] = set()
    grid = state.position.split('"')[1]
    while waiting:
        at, moves = waiting.pop()
        if at == state:
            return moves
        if at.key in seen:
            continue
        seen.add(at.key)
        for move in at.legal_moves():
            child = at.play(move)
            if all(a in (".", b) for a, b in zip(child.position.split('"')[1], grid, strict=True)):
                waiting.append((child, [*moves, move]))
    raise AssertionError


def test_perft_from_the_middle_and_beyond_the_end() -> None:
    game = athenan.make_game(BATCH, size=1)
    state = game.initial_state().play(0)
    assert [state.perft(depth) for depth in range(6)] == [1, 3, 6, 6, 0, 0]
    for move in (1, 2, 3):
        state = state.play(move)
    assert state.is_terminal
    assert state.perft(1) == 0


def test_it_keeps_its_word_and_is_solved_alike() -> None:
    batch, simple = (athenan.make_game(file) for file in (BATCH, SIMPLE))
    assert [str(finding) for finding in check_game(batch, 4)] == []
    outcomes = [
        athenan.solve(game.initial_state().play(0).play(1).play(2)).proven_outcome
        for game in (batch, simple)
    ]
    assert outcomes[0] == outcomes[1]


class Line(BatchRules):
    """Two players fill three cells; one answer may be a lie."""

    def __init__(self, **lies: Any) -> None:
        for name, value in lies.items():
            setattr(self, name, value)

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Line", rows=1, columns=3, planes=["cells"], move_count=3, max_length=3
        )

    def initial(self) -> StateBytes:
        return np.zeros(3, np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state.sum()) % 2

    def result(self, state: StateBytes) -> int | None:
        return 1 if state.all() else None

    def expand_many(self, states: States) -> Expanded:
        parents, moves = np.nonzero(states == 0)
        children = states[parents]
        children[np.arange(len(moves)), moves] = 1
        return Expanded(parents, moves, children, np.where(children.all(1), 1, ONGOING))

    def encode_many(self, states: States) -> Any:
        return states.reshape(-1, 1, 1, 3)


def changed(**lies: Any) -> Any:
    return lambda states: (
        Line()
        .expand_many(states)
        ._replace(
            **{name: lie(getattr(Line().expand_many(states), name)) for name, lie in lies.items()}
        )
    )


LIES = {
    "too few moves": (changed(moves=lambda m: m[1:]), "arrays of the shapes"),
    "too long states": (changed(children=lambda c: c[:, :2]), "arrays of the shapes"),
    "no bytes": (changed(children=lambda c: c + 0.5), "integers from 0 to 255"),
    "no parents": (changed(parents=lambda p: p[::-1]), "in ascending order|arrays"),
    "no results": (changed(results=lambda r: r + 5), "a result that is none of"),
    "a move twice": (changed(moves=lambda m: m * 0), "twice instead of each move once"),
    "a move too large": (changed(moves=lambda m: m + 3), "below the move_count 3"),
    "nothing": (lambda _: None, "expand_many"),
}


@pytest.mark.parametrize("lie", LIES)
def test_wrong_batches_are_told(lie: str) -> None:
    answer, message = LIES[lie]
    state = game_from_rules(Line(expand_many=answer)).initial_state()
    if lie == "no parents":
        with pytest.raises(Error, match=message):
            Line(expand_many=answer).count_leaves(bytes(6)[:3], 3)
        return
    with pytest.raises(Error, match=message):
        athenan.search(state, athenan.hash_evaluator(), expansions=5)


@pytest.mark.parametrize(
    ("planes", "message"),
    [
        (lambda states: states * 0.5 + 0.25, "integers from -128 to 127"),
        (lambda states: states, "of the shape"),
        (lambda _: "planes", "encode_many"),
    ],
)
def test_wrong_planes_are_told(planes: Any, message: str) -> None:
    state = game_from_rules(Line(encode_many=planes)).initial_state()
    with pytest.raises(Error, match=message):
        state.game.encode(state.children())


def test_methods_that_disagree_are_found() -> None:
    game = game_from_rules(Line(result=lambda state: 0 if state[0] else None))
    assert "batches" in [finding.name for finding in check_game(game, 4)]
