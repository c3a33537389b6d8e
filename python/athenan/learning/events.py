"""What a learning process reports. Displays, metrics and checkpoints listen; none lives inside."""

from __future__ import annotations

from dataclasses import dataclass

from athenan.selfplay.source import WorkerState
from athenan.selfplay.work import Work


@dataclass(frozen=True)
class Standing:
    """Where a process stood when something happened."""

    seconds: float
    """Of training, earlier sessions included."""
    progress: float
    """t / t_max; 0 for a process without an end."""
    matches: int
    """Learned so far."""
    playing: int
    """Matches under way."""
    work: Work
    """Of self-play, in this session."""
    waiting: int = 0
    """Matches that ended and wait to be learned."""
    workers: tuple[WorkerState, ...] = ()
    """Of self-play beyond this process."""
    dashboard: str = ""
    """The address of a page about their machines."""


@dataclass(frozen=True)
class Sized:
    """The number of matches at a time was chosen by measurement."""

    at: Standing
    first: int
    """At the start; `concurrency` if learning keeps up."""
    concurrency: int
    states_per_second: float
    backend: str
    """What runs the network."""


@dataclass(frozen=True)
class Preparing:
    """Something begins that takes a while, and comes before the matches."""

    at: Standing
    what: str


@dataclass(frozen=True)
class Playing:
    """Matches are being played, and none has ended for a moment."""

    at: Standing


@dataclass(frozen=True)
class Evaluating:
    """Some of the matches of an evaluation have been played."""

    at: Standing
    played: int
    total: int


@dataclass(frozen=True)
class Pretrained:
    """A part of the pre-training on final states of random matches is done."""

    at: Standing
    learned: int
    total: int
    loss: float


@dataclass(frozen=True)
class MatchLearned:
    """A match has ended and its learning phase is done; it is counted in `at`."""

    at: Standing
    length: int
    outcome: int
    expansions: int
    evaluations: int
    generated: int
    """Pairs that the match gave, symmetric copies included."""
    learned: int
    """Pairs learned in the phase."""
    loss: float
    """Of the values."""
    start_value: float
    """v of the match's first state."""
    memory_full: int
    """Searches ended by the memory cap of their tree."""
    learning_seconds: float
    """Of the phase, summed over the threads that worked on it."""
    move_loss: float | None = None
    """Of what is learned of moves, where it is."""


@dataclass(frozen=True)
class AtRest:
    """No match is in progress: a checkpoint taken now resumes bit for bit."""

    at: Standing


Event = Preparing | Sized | Pretrained | Playing | MatchLearned | AtRest | Evaluating
