"""Proofs that take a while: the outcome of a position under best play, with news on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from athenan._core import Budget, Error, Search, SearchSpec, State, Stop, Stopped
from athenan.analysis.judgement import Work
from athenan.arena.record import notation_of
from athenan.expected import expect_stop, expect_whole, wrong
from athenan.searches import MEMORY, refuse_no_state, within_memory

SLICE = 0.1  # seconds between two reports
MEGABYTE = 1 << 20

News = Callable[[Work, int], None]
"""Hears the work so far, and the bytes of the tree."""


@dataclass(frozen=True)
class Proof:
    """The outcome of a state under best play, and a line that shows it."""

    state: State
    proven_outcome: int
    """+1, 0 or -1 for the first player."""
    line: tuple[str, ...]
    """The best moves of both players to the end."""
    work: Work
    tree_bytes: int
    memory_mb: int
    """What the tree was allowed to take; 0 is no limit."""

    def as_json(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "game": self.state.game.id,
            "position": self.state.position,
            "ply": self.state.ply,
            "to_move": self.state.to_move,
            "proven_outcome": self.proven_outcome,
            "line": list(self.line),
            "work": self.work.as_json(),
            "tree_mb": round(self.tree_bytes / MEGABYTE, 1),
            "memory_mb": self.memory_mb,
        }


def prove(
    state: State, *, memory_mb: int = 0, stop: Stop | None = None, news: News | None = None
) -> Proof:
    """Prove the outcome of a state with completed Descent, as `athenan.solve` does, with news.

    The tree may take `memory_mb`, or half of the free memory. A request to stop raises `Stopped`.

    >>> import athenan
    >>> proof = prove(athenan.make_game("hex:size=2,swap=false").initial_state())
    >>> proof.proven_outcome, proof.line
    (1, ('b1', 'a1', 'a2'))
    """
    refuse_no_state(state, "prove")
    expect_stop(stop)
    expect_whole(memory_mb, MEMORY)
    if news is not None and not callable(news):
        raise wrong(news, "a function that is told the progress")
    spec = within_memory(SearchSpec("descent").with_(memory_mb=memory_mb))
    limit = int(spec.options["memory_mb"])
    if state.outcome is not None:
        return Proof(state, state.outcome, (), Work(), 0, limit)
    search, started, expansions = Search(state.game, spec), perf_counter(), 0
    while True:
        search.begin(state, Budget(seconds=SLICE))  # it goes on with the tree that it has
        search.run_fake(0, stop)
        expansions += search.spent.expansions
        work = Work(expansions, 0, perf_counter() - started)
        if search.root_resolved:
            line = notation_of(state, search.principal_variation)
            return Proof(state, search.root_completion, line, work, search.tree_bytes, limit)
        if stop is not None and stop.requested:
            raise Stopped(f"the proof of {state.game.id} was stopped")
        if search.memory_full:
            raise Error(
                f"{state.game.id} was not solved within {limit} MB of memory and "
                f"{expansions:,} expansions; --memory-mb (memory_mb) allows more"
            )
        if news is not None:
            news(work, search.tree_bytes)
