"""A line of metrics of a training with workers, as the training writes it."""

from __future__ import annotations

from collections import Counter

from athenan.learning.events import MatchLearned, Standing
from athenan.runs.metrics import Period
from athenan.selfplay.source import WorkerState
from athenan.selfplay.work import Work


def standing(seconds: float, evaluations: int, count: int = 2) -> Standing:
    workers = tuple(
        WorkerState(f"worker {n + 1}", "here cpu", n != 1, evaluations * (n + 1), 3 + n, 4, 2, n)
        for n in range(count)
    )
    work = Work(evaluations, 1, Counter({1: 1}))
    return Standing(seconds, 0.0, 1, 8, work, 5, workers, "http://127.0.0.1:8265")


def line_of(count: int = 2) -> dict[str, object]:
    at = standing(3.0, 700, count)
    match = MatchLearned(
        at=at,
        length=9,
        outcome=1,
        expansions=5,
        evaluations=40,
        generated=10,
        learned=20,
        loss=0.5,
        start_value=0.1,
        memory_full=0,
        learning_seconds=0.1,
    )
    return Period(standing(1.0, 100, count), [match]).line()
