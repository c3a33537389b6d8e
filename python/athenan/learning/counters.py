"""How far a learning process has come."""

from __future__ import annotations

from dataclasses import dataclass, field

from athenan._core import MatchRecord


@dataclass
class Counters:
    """How far the process has come: all of it is part of a checkpoint."""

    pretrained: int = 0
    started: int = 0
    matches: int = 0
    generated: int = 0
    learned: int = 0
    expansions: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    forgotten_at_seconds: float = 0.0
    forgotten_at_matches: int = 0
    unfinished: list[int] = field(default_factory=list)
    """Matches in progress: a resumed run begins them anew."""

    def count(self, record: MatchRecord, generated: int, learned: int) -> None:
        """Count a match that was learned."""
        self.unfinished.remove(record.index)
        self.matches += 1
        self.generated += generated
        self.learned += learned
        self.expansions += sum(each.expansions for each in record.spent)
        self.evaluations += sum(each.evaluations for each in record.spent)
