"""What a search found, as messages of the live connection."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from athenan._core import MoveLabel, State
from athenan.pictures.places import places_of
from athenan.searches import SearchResult
from athenan.web.board import cells_of
from athenan.web.thinking import Work

SHOWN_PLIES = 12
DRAWN_PLIES = 4
"""Of the best line, on the board."""


def thought_of(
    state: State,
    found: SearchResult | int,
    work: Work,
    ended: bool,
    lengths: Sequence[int | None] = (),
) -> dict[str, Any]:
    """Return what is known of a state: every move with its labels, and the best line.

    `lengths` are those of proven wins, in the order of the moves (`Search.proof_lengths_after`).
    """
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
        "plies": _plies(state, found, lengths),
        "moves": labels_of(state, found.moves, lengths),
        "line": line_of(state, found.principal_variation),
        "way": way_of(state, found.principal_variation),
        "memory_full": found.memory_full,
    }


def labels_of(
    state: State, labels: Sequence[MoveLabel], lengths: Sequence[int | None] = ()
) -> list[dict[str, Any]]:
    """Return v, c, r and n of each move and the length of proven wins, the mover's best first."""
    side = 1 if state.to_move == 0 else -1
    known = lengths or [None] * len(labels)

    def rank(each: tuple[MoveLabel, int | None]) -> tuple[float, ...]:
        label, plies = each
        certain = side * _certain(label)  # a quick win is the best, a slow loss not the worst
        return -certain, certain * (plies or math.inf) if certain else 0, -side * label.value

    return [
        {
            "move": state.move_to_string(label.move),
            "v": finite(label.value),
            "c": label.completion,
            "r": label.resolved,
            "n": label.count,
            "plies": plies,
        }
        for label, plies in sorted(zip(labels, known, strict=True), key=rank)
    ]


def _plies(state: State, found: SearchResult, lengths: Sequence[int | None]) -> int | None:
    """Return after how many plies the proven win of a state is over at the latest."""
    if not found.proven_outcome or not lengths:
        return None
    won = [
        plies
        for label, plies in zip(found.moves, lengths, strict=True)
        if label.completion == found.proven_outcome
    ]
    known = [each for each in won if each is not None]
    if found.proven_outcome == (1 if state.to_move == 0 else -1):
        return min(known, default=None)
    return max(known, default=None) if len(known) == len(won) else None


def line_of(state: State, moves: list[int]) -> list[str]:
    """Return the first moves of a line as texts."""
    texts = []
    for move in moves[:SHOWN_PLIES]:
        if state.is_terminal:
            break
        texts.append(state.move_to_string(move))
        state = state.play(move)
    return texts


def way_of(state: State, moves: list[int]) -> list[dict[str, Any]]:
    """Return the first moves of a line as the ways that they go over the board, and whose they are.

    >>> import athenan
    >>> way_of(athenan.make_game("tic_tac_toe").initial_state(), [4, 0])
    [{'cells': [[1, 1]], 'player': 0}, {'cells': [[0, 0]], 'player': 1}]
    """
    ways = []
    for move in moves[:DRAWN_PLIES]:
        if state.is_terminal:
            break
        ways.append({"cells": cells_of(state, move, places_of(state)), "player": state.to_move})
        state = state.play(move)
    return ways


def finite(value: float | None) -> float | None:
    """Return a value that JSON can hold."""
    return round(value, 4) if value is not None and math.isfinite(value) else None


def _certain(label: MoveLabel) -> int:
    return label.completion if label.resolved else 0
