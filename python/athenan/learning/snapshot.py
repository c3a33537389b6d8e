"""Everything of a learning process that a resumed one needs: arrays, and plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from athenan.learning.counters import Counters
from athenan.learning.replay import Arrays

if TYPE_CHECKING:
    from athenan.learning.training import Training

Snapshot = tuple[Arrays, dict[str, Any]]


def capture(training: Training) -> Snapshot:
    """Return the snapshot of a process that is between two learning phases.

    All of it is copied: the process goes on while a checkpoint is written.
    """
    arrays: Arrays = {
        f"network.{name}": value.detach().cpu().numpy().copy()
        for name, value in training.network.state_dict().items()
    }
    arrays |= {f"adam.{name}": value for name, value in training.study.learner.arrays().items()}
    arrays |= {f"replay.{name}": value for name, value in training.study.memory.arrays().items()}
    if training.resolved is not None:
        keys, values, completions = training.resolved.arrays()
        arrays |= {"resolved.keys": keys, "resolved.values": values}
        arrays["resolved.completions"] = completions
    return arrays, {
        "counters": asdict(training.counters),
        "random": training.study.random.bit_generator.state,
    }


def restore(training: Training, arrays: Arrays, values: dict[str, Any]) -> None:
    """Give a process that has not begun what the snapshot holds; a light one has no replay."""
    training.counters = Counters(**values["counters"])
    training.study.random.bit_generator.state = values["random"]
    weights = {n: torch.from_numpy(np.array(a)) for n, a in _part(arrays, "network.").items()}
    training.network.load_state_dict(weights)
    training.study.learner.restore(_part(arrays, "adam."))
    if replay := _part(arrays, "replay."):
        training.study.memory.restore(replay)
    if training.resolved is not None and "resolved.keys" in arrays:
        training.resolved.load(
            np.asarray(arrays["resolved.keys"], np.uint64),
            np.asarray(arrays["resolved.values"], np.float32),
            np.asarray(arrays["resolved.completions"], np.int8),
        )


def _part(arrays: Arrays, prefix: str) -> Arrays:
    return {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}
