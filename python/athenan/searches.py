"""Thinking about a position: `search` and `solve`.

>>> import athenan
>>> state = athenan.make_game("tic_tac_toe").parse_position("xx1/oo1/3 x")
>>> result = athenan.search(state, algorithm="ubfm-safe", expansions=50)
>>> state.move_to_string(result.best_move), result.proven_outcome
('c1', 1)
>>> athenan.solve(athenan.make_game("hex:size=3,swap=false").initial_state()).outcome
1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from athenan._core import (
    Error,
    MoveLabel,
    Search,
    Selection,
    Spent,
    State,
    exact_value,
    terminal_evaluations,
)
from athenan.evaluators import Evaluator, constant_evaluator

__all__ = [
    "MoveLabel",
    "Search",
    "SearchResult",
    "Selection",
    "Solution",
    "Spent",
    "drive",
    "exact_value",
    "search",
    "solve",
    "terminal_evaluations",
]


@dataclass(frozen=True)
class SearchResult:
    """What a search found out about a state."""

    best_move: int
    value: float
    """v(s), from the first player's point of view."""
    proven_outcome: int | None
    """+1, 0 or -1 if the outcome under best play is proven, else None."""
    moves: list[MoveLabel]
    """The labels of each legal move."""
    principal_variation: list[int]
    spent: Spent
    memory_full: bool


@dataclass(frozen=True)
class Solution:
    """The proven outcome of a state under best play, and a line that shows it."""

    outcome: int
    line: list[int]
    spent: Spent


def search(
    state: State,
    evaluator: Evaluator | None = None,
    algorithm: str = "ubfm-safe",
    *,
    seed: int = 0,
    **options: float | bool | str,
) -> SearchResult:
    """Think about a state.

    `algorithm` and `options` name a search and its settings, together or apart:
    `search(state, net, "descent:completion=false", seconds=2)`. Without an evaluator every state
    that is not ended has the value 0. Without any budget the search ends when the outcome of the
    state is proven.
    """
    mind = Search(state.game, _with_options(algorithm, options), seed)
    drive(mind, state, evaluator or constant_evaluator())
    return SearchResult(
        best_move=mind.decide(),
        value=mind.root_value,
        proven_outcome=mind.root_completion if mind.root_resolved else None,
        moves=mind.root_moves,
        principal_variation=mind.principal_variation,
        spent=mind.spent,
        memory_full=mind.memory_full,
    )


def drive(
    mind: Search,
    state: State,
    evaluator: Evaluator,
    interrupt: Callable[[], bool] | None = None,
) -> None:
    """Let a search think to the end of its budget, asking the evaluator for values.

    `interrupt` is asked between batches; when it says true the search stays as it is.
    """
    mind.begin(state)
    while (planes := mind.advance()) is not None:
        answer = evaluator(planes)
        values, policies = answer if isinstance(answer, tuple) else (answer, None)
        mind.receive(np.ascontiguousarray(values, np.float32), policies)
        if interrupt is not None and interrupt():
            return


def solve(state: State, *, memory_mb: int = 0) -> Solution:
    """Prove the outcome of a state under best play, with completed Descent."""
    if state.is_terminal:
        assert state.outcome is not None
        return Solution(state.outcome, [], Search(state.game, "descent").spent)
    mind = Search(state.game, f"descent:memory_mb={memory_mb}")
    mind.begin(state)
    mind.run_fake(0)
    if not mind.root_resolved:
        raise Error(f"{state.game.id} was not solved within {memory_mb} MB of memory")
    return Solution(mind.root_completion, mind.principal_variation, mind.spent)


def _with_options(algorithm: str, options: dict[str, float | bool | str]) -> str:
    words = [
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in options.items()
    ]
    separator = "" if not words else "," if ":" in algorithm else ":"
    return algorithm + separator + ",".join(words)
