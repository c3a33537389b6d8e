"""What a search found, as messages of the live connection."""

from __future__ import annotations

import math
from typing import Any

from athenan._core import MoveLabel, State
from athenan.searches import SearchResult
from athenan.web.thinking import Work

LINES = 3
SHOWN_PLIES = 12


def thought_of(state: State, found: SearchResult | int, work: Work, ended: bool) -> dict[str, Any]:
    """Return what is known of a state: every move with its labels, and the best line."""
    rate = work.expansions / work.seconds if work.seconds else 0.0
    common = {
        "is": "thought",
        "ended": ended,
        "seconds": round(work.seconds, 3),
        "expansions": work.expansions,
        "evaluations": work.evaluations,
        "iterations": work.iterations,
        "expansions_per_second": round(rate),
    }
    if isinstance(found, int):
        best = state.move_to_string(found)
        return common | {"best": best, "value": None, "proven": None, "moves": [], "line": [best]}
    return common | {
        "best": state.move_to_string(found.best_move),
        "value": finite(found.value),
        "proven": found.proven_outcome,
        "moves": labels_of(state, found.moves),
        "line": line_of(state, found.principal_variation),
        "memory_full": found.memory_full,
    }


def labels_of(state: State, labels: list[MoveLabel]) -> list[dict[str, Any]]:
    """Return v, c, r and n of each move, the best for the mover first."""
    side = 1 if state.to_move == 0 else -1
    ranked = sorted(labels, key=lambda each: (-side * _certain(each), -side * each.value))
    return [
        {
            "move": state.move_to_string(each.move),
            "v": finite(each.value),
            "c": each.completion,
            "r": each.resolved,
            "n": each.count,
        }
        for each in ranked
    ]


def line_of(state: State, moves: list[int]) -> list[str]:
    """Return the first moves of a line as texts."""
    texts = []
    for move in moves[:SHOWN_PLIES]:
        if state.is_terminal:
            break
        texts.append(state.move_to_string(move))
        state = state.play(move)
    return texts


def finite(value: float | None) -> float | None:
    """Return a value that JSON can hold."""
    return round(value, 4) if value is not None and math.isfinite(value) else None


def _certain(label: MoveLabel) -> int:
    return label.completion if label.resolved else 0
