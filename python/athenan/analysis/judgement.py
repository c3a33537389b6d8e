"""What a search says of one position: values, proven outcomes, a line for each move."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from athenan import html
from athenan._core import MoveLabel, Search, State, terminal_value
from athenan.arena.record import finite, notation_of
from athenan.pictures import Overlay, Spot, heat_of, line_of, svg_of

PROBABLE = "classic"  # the terminal evaluation whose values run from -1 to 1
ARROWS = 3  # moves of the best line that a picture shows
HEATED = 12  # moves that a picture colours


@dataclass(frozen=True)
class Work:
    """What an analysis cost."""

    expansions: int = 0
    evaluations: int = 0
    seconds: float = 0.0

    def __add__(self, other: Work) -> Work:
        """Return both together."""
        return Work(
            self.expansions + other.expansions,
            self.evaluations + other.evaluations,
            self.seconds + other.seconds,
        )

    def as_json(self) -> dict[str, float]:
        """Return everything, ready for JSON."""
        return {
            "expansions": self.expansions,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class Candidate:
    """One move of a position, and what follows it."""

    move: str
    value: float | None
    """The first player's; None of a move that was never tried."""
    win_probability: float | None
    """The first player's; None where the values are no probabilities and nothing is proven."""
    proven_outcome: int | None
    """+1, 0 or -1 for the first player, if it is proven."""
    count: int
    """How often the search selected it."""
    line: tuple[str, ...]
    """The move and those that both players prefer after it, as far as they are known."""

    def as_json(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "move": self.move,
            "value": self.value,
            "win_probability": self.win_probability,
            "proven_outcome": self.proven_outcome,
            "count": self.count,
            "line": list(self.line),
        }


@dataclass(frozen=True, repr=False)
class Judgement:
    """What is known of one position; values and outcomes are the first player's."""

    state: State
    value: float | None
    win_probability: float | None
    proven_outcome: int | None
    best_move: str | None
    """None when the match is over."""
    candidates: tuple[Candidate, ...]
    """The best first, as the player to move prefers them."""
    work: Work = field(default=Work(), compare=False)
    memory_full: bool = False

    @property
    def line(self) -> tuple[str, ...]:
        """The moves that both players prefer from here on."""
        return self.candidates[0].line if self.candidates else ()

    def candidate(self, move: str) -> Candidate | None:
        """Return what is known of a move."""
        return next((each for each in self.candidates if each.move == move), None)

    def as_json(self, top: int | None = None) -> dict[str, Any]:
        """Return everything, ready for JSON; of the candidates the `top` ones."""
        return {
            "game": self.state.game.id,
            "position": self.state.position,
            "ply": self.state.ply,
            "to_move": self.state.to_move,
            "outcome": self.state.outcome,
            "value": self.value,
            "win_probability": self.win_probability,
            "proven_outcome": self.proven_outcome,
            "best_move": self.best_move,
            "candidates": [each.as_json() for each in self.candidates[:top]],
            "work": self.work.as_json(),
            "memory_full": self.memory_full,
        }

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value:+.4g}"
        proven = "" if self.proven_outcome is None else f", proven {self.proven_outcome:+d}"
        return f"<Judgement of ply {self.state.ply}: {self.best_move}{value}{proven}>"

    def svg(self, size: int = 480) -> str:
        """Draw the position with the best line as arrows and the best moves as heat."""
        return svg_of(self.state, overlay=self.overlay(), size=size)

    def _repr_html_(self) -> str:
        columns = ("move", "value", "win probability", "proven", "selected", "line")
        rows = [
            [
                each.move,
                each.value,
                each.win_probability,
                each.proven_outcome,
                each.count,
                " ".join(each.line[1:]),
            ]
            for each in self.candidates[:HEATED]
        ]
        words = f"{self.work.expansions} expansions; values and outcomes are the first player's"
        return html.side_by_side(self.svg(320), html.table(columns, rows, below=words))

    def overlay(self) -> Overlay:
        """Return the best line as arrows and the best moves as heat, for a picture.

        The best move is the hottest; others fade with what they lose, worse than even is orange.
        """
        valued = [each for each in self.candidates[:HEATED] if each.value is not None]
        sign = -1 if self.state.to_move else 1
        scale = max((abs(each.value or 0.0) for each in valued), default=1.0) or 1.0
        strengths: dict[int | str, float] = {
            each.move: sign * (each.value or 0.0) / scale for each in valued
        }
        labels: dict[int | str, str] = {each.move: said(each) for each in valued}
        heat: dict[tuple[int, int], Spot] = heat_of(self.state, strengths, labels)
        return Overlay(heat, line_of(self.state, self.line[:ARROWS]))


def said(candidate: Candidate) -> str:
    """Say in a word what a move is worth to the first player."""
    if candidate.proven_outcome is not None:
        return {1: "win", 0: "draw", -1: "loss"}[candidate.proven_outcome]
    if candidate.win_probability is not None:
        return f"{candidate.win_probability:.0%}"
    return "" if candidate.value is None else f"{candidate.value:+.2g}"


def judged_end(state: State, terminal: str) -> Judgement:
    """Return the judgement of a match that is over, by the terminal evaluation of a search."""
    assert state.outcome is not None
    chance = _chance(None, state.outcome, state, terminal)
    value = terminal_value(state, terminal)
    return Judgement(state, value, chance, state.outcome, None, ())


def judged(state: State, search: Search, work: Work, *, ended: bool = True) -> Judgement:
    """Return what a search has found out so far; one that has `ended` chooses its move.

    Asking a search that goes on changes nothing in what it will find.
    """
    terminal = str(search.spec.options["terminal"])
    labels = search.root_moves if search.node_count else []
    line = search.principal_variation
    best = search.decide() if ended else (line[0] if line else None)
    proven = search.root_completion if search.root_resolved else None
    value = finite(search.root_value) if labels else None
    return Judgement(
        state,
        value,
        _chance(value, proven, state, terminal),
        proven,
        None if best is None else state.move_to_string(best),
        tuple(_candidates(state, search, labels, best, terminal)),
        work,
        search.memory_full,
    )


def _candidates(
    state: State, search: Search, labels: Sequence[MoveLabel], best: int | None, terminal: str
) -> Iterable[Candidate]:
    sign = -1 if state.to_move else 1
    ordered = sorted(
        labels,
        key=lambda each: (
            each.move != best,
            -sign * each.completion,
            -each.count,
            -sign * each.value,
        ),
    )
    for each in ordered:
        proven = each.completion if each.resolved else None
        value = finite(each.value)
        yield Candidate(
            state.move_to_string(each.move),
            value,
            _chance(value, proven, state, terminal),
            proven,
            each.count,
            notation_of(state, search.line_after(each.move)),
        )


def _chance(value: float | None, proven: int | None, state: State, terminal: str) -> float | None:
    """Return the probability that the first player wins, a draw being half a win."""
    if state.game.datasheet.players != 2:
        return None
    if proven is not None:
        return (proven + 1) / 2
    if value is None or terminal != PROBABLE or math.isinf(value):
        return None
    return (max(-1.0, min(1.0, value)) + 1) / 2
