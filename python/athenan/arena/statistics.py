"""How sure a tally of matches is: scores, intervals, Elo, the likelihood of being the stronger.

A draw counts one half. All statements are about the expected score of one player against another
over the openings that were played, as if the matches were independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

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
