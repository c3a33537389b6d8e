"""The tally of a series: who won how often, with which colour, with how much thinking."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from athenan.arena.matches import MatchResult, Work
from athenan.arena.statistics import Counts

__all__ = ["Tally", "tally_of"]


@dataclass(frozen=True)
class Tally:
    """The results of a series so far, from the point of view of the player a."""

    as_first: Counts = field(default_factory=Counts)
    as_second: Counts = field(default_factory=Counts)
    plies: int = 0
    work: tuple[Work, Work] = field(default_factory=lambda: (Work(), Work()))
    """Of a and of b, in all matches together."""
    memory_full: int = 0
    """How many searches the limit of memory ended."""

    @property
    def counts(self) -> Counts:
        """Wins, draws and losses with either colour."""
        return self.as_first + self.as_second

    @property
    def mean_length(self) -> float:
        """Plies per match, the opening included."""
        return self.plies / self.counts.matches if self.counts.matches else 0.0

    def with_result(self, result: MatchResult) -> Tally:
        """Return the tally after one more match."""
        gain = result.gain
        one = Counts(wins=int(gain > 0), draws=int(gain == 0), losses=int(gain < 0))
        counted = replace(
            self,
            plies=self.plies + len(result.moves),
            memory_full=self.memory_full + result.memory_full,
            work=(self.work[0] + result.work[0], self.work[1] + result.work[1]),
        )
        if result.first == 0:
            return replace(counted, as_first=self.as_first + one)
        return replace(counted, as_second=self.as_second + one)


def tally_of(results: Iterable[MatchResult]) -> Tally:
    """Return the tally of results."""
    tally = Tally()
    for result in results:
        tally = tally.with_result(result)
    return tally
