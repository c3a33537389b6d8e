"""A second network: two play against each other, and each learns from its own searches.

A perspective of the paper: it might keep a process out of local optima. The first network is the
model; the second one has the same settings and other initial weights. Every second match begins
with the other one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from athenan._core import MatchRecord, Stop, Stopped
from athenan.files import Arrays
from athenan.learning.concurrency import Plan
from athenan.learning.learner import PhaseReport
from athenan.learning.settings import Config
from athenan.learning.study import Study
from athenan.learning.table import Data
from athenan.networks import build_network
from athenan.networks.network import Network

PREFIX = "rival."  # of its arrays in a checkpoint
SEED = 5  # what its own seed is drawn for


class Rival:
    """The second network, what it has learned, and who evaluates for it in self-play."""

    def __init__(self, config: Config, plan: Plan, stop: Stop, *, plays_here: bool) -> None:
        seed = int(np.random.SeedSequence([config.seed, SEED]).generate_state(1)[0])
        selfplay = config.selfplay.model_copy(update={"resolved_memory": False})
        own = config.model_copy(update={"seed": seed, "selfplay": selfplay})
        self.network = build_network(config.network, plan.game, seed)
        self.evaluator = plan.evaluator(self.network, config.hardware) if plays_here else None
        precision = self.evaluator.precision if self.evaluator else "float32"
        self.study = Study(own, plan, self.network, stop, precision)
        self._averaged = config.selfplay.averaged

    @property
    def selfplay_network(self) -> Network:
        """The network whose weights self-play takes."""
        return (self.study.average if self._averaged else None) or self.network

    def learn(self, record: MatchRecord, progress: float) -> tuple[int, PhaseReport]:
        """Make its phase of a match."""
        return self.study.learn_match(Data(*record.targets_of(1)), progress)

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """Return everything that a resumed process needs: arrays, and plain values."""
        arrays = {PREFIX + name: array for name, array in self.study.arrays().items()}
        return arrays, {"rival_random": self.study.random.bit_generator.state}

    def restore(self, arrays: Arrays, values: dict[str, Any]) -> None:
        """Become what `state` described."""
        self.study.random.bit_generator.state = values["rival_random"]
        self.study.restore({name.removeprefix(PREFIX): a for name, a in arrays.items()})

    def close(self) -> None:
        """Give everything back."""
        self.study.learner.close()
        if self.evaluator is not None:
            self.evaluator.close()


@contextmanager
def second_after(first: Study) -> Iterator[None]:
    """Let the second network learn what the first one has; if it is stopped, neither counts."""
    try:
        yield
    except Stopped:
        first.was_cut = True
        raise


def learn_both(
    study: Study, rival: Rival, record: MatchRecord, progress: float
) -> tuple[int, PhaseReport]:
    """Make the phases of both networks; return the pairs, and the report, of both together."""
    ours, mine = study.learn_match(Data(*record.targets_of(0)), progress)
    with second_after(study):
        theirs, other = rival.learn(record, progress)
    samples = mine.samples + other.samples
    loss = (mine.loss * mine.samples + other.loss * other.samples) / max(1, samples)
    both = replace(
        mine, samples=samples, minibatches=mine.minibatches + other.minibatches, loss=loss
    )
    return ours + theirs, both


def split(arrays: Arrays) -> tuple[Arrays, Arrays]:
    """Part the arrays of a checkpoint into those of the first network and those of the second."""
    second = {name: array for name, array in arrays.items() if name.startswith(PREFIX)}
    return {name: array for name, array in arrays.items() if name not in second}, second
