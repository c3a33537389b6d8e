"""Checkpoints: files that were changed inside and sealed again.

One is refused when it is read or taken up, or the run goes on from it.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from athenan import Error
from athenan.files import Arrays, write_sealed
from athenan.learning.concurrency import Plan
from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from athenan.runs.checkpoint import KIND, VERSION, latest_readable, read_checkpoint
from fuzz.choices import Choices, damaged, damaged_arrays
from fuzz.material import check_sentence, folder
from fuzz.material import run as small_run

REFUSALS = (RuntimeError, LookupError, TypeError, ValueError, OverflowError)
"""What a session turns into the sentence that the checkpoint does not fit the settings."""


@cache
def whole() -> tuple[Arrays, dict[str, Any]]:
    """Return what a checkpoint holds."""
    _, arrays, values = latest_readable(small_run().checkpoints)
    return arrays, values


@cache
def plan() -> Plan:
    """Decide once how matches are played."""
    return Plan.of(small_run().config())


def seeds() -> list[bytes]:
    """Return inputs to begin with."""
    return [bytes([a, b, c, 1]) + bytes(9) for a in range(4) for b in range(9) for c in range(8)]


def go_on(arrays: Arrays, values: dict[str, Any]) -> None:
    """Take up a checkpoint, and learn one match if it is accepted."""
    config = small_run().config()
    training = Training(config.model_copy(update={"stop": config.stop.__class__()}), plan=plan())
    try:
        try:
            training.restore(arrays, values)
        except REFUSALS:
            return
        with suppress(Error):  # as for weights that are no numbers
            for event in training.events():
                if isinstance(event, MatchLearned):
                    return
    finally:
        training.close()


def run(data: bytes) -> None:
    """Read a changed checkpoint."""
    choices, path = Choices(data), folder() / "checkpoint.safetensors"
    arrays, values = whole()
    arrays, values = damaged_arrays(arrays, choices), damaged(values, choices)
    write_sealed(path, KIND, VERSION, arrays, values)
    try:
        arrays, values = read_checkpoint(path)
    except Error as refusal:
        check_sentence(refusal)
        return
    go_on(arrays, values)
