"""What tests of the learning process look at."""

from __future__ import annotations

from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from sources import Watched


def matches_of(training: Training) -> list[MatchLearned]:
    return [event for event in training.events() if isinstance(event, MatchLearned)]


def watched(training: Training, weights_cost: float = 0.0) -> Watched:
    """Let a training have its own source, watched."""
    training.source = source = Watched(training.local_source(), weights_cost)
    source.matches_learned = lambda: training.counters.matches
    return source
