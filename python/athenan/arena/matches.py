"""Series of matches between two players, each opening played twice with colours exchanged.

Players limited by anything but seconds play in one pool, so that networks get large batches; the
results then depend on the seed alone. Players limited by seconds play one match per worker, each
worker with one thread and evaluators of its own, so that nobody thinks on another's time; a network
on a GPU has it to itself.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from athenan._core import Error, Game, MatchRecord, Pool
from athenan.arena.openings import Opening, distinct_openings
from athenan.arena.players import Player
from athenan.evaluators import constant_evaluator
from athenan.machine import available_cores, megabytes_per_tree
from athenan.selfplay import play

__all__ = ["MatchResult", "Work", "play_matches"]

SLOTS = 32  # matches at a time in the pool: enough for large batches, few enough for the memory


@dataclass(frozen=True)
class Work:
    """What one player spent in a match, or in several."""

    moves: int = 0
    seconds: float = 0.0
    """Not a number where matches shared a pool: there a clock runs while others work."""
    expansions: int = 0
    evaluations: int = 0

    def __add__(self, other: Work) -> Work:
        """Return both together."""
        return Work(
            self.moves + other.moves,
            self.seconds + other.seconds,
            self.expansions + other.expansions,
            self.evaluations + other.evaluations,
        )


@dataclass(frozen=True)
class MatchResult:
    """One match between the players a and b."""

    index: int
    seed: int
    first: int
    """Who played first: 0 for a, 1 for b."""
    opening: int
    """How many of the moves were the opening, played by nobody."""
    moves: list[int]
    notation: list[str]
    outcome: int
    """+1, 0 or -1 for the first player."""
    work: tuple[Work, Work]
    """Of a and of b."""
    memory_full: int
    """How many searches the limit of memory ended."""

    @property
    def gain(self) -> int:
        """+1, 0 or -1 for a."""
        return -self.outcome if self.first else self.outcome


@dataclass(frozen=True)
class _Plan:
    index: int
    seed: int
    first: int
    opening: tuple[int, ...]


_Players = tuple[Player, Player]


def play_matches(
    game: Game,
    a: Player,
    b: Player,
    matches: int,
    *,
    seed: int = 0,
    workers: int = 0,
    openings: Sequence[Opening] | None = None,
) -> Iterator[MatchResult]:
    """Play a series and yield each result when its match ends.

    Matches 2i and 2i + 1 begin with the opening i: a plays first in the former, b in the latter.
    Openings are drawn with the seed unless given; if there are too few they are used again, with
    other seeds for the players. `workers` is how many threads play (0: one per core). The trees of
    all matches together get half of the free memory, unless a player names its own `memory_mb`;
    `MatchResult.memory_full` tells when that was too little. Closing the iterator ends the series;
    matches under way are left alone and end unseen.

    >>> import athenan
    >>> from athenan.arena import player
    >>> game = athenan.make_game("tic_tac_toe")
    >>> strong, weak = player("ubfm-safe:expansions=50", game), player("random", game)
    >>> sum(result.gain for result in play_matches(game, strong, weak, 20)) > 10
    True
    """
    if game.datasheet.players != 2:
        raise Error(f"{game.id} is for one player: there is nobody to play against")
    if openings is None:
        openings = distinct_openings(game, (matches + 1) // 2, seed)
    plans = [
        _Plan(index, _seed_of(seed, index), index % 2, openings[index // 2 % len(openings)].moves)
        for index in range(matches)
    ]
    workers = min(workers or available_cores(), max(matches, 1))
    together = bool(a.evaluator or b.evaluator) and not (a.is_timed or b.is_timed)
    slots = min(SLOTS, max(matches, 1)) if together else workers
    memory = megabytes_per_tree(2 * slots)
    players = (a.within(memory), b.within(memory))
    if together:
        return _play_together(game, players, plans, slots, workers)
    return _play_one_by_one(game, players, plans, workers)


def _seed_of(seed: int, index: int) -> int:
    return int(np.random.SeedSequence([seed, index]).generate_state(1, np.uint64)[0])


def _play_together(
    game: Game, players: _Players, plans: list[_Plan], slots: int, threads: int
) -> Iterator[MatchResult]:
    """Play all matches in one pool, so that evaluators get large batches."""
    table = _Table(game, players, slots, threads)
    for plan, record in _records([table], [plans]):
        yield _result(game, plan, record, clocked=False)


def _play_one_by_one(
    game: Game, players: _Players, plans: list[_Plan], workers: int
) -> Iterator[MatchResult]:
    """Play one match at a time in each worker: a fair clock, a result as soon as there is one."""
    tables = [_Table(game, players, slots=1, threads=1)]
    while len(tables) < workers and not tables[0].uses_gpu:
        tables.append(_Table(game, players, slots=1, threads=1))
    for plan, record in _records(tables, [[plan] for plan in plans]):
        yield _result(game, plan, record, clocked=True)


def _records(
    tables: list[_Table], rounds: list[list[_Plan]]
) -> Iterator[tuple[_Plan, MatchRecord]]:
    """Let each table play rounds until none is left, all tables at once.

    The threads are daemons: the engine cannot be interrupted, and nobody should wait for it.
    """
    plans = {plan.index: plan for plans in rounds for plan in plans}
    waiting: queue.SimpleQueue[list[_Plan]] = queue.SimpleQueue()
    played: queue.SimpleQueue[MatchRecord | BaseException] = queue.SimpleQueue()
    closed = threading.Event()
    for each in rounds:
        waiting.put(each)

    def work(table: _Table) -> None:
        try:
            with contextlib.suppress(queue.Empty):
                while not closed.is_set():
                    for record in table.play(waiting.get_nowait()):
                        played.put(record)
                        if closed.is_set():
                            return
        except BaseException as problem:
            played.put(problem)
        finally:
            table.close()

    for table in tables:
        threading.Thread(target=work, args=(table,), daemon=True).start()
    try:
        for _ in range(len(plans)):
            record = played.get()
            if isinstance(record, BaseException):
                raise record
            yield plans[record.index], record
    finally:
        closed.set()


class _Table:
    """Where two players sit: a pool, and the evaluators that are used by nobody else."""

    def __init__(self, game: Game, players: _Players, slots: int, threads: int) -> None:
        minds = [player.mind(number) for number, player in enumerate(players)]
        self._pool = Pool(game, minds, slots=slots, threads=threads)
        self._evaluators = [
            player.evaluator(threads) if player.evaluator else constant_evaluator()
            for player in players
        ]

    @property
    def uses_gpu(self) -> bool:
        return any(getattr(each, "device", "cpu") != "cpu" for each in self._evaluators)

    def play(self, plans: list[_Plan]) -> Iterator[MatchRecord]:
        for plan in plans:
            self._pool.add(plan.index, plan.seed, plan.opening, plan.first)
        return play(self._pool, self._evaluators)

    def close(self) -> None:
        for evaluator in self._evaluators:
            if close := getattr(evaluator, "close", None):
                close()


def _result(game: Game, plan: _Plan, record: MatchRecord, clocked: bool) -> MatchResult:
    """Replay a record: who made which move is for the rules to say."""
    opening = len(plan.opening)
    state = game.initial_state()
    notation = []
    work = [Work(), Work()]
    for ply, move in enumerate(record.moves):
        if ply >= opening:
            spent = record.spent[ply - opening]
            seconds = spent.seconds if clocked else math.nan
            mover = state.to_move ^ plan.first
            work[mover] += Work(1, seconds, spent.expansions, spent.evaluations)
        notation.append(state.move_to_string(move))
        state = state.play(move)
    return MatchResult(
        index=plan.index,
        seed=plan.seed,
        first=plan.first,
        opening=opening,
        moves=record.moves,
        notation=notation,
        outcome=record.outcome,
        work=(work[0], work[1]),
        memory_full=record.memory_full,
    )
