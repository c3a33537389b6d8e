"""Tables: where two players sit and play matches.

At a pool all matches advance together in C++, so that networks get large batches; only searches can
play there. At a plain table any two players move in turn.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

import numpy as np

from athenan._core import Game, MatchRecord, Mind, Pool, State, Stop
from athenan.arena.clocks import TimeControl
from athenan.arena.conditions import Conditions
from athenan.arena.player import PlayerSpec
from athenan.arena.record import Effort, Match, notation_of
from athenan.arena.referee import Referee, heed
from athenan.arena.search_player import SearchPlayer, SearchPlayerSpec


@dataclass(frozen=True)
class Plan:
    """A match to be played."""

    index: int
    seed: int
    opening: tuple[int, ...]
    start: State | None = None
    """Where the opening begins, if not at the start of the game."""

    @property
    def first(self) -> int:
        """Who plays first: 0 for a, 1 for b."""
        return self.index % 2


class Table(ABC):
    """Two players; one thread at a time uses it."""

    def __init__(self, game: Game, a: PlayerSpec, b: PlayerSpec, threads: int) -> None:
        self._game = game
        with ExitStack() as made:  # if the second cannot be made, the first is closed
            self._players = tuple(made.enter_context(each.make(game, threads)) for each in (a, b))
            made.pop_all()

    @abstractmethod
    def play(self, plans: Sequence[Plan], stop: Stop | None) -> Iterator[Match]:
        """Play matches and yield each when it ends; raise Stopped after a request to stop."""

    @property
    def is_exclusive(self) -> bool:
        """Whether no other table should be used at the same time."""
        return any(each.is_exclusive for each in self._players)

    def close(self) -> None:
        """Give back what the players think with."""
        with ExitStack() as stack:
            for each in self._players:
                stack.callback(each.close)

    def _start(self, plan: Plan) -> State:
        return plan.start or self._game.initial_state()

    def _match(
        self,
        plan: Plan,
        moves: Sequence[int],
        outcome: int | None,
        efforts: Sequence[Effort],
        full: int,
    ) -> Match:
        """Make the record of a match; the efforts are those of a and b."""
        start, order = self._start(plan), (plan.first, 1 - plan.first)
        return Match(
            game=self._game.id,
            position=start.position,
            players=tuple(self._players[each].name for each in order),
            moves=notation_of(start, moves),
            outcome=outcome,
            opening=min(len(plan.opening), len(moves)),  # a fault may come before
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
            heed(stop)
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
        match = self._match(plan, record.moves, record.outcome, efforts, record.memory_full)
        return replace(match, values=tuple(rounded(each) for each in record.values))


class PlainTable(Table):
    """Any two players, who play one match after the other before a referee."""

    def __init__(
        self, game: Game, a: PlayerSpec, b: PlayerSpec, threads: int, conditions: Conditions
    ) -> None:
        super().__init__(game, a, b, threads)
        self._conditions = conditions
        self._referee = Referee(game, conditions)

    def play(self, plans: Sequence[Plan], stop: Stop | None) -> Iterator[Match]:
        """Let the players move in turn."""
        for plan in plans:
            yield self._play(plan, stop)

    def _play(self, plan: Plan, stop: Stop | None) -> Match:
        start, order = self._start(plan), (plan.first, 1 - plan.first)
        players = [self._players[each] for each in order]
        seeds = [seed_of(plan.seed, each) for each in order]
        course = self._referee.play(start, plan.opening, players, seeds, stop)
        efforts = [course.efforts[each] for each in order]
        match = self._match(plan, course.moves, course.outcome, efforts, course.memory_full)
        control = self._conditions.control
        match = replace(
            match,
            seconds=tuple(round(each, 6) for each in course.seconds),
            values=tuple(rounded(each) for each in course.values),
            control=str(control) if control != TimeControl() else "",
        )
        ending = course.ending
        if ending is None:
            return match
        return replace(match, reason=ending.reason, who=ending.who, sentence=ending.sentence)


def seed_of(seed: int, index: int) -> int:
    """Return a seed below another: of a match in a series, of a player in a match."""
    return int(np.random.SeedSequence([seed, index]).generate_state(1, np.uint64)[0])


def rounded(value: float | None) -> float | None:
    """Return a value as records hold it; None where there is none."""
    return None if value is None or not math.isfinite(value) else round(value, 6)
