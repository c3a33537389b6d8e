"""What there is to say about a series of matches: in a few words, as data, and as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from athenan import Game
from athenan.arena import (
    OPENINGS,
    SPRT,
    Conditions,
    Opening,
    PlayerSpec,
    Tally,
    TimeControl,
)
from athenan.arena.record import FAULTS, VERSION
from athenan.games.words import counted
from athenan.terminal.page import print_table, say

MILLISECONDS = 1000


@dataclass(frozen=True)
class Series:
    """Who plays whom at what."""

    game: Game
    players: tuple[PlayerSpec, PlayerSpec]
    openings: Sequence[Opening]
    kind_of_openings: str
    matches: int
    seed: int
    conditions: Conditions = Conditions()  # noqa: RUF009 (a value)
    test: SPRT | None = None

    def as_json(self, tally: Tally, seconds: float) -> dict[str, Any]:
        """Return everything about a series, ready for JSON."""
        return {
            "version": VERSION,
            "game": self.game.id,
            "a": self._player_as_json(0, tally),
            "b": self._player_as_json(1, tally),
            "planned": self.matches,
            "seed": self.seed,
            "control": self._control,
            "conditions": asdict(self.conditions),
            "openings": len(self.openings),
            "opening_plies": self._opening_plies,
            "kind_of_openings": self.kind_of_openings,
            **tally.as_json(),
            "sprt": self._test_as_json(tally),
            "seconds": round(seconds, 3),
        }

    def print_summary(self, tally: Tally, seconds: float) -> None:
        """Print a series for people."""
        for sentence in self._conditions(tally, seconds):
            say(sentence)
        say()
        print_table(("", ">wins", ">draws", ">losses", ">score"), [*_scores(tally)])
        say()
        columns = ("", ">ms/move", ">expansions/move", ">states/move")
        print_table(columns, [*_efforts(tally)])
        say()
        for sentence in self._conclusions(tally):
            say(sentence)

    @property
    def _opening_plies(self) -> int:
        return len(self.openings[0].moves)

    def _conditions(self, tally: Tally, seconds: float) -> list[str]:
        a, b = self.players
        count = tally.played
        played = counted(self.matches, "match")
        played = played if count == self.matches else f"{count} of {played}"
        sentences = [
            f"A: {a.description}",
            f"B: {b.description}",
            f"{self.game.id}: {played} in {seconds:.1f} s, {tally.mean_length:.1f} plies each",
            *self._of_openings(),
        ]
        if self._control:
            sentences.append(f"time control: {self._control}")
        sentences += self._faults(tally)
        if tally.memory_full:
            sentences.append(
                f"{counted(tally.memory_full, 'search')} ended early by the limit of memory: play "
                "fewer at a time (--workers), think less, or set memory_mb"
            )
        return sentences

    def _of_openings(self) -> Iterator[str]:
        """Say which openings there were, and whether they were too few."""
        drawn, wanted = self.kind_of_openings in OPENINGS, (self.matches + 1) // 2
        if drawn:
            openings = counted(len(self.openings), f"{self.kind_of_openings} opening")
            yield f"{openings} of {counted(self._opening_plies, 'ply')}, with both colours"
        else:
            openings = counted(len(self.openings), "opening")
            yield f"{openings} from {self.kind_of_openings}, with both colours"
        if len(self.openings) < wanted and drawn:
            yield f"the game has no {wanted} different openings of any length: these were repeated"
        elif len(self.openings) < wanted:
            yield f"openings were repeated: the file has fewer than {wanted}"

    @property
    def _control(self) -> str:
        control = self.conditions.control
        return "" if control == TimeControl() else str(control)

    def _faults(self, tally: Tally) -> list[str]:
        fate = "lost" if self.conditions.faults == "lose" else "not counted"
        sentences = [
            f"{counted(number, 'match')} ended by a fault of {'AB'[player]}: {fate}; "
            f"the first: {tally.first_faults[player]}"
            for player, number in enumerate(tally.faults)
            if number
        ]
        early = {reason: number for reason, number in tally.reasons.items() if reason not in FAULTS}
        if early:
            words = ", ".join(f"{number} {reason}" for reason, number in sorted(early.items()))
            sentences.append(f"ended early: {words}")
        return sentences

    def _test_as_json(self, tally: Tally) -> dict[str, Any] | None:
        if self.test is None:
            return None
        found = {"ratio": self.test.ratio(tally.whole_pairs), "bounds": list(self.test.bounds)}
        return asdict(self.test) | found | {"accepted": self.test.decision(tally.whole_pairs)}

    def _verdict(self, tally: Tally, test: SPRT) -> str:
        (low, high), decision = test.bounds, test.decision(tally.whole_pairs)
        ratio = f"log-likelihood ratio {test.ratio(tally.whole_pairs):+.2f}"
        verdicts = {
            "H0": f"A is not {test.elo1:g} Elo above B (H0: {test.elo0:g} accepted)",
            "H1": f"A is more than {test.elo0:g} Elo above B (H1: {test.elo1:g} accepted)",
            None: f"undecided between {test.elo0:g} and {test.elo1:g} Elo",
        }
        return f"SPRT: {verdicts[decision]}; {ratio}, bounds {low:.2f} and {high:+.2f}"

    def _conclusions(self, tally: Tally) -> list[str]:
        counts = tally.counts
        if not counts.matches:
            return ["no match counts, so there is no result"]
        (low, high), (elo_low, elo_high) = tally.interval, tally.elo_interval
        pairs = " ".join(map(str, tally.pairs))
        return [
            f"pairs with 0, ½, 1, 1½ and 2 points: {pairs}",
            f"score of A: {counts.score:.3f}, 95 % between {low:.3f} and {high:.3f}",
            f"Elo of A above B: {_signed(tally.elo)}, 95 % between {_signed(elo_low)} "
            f"and {_signed(elo_high)}",
            f"A is the stronger with a probability of {_probability(tally.superiority)}",
        ] + ([self._verdict(tally, self.test)] if self.test else [])

    def _player_as_json(self, number: int, tally: Tally) -> dict[str, Any]:
        player, effort = self.players[number], tally.efforts[number]
        return {"name": player.name, "description": player.description, **effort.per_move}


def score_line(tally: Tally) -> str:
    """Say the tally of A in a few words."""
    counts = tally.counts
    low, high = tally.interval
    return (
        f"A +{counts.wins} ={counts.draws} -{counts.losses}, "
        f"score {counts.score:.3f} ({low:.3f} to {high:.3f})"
    )


def _rounded(number: float | None, unit: float = 1) -> str:
    return "–" if number is None else f"{number * unit:,.1f}"


def _probability(number: float) -> str:
    """Write a probability: rounding must not make it a certainty."""
    if number < 0.001:
        return "less than 0.001"
    return "more than 0.999" if number > 0.999 else f"{number:.3f}"


def _signed(number: float) -> str:
    return f"{number:+.0f}" if math.isfinite(number) else "+∞" if number > 0 else "−∞"


def _scores(tally: Tally) -> Iterator[list[str]]:
    rows = {"A": tally.counts, "  first": tally.as_first, "  second": tally.as_second}
    for name, counts in rows.items():
        score = f"{counts.score:.3f}" if counts.matches else "–"
        yield [name, str(counts.wins), str(counts.draws), str(counts.losses), score]


def _efforts(tally: Tally) -> Iterator[list[str]]:
    for letter, effort in zip("AB", tally.efforts, strict=True):
        seconds, expansions, states = effort.per_move.values()
        yield [letter, _rounded(seconds, MILLISECONDS), _rounded(expansions), _rounded(states)]
