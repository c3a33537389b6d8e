"""Tables: where two players sit and play matches.

At a pool all matches advance together in C++, so that networks get large batches; only searches can
play there. At a plain table any two players move in turn.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from athenan._core import Game, MatchRecord, Mind, Pool, State, Stop, Stopped
from athenan.arena.player import PlayerSpec, Thought
from athenan.arena.record import Effort, Match, notation_of
from athenan.arena.search_player import SearchPlayer, SearchPlayerSpec


@dataclass(frozen=True)
class Plan:
    """A match to be played."""

    index: int
    seed: int
    opening: tuple[int, ...]

    @property
    def first(self) -> int:
        """Who plays first: 0 for a, 1 for b."""
        return self.index % 2


class Table(ABC):
    """Two players; one thread at a time uses it."""

    def __init__(self, game: Game, a: PlayerSpec, b: PlayerSpec, threads: int) -> None:
        self._game = game
        self._players = (a.make(game, threads), b.make(game, threads))

    @abstractmethod
    def play(self, plans: Sequence[Plan], stop: Stop | None) -> Iterator[Match]:
        """Play matches and yield each when it ends; raise Stopped after a request to stop."""

    @property
    def is_exclusive(self) -> bool:
        """Whether no other table should be used at the same time."""
        return any(each.is_exclusive for each in self._players)

    def close(self) -> None:
        """Give back what the players think with."""
        for each in self._players:
            each.close()

    def _match(
        self, plan: Plan, moves: Sequence[int], outcome: int, efforts: Sequence[Effort], full: int
    ) -> Match:
        """Make the record of a match; the efforts are those of a and b."""
        start, order = self._game.initial_state(), (plan.first, 1 - plan.first)
        return Match(
            game=self._game.id,
            position=start.position,
            players=tuple(self._players[each].name for each in order),
            moves=notation_of(start, moves),
            outcome=outcome,
            opening=len(plan.opening),
            efforts=tuple(efforts[each] for each in order),
            memory_full=full,
            index=plan.index,
            seed=plan.seed,
        )


class PoolTable(Table):
    """Searches, whose matches share a pool."""

    def __init__(
        self, game: Game, a: SearchPlayerSpec, b: SearchPlayerSpec, slots: int, threads: int
    ) -> None:
        super().__init__(game, a, b, threads)
        minds = [Mind(each.search, None, number) for number, each in enumerate((a, b))]
        self._pool = Pool(game, minds, slots=slots, threads=threads)
        self._clocked = slots == 1

    def play(self, plans: Sequence[Plan], stop: Stop | None) -> Iterator[Match]:
        """Let all of them advance together."""
        by_index = {plan.index: plan for plan in plans}
        for plan in plans:
            self._pool.add(plan.index, plan.seed, plan.opening, plan.first)
        waiting = 1
        while waiting or self._pool.queued:
            waiting = self._pool.collect(stop)
            _heed(stop)
            for number, player in enumerate(self._players):
                planes = self._pool.batch(number)
                if len(planes) and isinstance(player, SearchPlayer):
                    answer = player.evaluator.evaluate(planes, self._pool.moves(number))
                    self._pool.resume(number, *answer)
            for record in self._pool.take_finished():
                yield self._match_of(by_index[record.index], record)

    def _match_of(self, plan: Plan, record: MatchRecord) -> Match:
        efforts = [Effort(), Effort()]
        for mover, spent in zip(record.movers, record.spent, strict=True):
            seconds = spent.seconds if self._clocked else math.nan
            efforts[mover] += Effort(1, seconds, spent.expansions, spent.evaluations)
        return self._match(plan, record.moves, record.outcome, efforts, record.memory_full)


class PlainTable(Table):
    """Any two players, who play one match after the other."""

    def play(self, plans: Sequence[Plan], stop: Stop | None) -> Iterator[Match]:
        """Let the players move in turn."""
        for plan in plans:
            yield self._play(plan, stop)

    def _play(self, plan: Plan, stop: Stop | None) -> Match:
        for number, each in enumerate(self._players):
            each.begin(self._game, seed_of(plan.seed, number))
        state, moves, full = self._game.initial_state(), list(plan.opening), 0
        efforts = [Effort(), Effort()]
        for move in plan.opening:
            self._tell(state, move)
            state = state.play(move)
        while state.outcome is None:
            mover, started = state.to_move ^ plan.first, perf_counter()
            thought = self._players[mover].think(state, None, stop)
            seconds = perf_counter() - started
            _heed(stop)
            efforts[mover] += _effort(thought, seconds)
            full += thought.result is not None and thought.result.memory_full
            after = state.play(thought.move)  # refuses a move that is not legal
            self._tell(state, thought.move)
            moves.append(thought.move)
            state = after
        return self._match(plan, moves, state.outcome, efforts, full)

    def _tell(self, state: State, move: int) -> None:
        for each in self._players:
            each.hear(state, move)


def seed_of(seed: int, index: int) -> int:
    """Return a seed below another: of a match in a series, of a player in a match."""
    return int(np.random.SeedSequence([seed, index]).generate_state(1, np.uint64)[0])


def _heed(stop: Stop | None) -> None:
    if stop and stop.requested:
        raise Stopped("the series was stopped")


def _effort(thought: Thought, seconds: float) -> Effort:
    if thought.result is None:
        return Effort(1, seconds)
    spent = thought.result.spent
    return Effort(1, seconds, spent.expansions, spent.evaluations)
