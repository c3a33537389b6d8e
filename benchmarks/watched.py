"""A training and an evaluator that are watched at work, for `selfplay.py`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from athenan._core import MatchRecord
from athenan.learning.events import MatchLearned
from athenan.learning.settings import Config
from athenan.learning.training import Training
from athenan.selfplay.openings import random_opening

LOOK_AT = 16  # duplicates are counted in one batch of so many


class Watched(Training):
    """A training whose first matches begin in the middle, as if it had run for long."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.learning_seconds = 0.0

    def opening(self, index: int) -> Sequence[int]:
        return random_opening(self.game, self.typical_length, index) if index < self.slots else ()

    def first_matches(self) -> int:
        return self.slots

    @cached_property
    def typical_length(self) -> int:
        tally = self.game.initial_state().playouts(64, seed=1)
        return int(0.9 * tally.plies / 64)

    def _phase(self, record: MatchRecord) -> MatchLearned:
        start = time.perf_counter()
        learned = super()._phase(record)
        threads = self.learner.threads if self.device.type == "cpu" else 1
        self.learning_seconds += threads * (time.perf_counter() - start)
        return learned


class Duplicates:
    """An evaluator that counts equal states, in some of the batches."""

    def __init__(self, evaluator: Any) -> None:
        self.evaluator = evaluator
        self.batches = self.states = self.distinct = 0

    def __call__(self, planes: Any) -> Any:
        self.look(planes)
        return self.evaluator(planes)

    def submit(self, planes: Any) -> Any:
        self.look(planes)
        return self.evaluator.submit(planes)

    def on_this_thread(self, planes: Any) -> Any:
        self.look(planes)
        return self.evaluator.on_this_thread(planes)

    def look(self, planes: Any) -> None:
        self.batches += 1
        if self.batches % LOOK_AT == 0:
            self.states += len(planes)
            self.distinct += len({plane.tobytes() for plane in planes})

    @property
    def share(self) -> float:
        return 1 - self.distinct / max(self.states, 1)
