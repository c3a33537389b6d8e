"""The tally of a series: wins, draws and losses, and how sure it is which player is the stronger.

A draw counts one half. All statements are about the expected score of one player against another
over openings like those that were played; `scores.py` says what they rest on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from athenan.arena.record import Effort, Match, finite
from athenan.arena.scores import Interval, Unit, Units, elo_difference
from athenan.expected import expect, wrong

Beginning = tuple[str, tuple[str, ...]]
"""The position in which a match began, and its opening."""


@dataclass(frozen=True)
class Counts:
    """Wins, draws and losses of one player.

    >>> Counts(wins=7, draws=2, losses=1).score
    0.8
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


@dataclass
class Tally:
    """The results of a series so far, from the point of view of the player a."""

    as_first: Counts = field(default_factory=Counts)
    as_second: Counts = field(default_factory=Counts)
    openings: dict[Beginning, Unit] = field(default_factory=dict)
    """What a got from each opening."""
    results: Counter[Unit] = field(default_factory=Counter)
    """How many openings gave a what."""
    plies: int = 0
    efforts: tuple[Effort, Effort] = (Effort(), Effort())
    """Of a and of b, in all matches together."""
    memory_full: int = 0
    """How many searches the limit of memory ended."""
    faults: tuple[int, int] = (0, 0)
    """How many matches a fault of a, or of b, ended, counted or not."""
    uncounted: int = 0
    """Matches without an outcome."""
    reasons: Counter[str] = field(default_factory=Counter)
    """How many matches ended otherwise than by the rules of the game, and why."""
    first_faults: dict[int, str] = field(default_factory=dict)
    """What happened when a (0) or b (1) was at fault for the first time."""

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

    @property
    def units(self) -> Units:
        """The openings by what a got from them: what all statistics rest on."""
        return Units.of(self.results)

    @property
    def whole_pairs(self) -> Units:
        """Likewise without openings of which only one match counts, or has ended as yet.

        A test that decides after each match must not see them: short matches end first.
        """
        return Units.of({unit: count for unit, count in self.results.items() if unit.matches > 1})

    @property
    def pairs(self) -> tuple[int, ...]:
        """How many pairs gave a 0, 1/2, 1, 3/2 and 2 points: openings with two counted matches."""
        return tuple(self.results[Unit(points / 2, 2)] for points in range(5))

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the score of a."""
        return self.units.interval()

    @property
    def elo(self) -> float:
        """The Elo difference of the score; infinite after nothing but wins, or but losses."""
        return elo_difference(self.counts.score)

    @property
    def elo_interval(self) -> Interval:
        """The Elo differences of the two ends of the score's interval."""
        low, high = self.interval
        return Interval(elo_difference(low), elo_difference(high))

    @property
    def superiority(self) -> float:
        """How probable it is that a is the stronger player."""
        return self.units.superiority()

    def _repr_html_(self) -> str:
        from athenan.arena.showing import html_of_tally

        return html_of_tally(self)

    def as_json(self) -> dict[str, Any]:
        """Return everything, ready for JSON; what is not finite becomes null."""
        counts = self.counts
        return {
            "matches": counts.matches,
            **_facts(counts),
            "pairs": list(self.pairs),
            "interval": list(self.interval),
            "elo": finite(self.elo),
            "elo_interval": [finite(bound) for bound in self.elo_interval],
            "superiority": self.superiority,
            "as_first": _facts(self.as_first),
            "as_second": _facts(self.as_second),
            "mean_length": self.mean_length,
            "memory_full": self.memory_full,
            "uncounted": self.uncounted,
            "faults": list(self.faults),
            "reasons": dict(self.reasons),
        }

    def add(self, match: Match) -> None:
        """Count one more match."""
        expect(match, Match, "a Match, as play_matches yields it")
        a, b = match.efforts_of_players
        faulty = match.who_of_players if match.is_fault else None
        self.plies += len(match.moves)
        self.memory_full += match.memory_full
        self.efforts = (self.efforts[0] + a, self.efforts[1] + b)
        self.faults = (self.faults[0] + (faulty == 0), self.faults[1] + (faulty == 1))
        if match.reason:
            self.reasons[match.reason] += 1
        if faulty is not None:
            self.first_faults.setdefault(faulty, match.sentence)
        if match.outcome is None:
            self.uncounted += 1
            return
        gain = match.gain
        one = Counts(wins=int(gain > 0), draws=int(gain == 0), losses=int(gain < 0))
        if match.index % 2 == 0:
            self.as_first += one
        else:
            self.as_second += one
        begun = match.position, match.moves[: match.opening]
        before = self.openings.get(begun, Unit(0, 0))
        after = Unit(before.points + one.score, before.matches + 1)
        self.openings[begun] = after
        self.results += Counter({after: 1})
        self.results -= Counter({before: 1})


def tally_of(matches: Iterable[Match]) -> Tally:
    """Return the tally of a series."""
    if not isinstance(matches, Iterable):
        raise wrong(matches, "the matches of a series, as play_matches yields them")
    tally = Tally()
    for match in matches:
        tally.add(match)
    return tally


def _facts(counts: Counts) -> dict[str, Any]:
    return {**asdict(counts), "score": counts.score if counts.matches else None}
