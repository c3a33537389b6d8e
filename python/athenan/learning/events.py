"""What a learning process reports. Displays, metrics and checkpoints listen; none lives inside."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sized:
    """The number of matches at a time was chosen by measurement."""

    first: int
    """At the start; `matches` as learning follows."""
    matches: int
    states_per_second: float
    backend: str
    """What runs the network."""


@dataclass(frozen=True)
class Pretrained:
    """A part of the pre-training on final states of random matches is done."""

    learned: int
    total: int
    loss: float


@dataclass(frozen=True)
class MatchLearned:
    """A match has ended and its learning phase is done."""

    matches: int
    """Learned so far, this one included."""
    length: int
    outcome: int
    expansions: int
    evaluations: int
    generated: int
    """Pairs that the match gave, symmetric copies included."""
    learned: int
    """Pairs learned in the phase."""
    loss: float
    start_value: float
    """v of the match's first state."""
    trees_cut: int
    """Searches ended by the memory cap of their tree."""


@dataclass(frozen=True)
class AtRest:
    """No match is in progress: a checkpoint taken now resumes bit for bit."""

    matches: int


Event = Sized | Pretrained | MatchLearned | AtRest
