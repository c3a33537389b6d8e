"""An evaluator that many threads share: the right answers, in few batches."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import athenan
import numpy as np
import pytest
from athenan import SearchSpec
from athenan.arena import Conditions, SearchPlayerSpec, TimeControl, play_matches, player
from athenan.arena.sharing import SharedEvaluator
from athenan.evaluators import Evaluation, Evaluator, LegalMoves, Planes, hash_evaluator
from troublesome import TroubleSpec

HEX = athenan.make_game("hex:size=4")


class Counting(Evaluator):
    """Hash values, slowly; it refuses to be used by two threads at a time."""

    def __init__(self) -> None:
        self._values = hash_evaluator(3)
        self._busy = threading.Lock()
        self.batches: list[int] = []
        self.closed = False

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        assert moves is None
        assert self._busy.acquire(blocking=False)
        time.sleep(0.005)
        self.batches.append(len(planes))
        self._busy.release()
        return self._values.evaluate(planes)

    def close(self) -> None:
        self.closed = True


def test_every_thread_gets_its_own_answers() -> None:
    random = np.random.default_rng(1)
    asked = [random.integers(0, 2, (1 + n % 5, 3, 4, 4), np.int8) for n in range(200)]
    counting = Counting()
    with SharedEvaluator(counting) as shared, ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(shared, asked))
    plain = hash_evaluator(3)
    for planes, values in zip(asked, answers, strict=True):
        assert values.tolist() == plain(planes).tolist()
    assert sum(counting.batches) == sum(map(len, asked))
    assert counting.closed


def test_who_asks_meanwhile_shares_the_next_batch() -> None:
    class Patient(Counting):
        """Ends its first batch when seven more have asked."""

        def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
            while not self.batches and shared.waiting < 7:
                time.sleep(0.001)
            return super().evaluate(planes, moves)

    asked = [np.full((2, 3, 4, 4), number, np.int8) for number in range(8)]
    patient = Patient()
    with SharedEvaluator(patient) as shared, ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(shared, asked))
    assert [each.tolist() for each in answers] == [hash_evaluator(3)(p).tolist() for p in asked]
    assert patient.batches == [2, 14]


def test_a_failure_reaches_everybody_who_waits() -> None:
    class Failing(Counting):
        def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
            super().evaluate(planes, moves)
            raise athenan.Error("out of order")

    def ask(shared: SharedEvaluator) -> str:
        with pytest.raises(athenan.Error) as caught:
            shared(np.zeros((1, 3, 4, 4), np.int8))
        return str(caught.value)

    with SharedEvaluator(Failing()) as shared, ThreadPoolExecutor(4) as threads:
        assert set(threads.map(ask, [shared] * 20)) == {"out of order"}


def test_matches_beside_other_players_share_one_evaluator() -> None:
    made: list[Counting] = []

    def make(_threads: int) -> Counting:
        made.append(Counting())
        return made[-1]

    ours = SearchPlayerSpec("ours", SearchSpec("ubfm:expansions=3"), make)
    alone = list(play_matches(HEX, ours, TroubleSpec("none"), 12, workers=1))
    together = list(play_matches(HEX, ours, TroubleSpec("none"), 12, workers=6))
    assert len(made) == 2  # one for each series, whatever the workers
    assert all(each.closed for each in made)
    assert sorted(match.moves for match in alone) == sorted(match.moves for match in together)
    assert len(made[1].batches) <= len(made[0].batches)


def test_clocks_forbid_sharing() -> None:
    made: list[Counting] = []

    def make(_threads: int) -> Counting:
        made.append(Counting())
        return made[-1]

    ours = SearchPlayerSpec("ours", SearchSpec("ubfm"), make)
    conditions = Conditions(TimeControl.parse("move=0.02"))
    pair = ours, player("random", HEX)
    assert len(list(play_matches(HEX, *pair, 4, workers=2, conditions=conditions))) == 4
    assert len(made) == 2
