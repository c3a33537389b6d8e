"""One evaluator for many threads: what they ask at the same time becomes one batch."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from athenan._core import Error
from athenan.evaluators import Evaluation, Evaluator, LegalMoves, Planes

if TYPE_CHECKING:
    from athenan.networks.architecture import MoveAnswers


@dataclass
class _Question:
    planes: Planes
    answered: threading.Event = field(default_factory=threading.Event)
    answer: Evaluation | None = None
    problem: BaseException | None = None


class SharedEvaluator(Evaluator):
    """Lets any number of threads use one evaluator, whose batches hold what all of them ask.

    A thread that asks while no other evaluates takes everything that waits; the others wait for it.
    So there is no thread to start or to end, and a single thread pays next to nothing.

    >>> from athenan.evaluators import constant_evaluator
    >>> with SharedEvaluator(constant_evaluator(0.5)) as shared:
    ...     shared(np.zeros((2, 1, 3, 3), np.int8)).tolist()
    [0.5, 0.5]
    """

    is_divisible = False  # a piece waits for its turn as long as a whole batch does

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.device = evaluator.device
        self.is_steady = evaluator.is_steady
        self._waiting: list[_Question] = []
        self._guard = threading.Lock()  # of the list
        self._turn = threading.Lock()  # of the evaluator

    @property
    def has_policy(self) -> bool:
        """Can it give logits to moves?"""
        return self._evaluator.has_policy

    @property
    def says_of_moves(self) -> MoveAnswers:
        """What the numbers that it gives to moves are."""
        return self._evaluator.says_of_moves

    @property
    def best_batch(self) -> int:
        """The number of states in a batch beyond which its rate hardly grows."""
        return self._evaluator.best_batch

    @property
    def waiting(self) -> int:
        """How many have asked since the batch under way began."""
        with self._guard:
            return len(self._waiting)

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        """Return the values of the states; with moves the batch is not shared."""
        if moves is not None:
            with self._turn:
                return self._evaluator.evaluate(planes, moves)
        question = _Question(planes)
        with self._guard:
            self._waiting.append(question)
        with self._turn:
            if not question.answered.is_set():
                self._answer_all()
        if question.problem is not None:
            raise question.problem
        if question.answer is None:
            raise Error("the evaluator gave no answer")
        return question.answer

    def close(self) -> None:
        """Close the evaluator, after the batch under way."""
        with self._turn:
            self._evaluator.close()

    def _answer_all(self) -> None:
        """Evaluate everything that waits, as one batch."""
        with self._guard:
            questions, self._waiting = self._waiting, []
        try:
            values = self._evaluator.evaluate(_together(questions)).values
            start = 0
            for each in questions:
                each.answer = Evaluation(np.array(values[start : start + len(each.planes)]))
                start += len(each.planes)
        except BaseException as problem:
            for each in questions:
                each.problem = problem
        for each in questions:
            each.answered.set()


def _together(questions: list[_Question]) -> Planes:
    if len(questions) == 1:
        return questions[0].planes
    return np.concatenate([each.planes for each in questions])
