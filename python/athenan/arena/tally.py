"""The tally of a series: who won how often, with which colour, with how much thinking."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from athenan.arena.record import Effort, Match, finite
from athenan.arena.statistics import Counts


@dataclass(frozen=True)
class Tally:
    """The results of a series so far, from the point of view of the player a."""

    as_first: Counts = field(default_factory=Counts)
    as_second: Counts = field(default_factory=Counts)
    plies: int = 0
    efforts: tuple[Effort, Effort] = (Effort(), Effort())
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

    def as_json(self) -> dict[str, Any]:
        """Return everything, ready for JSON; what is not finite becomes null."""
        counts = self.counts
        return {
            "matches": counts.matches,
            **_facts(counts),
            "interval": list(counts.interval),
            "elo": finite(counts.elo),
            "elo_interval": [finite(bound) for bound in counts.elo_interval],
            "superiority": counts.superiority,
            "as_first": _facts(self.as_first),
            "as_second": _facts(self.as_second),
            "mean_length": self.mean_length,
            "memory_full": self.memory_full,
        }

    def with_match(self, match: Match) -> Tally:
        """Return the tally after one more match."""
        gain, (a, b) = match.gain, match.efforts_of_players
        one = Counts(wins=int(gain > 0), draws=int(gain == 0), losses=int(gain < 0))
        counted = replace(
            self,
            plies=self.plies + len(match.moves),
            memory_full=self.memory_full + match.memory_full,
            efforts=(self.efforts[0] + a, self.efforts[1] + b),
        )
        if match.index % 2 == 0:
            return replace(counted, as_first=self.as_first + one)
        return replace(counted, as_second=self.as_second + one)


def tally_of(matches: Iterable[Match]) -> Tally:
    """Return the tally of a series."""
    tally = Tally()
    for match in matches:
        tally = tally.with_match(match)
    return tally


def _facts(counts: Counts) -> dict[str, Any]:
    return {
        "wins": counts.wins,
        "draws": counts.draws,
        "losses": counts.losses,
        "score": counts.score if counts.matches else None,
    }
