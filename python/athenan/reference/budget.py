"""How long a search may think: the τ of the paper, also in units that do not depend on hardware."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic, thread_time

from athenan._core import ParameterError


@dataclass(frozen=True)
class Budget:
    """Limits of one search, looked at before each iteration; whichever is reached first ends it.

    Without any limit the search goes on until it has nothing left to find.
    """

    iterations: int | None = None
    expansions: int | None = None
    evaluations: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    """Of the processor, on the thread that searches."""

    def __post_init__(self) -> None:
        """Refuse limits that leave nothing to do."""
        for name, limit in vars(self).items():
            if limit is not None and limit <= 0:
                raise ParameterError(f"a budget of {name} must be above 0, not {limit}")


@dataclass
class Spent:
    """What one search has used so far."""

    iterations: int = 0
    expansions: int = 0
    evaluations: int = 0
    started: float = field(default_factory=monotonic)
    cpu_started: float = field(default_factory=thread_time)

    def reaches(self, budget: Budget) -> bool:
        """Return whether a limit is reached."""
        used: dict[str, float] = {
            "iterations": self.iterations,
            "expansions": self.expansions,
            "evaluations": self.evaluations,
            "seconds": monotonic() - self.started,
            "cpu_seconds": thread_time() - self.cpu_started,
        }
        limits: dict[str, float | None] = vars(budget)
        return any(limit is not None and used[name] >= limit for name, limit in limits.items())
