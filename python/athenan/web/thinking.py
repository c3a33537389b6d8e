"""Thinking in slices: a search that goes on in the queue until its time is up.

Between two slices other visitors have their turn, and whoever listens hears what was found so far.
The search keeps its tree from slice to slice; it may be continued by another thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from athenan._core import Budget, Error, MoveLabel, Search, Spent, State, Stop, Stopped
from athenan.searches import SearchResult, drive
from athenan.web.bench import Bench, Line, Thinker

SLICE = 0.15  # seconds


@dataclass(frozen=True)
class Work:
    """What a search has done so far, over all its slices."""

    seconds: float = 0.0
    expansions: int = 0
    evaluations: int = 0
    iterations: int = 0

    def with_slice(self, spent: Spent) -> Work:
        """Return the sum with one more slice."""
        return Work(
            self.seconds + spent.seconds,
            self.expansions + spent.expansions,
            self.evaluations + spent.evaluations,
            self.iterations + spent.iterations,
        )


Heard = Callable[[SearchResult | int, Work, bool, Sequence[int | None]], None]
"""What was found or chosen, the work so far, whether that was the end, and, in the order of the
moves, how long proven wins take."""


@dataclass(eq=False)
class Thinking:
    """One visitor's search about one state; `__call__` is a slice of it."""

    thinker: Thinker
    state: State
    seconds: float
    heard: Heard
    seed: int = 0
    line: Line = ()
    """How the match came to this state; some engines know a position only by the moves to it."""
    iterations: int = 0
    """After which it ends in any case; 0: no such limit."""
    work: Work = field(default=Work())
    ended: bool = False
    search: Search | None = None
    """Of a model or of MCTS, once it has begun."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def labels(self, moves: Sequence[int]) -> tuple[list[MoveLabel], list[int | None]]:
        """Return the labels of a state of the tree, and how long its proven wins take.

        It waits for the slice that is under way.
        """
        with self._lock:
            search, line = self.search, list(moves)
            if search is None:
                raise Error("this tree had to make room for others: analyse the position again")
            return search.labels_after(line), search.proof_lengths_after(line)

    def __call__(self, bench: Bench, stop: Stop) -> bool:
        """Think for a slice; tell whether there is more to do."""
        with self._lock:
            return self._think(bench, stop)

    def _think(self, bench: Bench, stop: Stop) -> bool:
        if self.thinker.player is not None:
            try:
                found = bench.ask(self.thinker.player, self.line, self.state, self.seconds, stop)
            except Stopped:
                return False
            self.heard(found, self.work, True, ())
            return False
        game = self.state.game
        if self.search is None:
            self.search = bench.search(self.thinker.model, game, self.seed)
        left = self.seconds - self.work.seconds
        evaluator = bench.evaluator(self.thinker.model, game)
        seconds = max(1e-3, min(SLICE, left))
        iterations = max(0, self.iterations - self.work.iterations)
        budget = Budget(seconds=seconds, iterations=iterations)
        drive(self.search, self.state, evaluator, budget=budget, stop=stop)
        self.work = self.work.with_slice(self.search.spent)
        has_room = bench.shelf.has_room(self)
        self.ended = (
            stop.requested
            or self.search.spent.expansions == 0  # there is nothing left to look at
            or self.seconds - self.work.seconds < 1e-3
            or 0 < self.iterations <= self.work.iterations
            or self.search.root_resolved
            or self.search.memory_full
            or not has_room
        )
        lengths = self.search.proof_lengths_after([])
        self.heard(SearchResult.of(self.search, self.state), self.work, self.ended, lengths)
        if self.ended:
            bench.shelf.ended(self)
        return not self.ended

    @property
    def tree_bytes(self) -> int:
        """The size of its tree."""
        search = self.search
        return 0 if search is None else search.tree_bytes

    def give_up_tree(self) -> None:
        """Forget the tree: it has ended, and others need the room."""
        self.search = None
