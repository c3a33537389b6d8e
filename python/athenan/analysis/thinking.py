"""Many searches that think together: the states of all of them are evaluated in one batch.

A search never notices the others: without a clock each finds what it would have found alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from athenan._core import Error, Search, SearchSpec, State, Stop
from athenan.analysis import prover
from athenan.analysis.judgement import Judgement, Work, judged, judged_end
from athenan.analysis.prover import Proofs
from athenan.evaluators import Evaluation, Evaluator
from athenan.evaluators.evaluator import LegalMoves
from athenan.searches import within_memory

SLICE = 0.01  # seconds of a search that asks for no values, before others have their turn


@dataclass(frozen=True)
class JoinedMoves:
    """The legal moves of several batches, one after the other."""

    offsets: NDArray[np.int64]
    numbers: NDArray[np.uint32]
    kinds: NDArray[np.uint8]
    cells: NDArray[np.int16]

    @classmethod
    def of(cls, parts: Sequence[LegalMoves]) -> JoinedMoves:
        """Join batches."""
        counts = np.concatenate([np.diff(part.offsets) for part in parts])
        return cls(
            np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)]),
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.kinds for part in parts]),
            np.concatenate([part.cells for part in parts]),
        )


class Thinking:
    """One search at work on one position."""

    def __init__(self, state: State, spec: SearchSpec, seed: int = 0) -> None:
        self.state = state
        self.is_over = state.is_terminal
        self._search = None if self.is_over else Search(state.game, within_memory(spec), seed)
        self._terminal = str(spec.options["terminal"])
        self._proofs: Proofs | None = None
        self._stop = Stop()
        self._started = perf_counter()
        self._begun = False
        self.planes: NDArray[np.int8] | None = None
        """The states that wait for values."""

    @property
    def moves(self) -> LegalMoves | None:
        """The legal moves of the waiting states, if the search wants a policy."""
        return self._searching.waiting_moves

    @property
    def _searching(self) -> Search:
        assert self._search is not None
        return self._search

    def advance(self) -> None:
        """Work until values are needed, until the end of a slice, or to the end."""
        if self.is_over:
            return
        search = self._searching
        if not self._begun:
            search.begin(self.state)
            self._begun = True
        self.planes = search.advance(self._stop, SLICE)
        if not search.is_over:
            return
        if not self._stop.requested and prover.is_needed(search.spec, self.state):
            self._proofs = prover.proofs_of(self.state, self._stop)
        self.is_over = True

    def receive(self, answer: Evaluation) -> None:
        """Take the values of the waiting states."""
        self.planes = None
        self._searching.receive(*answer)

    def end(self) -> None:
        """Give up what is left of the budget: it is over soon, with a move. Any thread may ask."""
        self._stop.request()

    def judgement(self) -> Judgement | None:
        """Return what was found out so far; None as long as that is nothing."""
        if self._search is None:
            return judged_end(self.state, self._terminal)
        if not self._begun:
            return None
        try:
            found = judged(self.state, self._searching, self._work(), ended=self.is_over)
        except Error:  # it knows no moves yet
            return None
        return found if self._proofs is None else prover.with_proofs(found, self._proofs)

    def _work(self) -> Work:
        spent = self._searching.spent
        return Work(spent.expansions, spent.evaluations, perf_counter() - self._started)


def step(thinkers: Sequence[Thinking], evaluator: Evaluator) -> None:
    """Let each search work until it needs values, and give all of them theirs."""
    for each in thinkers:
        each.advance()
    give_values([each for each in thinkers if each.planes is not None], evaluator)


def give_values(waiting: Sequence[Thinking], evaluator: Evaluator) -> None:
    """Evaluate all waiting states, those of the same shape in one batch."""
    batches: dict[tuple[bool, tuple[int, ...]], list[Thinking]] = {}
    for each in waiting:
        assert each.planes is not None
        kind = each.moves is not None, each.planes.shape[1:]
        batches.setdefault(kind, []).append(each)
    for (with_policy, _), asking in batches.items():
        _evaluate(asking, evaluator, with_policy)


def _evaluate(asking: Sequence[Thinking], evaluator: Evaluator, with_policy: bool) -> None:
    planes = [each.planes for each in asking if each.planes is not None]
    moves = [each.moves for each in asking if each.moves is not None]
    answer = evaluator.evaluate(
        np.concatenate(planes) if len(planes) > 1 else planes[0],
        JoinedMoves.of(moves) if with_policy else None,
    )
    state = move = 0
    for number, each in enumerate(asking):
        states = len(planes[number])
        values = answer.values[state : state + states]
        state += states
        if answer.logits is None:
            each.receive(Evaluation(values))
        else:
            count = len(moves[number].numbers)
            each.receive(Evaluation(values, answer.logits[move : move + count]))
            move += count
