"""A table where one search plays many matches in pools, and guests from elsewhere play against it.

Each guest is a player of its own that thinks in another process, and a thread here waits for it.
What our side asks for in all matches becomes one batch; while some guests think, the matches of the
others go on. On a GPU two pools take turns, so that trees grow while it evaluates.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import NamedTuple

from athenan._core import Game, MatchRecord, Mind, Pool, State, Stop
from athenan.arena.conditions import Conditions
from athenan.arena.player import Fault, Player, PlayerSpec, Resigned
from athenan.arena.record import Effort, Match
from athenan.arena.referee import Ending, check_legal, ending_of_fault, heed, loss_of
from athenan.arena.search_player import SearchPlayer, SearchPlayerSpec
from athenan.arena.stopping import PATIENCE, relayed
from athenan.arena.tables import Plan, Table, rounded, seed_of
from athenan.evaluators import Evaluation
from athenan.evaluators.network import NetworkEvaluator, Ticket
from athenan.selfplay.source import ask


class Seat:
    """A guest, and the match that it plays at present."""

    def __init__(self, player: Player, conditions: Conditions) -> None:
        self.player = player
        self._conditions = conditions

    def take(self, start: State, side: int, seed: int) -> None:
        """Sit down to a match, to play first (0) or second (1)."""
        self.side = side
        self.effort, self.values = Effort(), list[float | None]()
        self._state, self._heard, self._seed = start, 0, seed
        self._has_begun = False

    def move(self, moves: Sequence[int], stop: Stop) -> int | Ending:
        """Return the guest's move after those of the match so far, or how the match ends."""
        try:
            self._follow(moves)
            started = perf_counter()
            thought = self.player.think(self._state, None, stop)
            check_legal(self._state, thought.move, self.player.name)
        except Resigned:
            return Ending(loss_of(self.side), "resigned", self.side)
        except Fault as fault:
            return ending_of_fault(fault, self.side, self._state, self._conditions)
        self.effort += Effort(1, perf_counter() - started)
        self.values.append(self.player.value)
        return thought.move

    def hear_end(self, moves: Sequence[int]) -> Ending | None:
        """Hear of the last moves; the guest may refuse one."""
        try:
            self._follow(moves)
        except Fault as fault:
            return ending_of_fault(fault, self.side, self._state, self._conditions)
        return None

    def _follow(self, moves: Sequence[int]) -> None:
        if not self._has_begun:
            self.player.begin(self._state.game, self._seed)
            self.player.set_clock(None)
            self._has_begun = True
        for move in moves[self._heard :]:
            self.player.hear(self._state, move)
            self._state = self._state.play(move)
            self._heard += 1


class Heard(NamedTuple):
    """What a guest said, or what it made of the end of a match."""

    match: int
    """Its index."""
    pool: Pool
    record: MatchRecord | None
    """Of a match that has ended by its rules."""
    said: int | Ending | None
    seat: Seat | None


class Hall:
    """The seats of all guests, a thread for each, and what they have said."""

    def __init__(self, seats: Sequence[Seat], threads: Executor, stop: Stop) -> None:
        self._free = list(seats)
        self._threads, self._stop = threads, stop
        self._seated: dict[int, Seat] = {}
        self._standing: deque[Callable[[], None]] = deque()
        self._heard: SimpleQueue[tuple[Heard, Future[int | Ending | None]]] = SimpleQueue()

    def ask(self, index: int, pool: Pool, moves: list[int], sit: Callable[[Seat], None]) -> None:
        """Ask the guest of a match for its move; a new one sits down as soon as a seat is free."""
        if index not in self._seated:
            if not self._free:
                self._standing.append(partial(self.ask, index, pool, moves, sit))
                return
            sit(self._seated.setdefault(index, self._free.pop()))
        seat = self._seated[index]
        self._start(Heard(index, pool, None, None, seat), partial(seat.move, moves, self._stop))

    def tell(self, record: MatchRecord, pool: Pool) -> None:
        """Let the guest of a match hear how it ended, if it was ever asked."""
        seat = self._seated.get(record.index)
        hear = partial(seat.hear_end, record.moves) if seat else lambda: None
        self._start(Heard(record.index, pool, record, None, seat), hear)

    def heard(self, *, waits: bool) -> Iterator[Heard]:
        """Yield what was said since; if told to wait, at least one thing."""
        while True:
            try:
                heard, done = self._heard.get(waits, PATIENCE)
            except Empty:
                heed(self._stop)
                if not waits:
                    return
            else:
                waits = False
                yield heard._replace(said=done.result())

    def leave(self, index: int) -> None:
        """End a match: its seat is free."""
        if index in self._seated:
            self._free.append(self._seated.pop(index))
            if self._standing:
                self._standing.popleft()()

    def _start(self, what: Heard, say: Callable[[], int | Ending | None]) -> None:
        future = self._threads.submit(say)
        future.add_done_callback(lambda done: self._heard.put((what, done)))


