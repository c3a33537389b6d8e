"""Waiting for the engine in such a way that Ctrl-C is heard."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


def patiently(work: Callable[[], Answer]) -> Answer:
    """Return what `work` returns, from a thread of its own: the engine does not look for Ctrl-C.

    After a KeyboardInterrupt the work goes on unseen; only the end of the process stops it.
    """
    answers: list[Answer] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as problem:
            failures.append(problem)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(0.1)
    if failures:
        raise failures[0]
    return answers[0]
