"""Evaluators without a network, and plain functions as evaluators."""

import athenan
import numpy as np
import pytest
from athenan.evaluators import (
    Evaluation,
    Evaluator,
    LegalMoves,
    Planes,
    as_evaluator,
    constant_evaluator,
    hash_evaluator,
)
from evaluators.samples import random_moves

PLANES = np.zeros((3, 2, 4, 4), np.int8)


def test_the_constant_one_gives_every_move_its_value() -> None:
    moves = random_moves(3, 2, 16)
    with constant_evaluator(0.25) as evaluator:
        assert (evaluator.has_policy, evaluator.device) == (True, "cpu")
        assert evaluator(PLANES).tolist() == [0.25] * 3
        assert evaluator.evaluate(PLANES).logits is None
        values, logits = evaluator.evaluate(PLANES, moves)
    assert values.tolist() == [0.25] * 3
    assert logits is not None
    assert logits.dtype == np.float32
    assert logits.tolist() == [0.25] * len(moves.numbers)


def test_hashes_depend_on_the_state_and_the_seed() -> None:
    planes = PLANES.copy()
    planes[1, 0, 0, 0] = 1
    values = hash_evaluator(1)(planes)
    assert values.dtype == np.float32
    assert values[0] == values[2] != values[1]
    assert hash_evaluator(2)(planes)[0] != values[0]


def test_moves_are_refused_without_a_policy() -> None:
    for evaluator in (
        hash_evaluator(),
        as_evaluator(lambda planes: np.zeros(len(planes), np.float32)),
    ):
        assert not evaluator.has_policy
        with pytest.raises(athenan.Error) as refusal:
            evaluator.evaluate(PLANES, random_moves(3, 1, 16))
        assert str(refusal.value) == (
            "the evaluator has no policy: it gives values to states, not to moves"
        )


def test_moves_of_other_states_are_refused() -> None:
    with pytest.raises(athenan.Error, match="the moves are those of 2 states, not of 3"):
        constant_evaluator().evaluate(PLANES, random_moves(2, 1, 16))


def test_a_function_becomes_an_evaluator() -> None:
    evaluator = as_evaluator(lambda planes: [0.5] * len(planes))  # type: ignore[arg-type,return-value]
    assert isinstance(evaluator, Evaluator)
    assert (evaluator.device, evaluator.best_batch) == ("cpu", 512)
    answer = evaluator.evaluate(PLANES)
    assert answer.values.dtype == np.float32
    assert answer.values.tolist() == [0.5] * 3
    assert answer.logits is None
    assert as_evaluator(evaluator) is evaluator


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.zeros(2), r"one value per state, 3 in all, not an array of shape \[2\]"),
        (0.0, r"not an array of shape \[\]"),
        ((np.zeros(3), np.zeros((3, 9))), "an array of values, not tuple"),
        (None, "not an array of shape|not NoneType"),
        ("no", "an array of values, not str"),
    ],
)
def test_a_function_that_returns_something_else_is_refused(answer: object, said: str) -> None:
    with pytest.raises(athenan.Error, match=said):
        as_evaluator(lambda _: answer)(PLANES)  # type: ignore[arg-type,return-value]


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(athenan.Error, match=r"an evaluator or a function .*, not str"):
        as_evaluator("network")  # type: ignore[arg-type]


def test_an_evaluator_needs_one_method() -> None:
    class Ones(Evaluator):
        def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
            self._check_moves(len(planes), moves)
            return Evaluation(np.ones(len(planes), np.float32))

    assert Ones()(PLANES).tolist() == [1, 1, 1]
    with pytest.raises(athenan.Error, match="has no policy"):
        Ones().evaluate(PLANES, random_moves(3, 1, 16))
