"""The tally of a series, and how sure it is: scores, intervals, Elo, the likelihood of superiority.

A draw counts one half. All statements are about the expected score of one player against another
over the openings that were played, as if the matches were independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from athenan.arena.record import Effort, Match, finite

CONFIDENCE_95 = 1.959963984540054  # the two-sided 95 % quantile of the normal law


class Interval(NamedTuple):
    """From `low` to `high`, both included."""

    low: float
    high: float


@dataclass(frozen=True)
class Counts:
    """Wins, draws and losses of one player.

    >>> counts = Counts(wins=7, draws=2, losses=1)
    >>> counts.score
    0.8
    >>> [round(bound, 3) for bound in counts.interval]
    [0.49, 0.943]
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Return both together."""
        return Counts(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per match, from 0 to 1; one half if there are no matches."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else 0.5

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of the score.

        It assumes independent matches. Wilson's formula is for matches without draws, whose score
        has the variance p (1 - p); points of 0, 1/2 and 1 with the mean p never have a greater one,
        so draws only make the interval wider than it need be. Matches that resemble each other make
        it too narrow: where openings are repeated, or where the two matches of a pair tend to have
        the same winner. Where an opening rather decides for a colour, it is too wide.
        """
        return wilson(self.score, self.matches)

    @property
    def elo(self) -> float:
        """The Elo difference of the score; infinite after nothing but wins, or but losses."""
        return elo_difference(self.score)

    @property
    def elo_interval(self) -> Interval:
        """The Elo differences of the two ends of the score's interval."""
        low, high = self.interval
        return Interval(elo_difference(low), elo_difference(high))

    @property
    def superiority(self) -> float:
        """The likelihood of superiority: how probable it is to be the stronger player.

        Draws say nothing about it. With every winning rate p among decided matches equally
        probable beforehand, p has the law Beta(wins + 1, losses + 1) afterwards, and this is the
        probability of p > 1/2.
        """
        return likelihood_of_superiority(self.wins, self.losses)


@dataclass(frozen=True)
class Tally:
    """The results of a series so far, from the point of view of the player a."""

    as_first: Counts = Counts()
    as_second: Counts = Counts()
    plies: int = 0
    efforts: tuple[Effort, Effort] = (Effort(), Effort())
    """Of a and of b, in all matches together."""
    memory_full: int = 0
    """How many searches the limit of memory ended."""
    faults: tuple[int, int] = (0, 0)
    """How many matches a fault of a, or of b, ended, counted or not."""
    uncounted: int = 0
    """Matches without an outcome."""

    @property
    def played(self) -> int:
        """Matches, the uncounted ones included."""
        return self.counts.matches + self.uncounted

    @property
    def counts(self) -> Counts:
        """Wins, draws and losses with either colour."""
        return self.as_first + self.as_second

    @property
    def mean_length(self) -> float:
        """Plies per match, the opening included."""
        return self.plies / self.played if self.played else 0.0

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
            "uncounted": self.uncounted,
            "faults": list(self.faults),
        }

    def with_match(self, match: Match) -> Tally:
        """Return the tally after one more match."""
        a, b = match.efforts_of_players
        faulty = match.who_of_players if match.is_fault else None
        counted = replace(
            self,
            plies=self.plies + len(match.moves),
            memory_full=self.memory_full + match.memory_full,
            efforts=(self.efforts[0] + a, self.efforts[1] + b),
            faults=(self.faults[0] + (faulty == 0), self.faults[1] + (faulty == 1)),
        )
        if match.outcome is None:
            return replace(counted, uncounted=self.uncounted + 1)
        gain = match.gain
        one = Counts(wins=int(gain > 0), draws=int(gain == 0), losses=int(gain < 0))
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
    return {**asdict(counts), "score": counts.score if counts.matches else None}


def wilson(score: float, matches: int, quantile: float = CONFIDENCE_95) -> Interval:
    """Return Wilson's interval of an observed mean `score` of so many matches."""
    if matches == 0:
        return Interval(0.0, 1.0)
    square = quantile * quantile / matches
    centre = score + square / 2
    spread = math.sqrt(square * (score * (1 - score) + square / 4))
    low = 0.0 if score == 0 else (centre - spread) / (1 + square)
    high = 1.0 if score == 1 else (centre + spread) / (1 + square)
    return Interval(low, high)


def elo_difference(score: float) -> float:
    """Return the difference of ratings at which this score is expected.

    >>> round(elo_difference(0.75))
    191
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def likelihood_of_superiority(wins: int, losses: int) -> float:
    """Return P(p > 1/2) for p of the law Beta(wins + 1, losses + 1).

    That is the probability of at most `wins` heads in wins + losses + 1 throws of a coin.
    """
    throws = wins + losses + 1
    logarithm = math.lgamma(throws + 1) - throws * math.log(2)
    heads = range(wins + 1) if wins <= losses else range(losses + 1)
    tail = math.fsum(
        math.exp(logarithm - math.lgamma(k + 1) - math.lgamma(throws - k + 1)) for k in heads
    )
    return tail if wins <= losses else 1 - tail