@dataclass
class Round:
    """A pool, and the values that it waits for."""

    pool: Pool
    values: Ticket | None = None


class GuestTable(Table):
    """A search against guests, as many matches at a time as there are slots."""

    def __init__(
        self,
        game: Game,
        a: PlayerSpec,
        b: PlayerSpec,
        slots: int,
        threads: int,
        conditions: Conditions,
    ) -> None:
        super().__init__(game, a, b, threads)
        self._guest = 0 if isinstance(b, SearchPlayerSpec) else 1
        guest, ours = (a, b) if self._guest == 0 else (b, a)
        thinker = self._players[1 - self._guest]
        assert isinstance(ours, SearchPlayerSpec)
        assert isinstance(thinker, SearchPlayer)
        self._evaluator = thinker.evaluator
        others = [guest.make(game, 1) for _ in range(slots - 1)]
        self._seats = [Seat(each, conditions) for each in (self._players[self._guest], *others)]
        pools = min(slots, 2 if self._evaluator.device != "cpu" else 1)
        self._rounds = [
            Round(Pool(game, [Mind(ours.search)], slots=share, threads=threads, guests=True))
            for share in (slots - slots // 2 * (pools - 1), slots // 2)[:pools]
        ]

    def play(self, plans: Sequence[Plan], stop: Stop | None) -> Iterator[Match]:
        """Let all matches go on together."""
        by_index = {plan.index: plan for plan in plans}
        for number, plan in enumerate(plans):
            pool = self._rounds[number % len(self._rounds)].pool
            pool.add(plan.index, plan.seed, plan.opening, int(plan.first == self._guest))
        with relayed(stop) as own, ThreadPoolExecutor(len(self._seats)) as threads:
            hall = Hall(self._seats, threads, own)
            try:
                yield from self._matches(by_index, hall, own)
            finally:
                own.request()  # no thread waits for a guest any more

    def _matches(self, plans: Mapping[int, Plan], hall: Hall, stop: Stop) -> Iterator[Match]:
        left = len(plans)
        while left:
            for each in self._rounds:
                self._advance(each, stop)
                for index, moves in each.pool.take_asked():
                    hall.ask(index, each.pool, moves, partial(self._sit, plans[index]))
                for record in each.pool.take_finished():
                    hall.tell(record, each.pool)
            for heard in hall.heard(waits=all(each.values is None for each in self._rounds)):
                if isinstance(heard.said, int):
                    heard.pool.answer(heard.match, heard.said)
                    continue
                left -= 1
                ended = self._match_of(plans[heard.match], heard)
                hall.leave(heard.match)  # the next one may take the seat at once
                yield ended

    def close(self) -> None:
        """Send all guests home."""
        with ExitStack() as stack:
            stack.callback(super().close)
            for seat in self._seats[1:]:
                stack.callback(seat.player.close)

    def _advance(self, round_: Round, stop: Stop) -> None:
        """Give a pool its values, let its matches go on, and ask for the next values."""
        if round_.values is not None:
            found, round_.values = round_.values.result(), None
            round_.pool.resume(0, found.values, found.logits)
        waiting = round_.pool.collect(stop)
        heed(stop)
        if not waiting:
            return
        if len(self._rounds) > 1 and isinstance(self._evaluator, NetworkEvaluator):
            round_.values = ask(round_.pool, self._evaluator.submit)
        else:
            values: Future[Evaluation] = Future()
            values.set_result(ask(round_.pool, self._evaluator.evaluate))
            round_.values = values

    def _sit(self, plan: Plan, seat: Seat) -> None:
        side, seed = int(plan.first != self._guest), seed_of(plan.seed, self._guest)
        seat.take(self._start(plan), side, seed)

    def _match_of(self, plan: Plan, heard: Heard) -> Match:
        seat, record = heard.seat, heard.record or heard.pool.withdraw(heard.match)
        ending = heard.said if isinstance(heard.said, Ending) else None
        efforts = [Effort(), Effort()]
        for mover, spent in zip(record.movers, record.spent, strict=True):
            if mover == 0:
                work = Effort(1, math.nan, spent.expansions, spent.evaluations)
                efforts[1 - self._guest] += work
        told = iter(seat.values if seat else ())
        values = [
            next(told) if mover else value
            for mover, value in zip(record.movers, record.values, strict=True)
        ]
        if seat:
            efforts[self._guest] = seat.effort
        outcome = ending.outcome if ending else record.outcome
        match = self._match(plan, record.moves, outcome, efforts, record.memory_full)
        match = replace(match, values=tuple(rounded(each) for each in values))
        if ending is None:
            return match
        return replace(match, reason=ending.reason, who=ending.who, sentence=ending.sentence)
