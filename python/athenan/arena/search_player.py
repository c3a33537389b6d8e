"""A player that searches, with the values of a network, of an evaluator, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from athenan._core import Budget, Game, Search, SearchSpec, State, Stop
from athenan.arena.clocks import Clock, thinking_seconds
from athenan.arena.player import Player, PlayerSpec, Thought, refuse_wrong_question
from athenan.arena.sharing import SharedEvaluator
from athenan.evaluators import Evaluator, constant_evaluator
from athenan.evaluators.pace import Pace
from athenan.expected import (
    expect,
    expect_game,
    expect_seed,
    expect_text,
    expect_whole,
    wrong,
)
from athenan.searches import SearchResult, steps, warm_up, within_memory

EvaluatorFactory = Callable[[int], Evaluator]
"""Makes an evaluator that uses a number of threads (0: one per core)."""
Watch = Callable[[Search], None]
"""Looks at a search that thinks, on its thread."""
DEEPENING = "alphabeta"
LOOKS = 0.02  # seconds between two looks at a search that asks for no values


class SearchPlayer(Player):
    """A search and its evaluator; what it thought about one move helps with the next.

    >>> import athenan
    >>> from athenan.arena import player
    >>> game = athenan.make_game("tic_tac_toe")
    >>> state = game.parse_position("xx1/oo1/3 x")
    >>> with player("ubfm-safe:expansions=50", game).make(game) as thinker:
    ...     move, found = thinker.think(state)
    >>> state.move_to_string(move), found.proven_outcome
    ('c1', 1)
    """

    def __init__(
        self, name: str, game: Game, search: SearchSpec, evaluator: Evaluator, lent: bool = False
    ) -> None:
        self.name = name
        self._search = Search(game, search)
        self.evaluator = evaluator
        self._lent = lent  # by somebody who will close it
        self._pace = Pace()
        self._clock: Clock | None = None
        self._value: float | None = None
        self._is_warm = search.is_timed or not search.algorithm.needs_evaluator

    def begin(self, game: Game, seed: int) -> None:  # noqa: ARG002 (a search keeps its game)
        """Empty the tree."""
        self._search.new_match(expect_seed(seed))
        self._clock = self._value = None

    def set_clock(self, clock: Clock | None) -> None:
        """Obey a clock from now on, unless the search has a limit of its own."""
        self._clock = None if self._search.spec.is_limited else clock
        if clock and clock.control.is_timed and not self._is_warm:
            warm_up(self.evaluator, self._search.game)
            self._is_warm = True

    def think(
        self,
        state: State,
        budget: Budget | None = None,
        stop: Stop | None = None,
        watch: Watch | None = None,
    ) -> Thought:
        """Search; `watch` may look at the search some times a second."""
        refuse_wrong_question(state, budget, stop)
        if budget is None and self._clock is not None:
            budget = _budget(self._clock, state)
        interval = LOOKS if watch else 0
        for _ in steps(
            self._search,
            state,
            self.evaluator,
            budget=budget,
            stop=stop,
            interval=interval,
            pace=self._pace,
        ):
            if watch:
                watch(self._search)
        found = SearchResult.of(self._search, state)
        self._value = found.value if found.proven_outcome is None else found.proven_outcome
        return Thought(found.best_move, found)

    @property
    def value(self) -> float | None:
        """The value of the last search; a proven outcome where there is one."""
        return self._value

    @property
    def deepens(self) -> bool:
        """Whether each iteration of its search goes one ply deeper than the one before."""
        return self._search.spec.name == DEEPENING

    @property
    def is_exclusive(self) -> bool:
        """Whether its evaluator is lent, or on a GPU, and cannot be shared."""
        shared = isinstance(self.evaluator, SharedEvaluator)
        return not shared and (self._lent or self.evaluator.device != "cpu")

    def close(self) -> None:
        """Close the evaluator, unless it is lent."""
        if not self._lent:
            self.evaluator.close()


def _budget(clock: Clock, state: State) -> Budget:
    """Return what a search may spend on one ply."""
    return Budget(seconds=thinking_seconds(clock, state) or 0.0, expansions=clock.control.nodes)


@dataclass(frozen=True)
class SearchPlayerSpec(PlayerSpec):
    """A search and where its values come from."""

    name: str
    search: SearchSpec
    evaluator: Evaluator | EvaluatorFactory | None = None
    """None gives zeros. An evaluator is lent: nobody else uses it meanwhile, unless it is a
    `SharedEvaluator`, and it is not closed. Of a function each player has its own, which it closes.
    """
    threads: int = 0
    """Of its evaluator; 0 leaves that to who makes the player."""

    def __post_init__(self) -> None:
        expect_text(self.name, "the name of a player")
        expect(self.search, SearchSpec, "a SearchSpec, as in SearchSpec('mcts:seconds=1')")
        expect_whole(self.threads, "the number of threads, 0 for one per core")
        if self.evaluator is not None and not callable(self.evaluator):
            raise wrong(self.evaluator, "an evaluator, or a function that makes one")

    @property
    def description(self) -> str:
        """Its name and its search, or just the search."""
        named_by_search = SearchSpec.names_algorithm(self.name)
        return str(self.search) if named_by_search else f"{self.name} with {self.search}"

    @property
    def is_timed(self) -> bool:
        """Whether seconds limit its thinking."""
        return self.search.is_timed

    def make(self, game: Game, threads: int = 0) -> SearchPlayer:
        """Make the player; its tree may use half of the free memory unless its text limits it."""
        expect_game(game)
        search = within_memory(self.search)
        if isinstance(self.evaluator, Evaluator):
            return SearchPlayer(self.name, game, search, self.evaluator, lent=True)
        if self.evaluator is None:
            return SearchPlayer(self.name, game, search, constant_evaluator())
        return SearchPlayer(self.name, game, search, self.evaluator(self.threads or threads))

    @contextmanager
    def sharing(self, threads: int) -> Iterator[SearchPlayerSpec]:
        """Give this player with one evaluator for all who are made of it meanwhile."""
        if self.evaluator is None or isinstance(self.evaluator, Evaluator):
            yield self
            return
        with SharedEvaluator(self.evaluator(self.threads or threads)) as shared:
            yield replace(self, evaluator=shared)

    def within(self, megabytes: int) -> SearchPlayerSpec:
        """Return this player with so much memory for its tree, unless it names its own limit."""
        if self.search.options["memory_mb"]:
            return self
        return replace(self, search=self.search.with_(memory_mb=megabytes))
