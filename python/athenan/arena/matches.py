"""Series of matches between two players, each opening played twice with colours exchanged.

Two searches limited by anything but seconds play in one pool, so that networks get large batches;
the results then depend on the seed alone. Such a search against an engine, which thinks elsewhere,
plays its matches in one pool too: as many at a time as there are workers, each with a process of
the engine. All others play one match per worker, before a referee if one of them is no search or
thinks for seconds, or the conditions want one. There a search without a clock shares its evaluator,
and its batches, with the same search in all other matches.
Where a clock runs each worker has one thread and evaluators of its own, so that no player thinks on
another's time; a network on a GPU has it to itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from queue import Empty, SimpleQueue

from athenan._core import Error, Game, Stop
from athenan.arena.conditions import Conditions
from athenan.arena.guest_table import GuestTable
from athenan.arena.openings import Opening, distinct_openings, expect_openings
from athenan.arena.player import PlayerSpec
from athenan.arena.record import Match
from athenan.arena.search_player import SearchPlayerSpec
from athenan.arena.stopping import PATIENCE, relayed
from athenan.arena.tables import PlainTable, Plan, PoolTable, Table, seed_of
from athenan.expected import (
    MOST_MATCHES,
    expect,
    expect_each,
    expect_game,
    expect_seed,
    expect_stop,
    expect_whole,
)
from athenan.machine import available_cores, megabytes_per_tree

SLOTS = 32  # matches at a time in the pool: enough for large batches, few enough for the memory
MOST_WORKERS = 1024


def play_matches(
    game: Game,
    a: PlayerSpec,
    b: PlayerSpec,
    matches: int,
    *,
    seed: int = 0,
    workers: int = 0,
    openings: Sequence[Opening] | None = None,
    conditions: Conditions = Conditions(),  # noqa: B008 (a value)
    played: Collection[int] = (),
    stop: Stop | None = None,
) -> Generator[Match, None, None]:
    """Play a series and yield each match when it ends.

    Matches 2i and 2i + 1 begin with the opening i: a plays first in the former, b in the latter.
    Openings are drawn with the seed unless given; if there are too few they are used again, with
    other seeds for the players. `workers` is how many threads play (0: one per core). A match that
    a player's fault ended says so in `Match.reason`, and the series goes on. Matches whose index is
    in `played` are left out: they were played before. The trees of all
    matches together get half of the free memory, unless a player names its own `memory_mb`;
    `Match.memory_full` tells when that was too little. A request to stop raises `Stopped`; that,
    an exception, Ctrl-C and closing the iterator all end the matches under way at once.

    >>> import athenan
    >>> from athenan.arena import player
    >>> game = athenan.make_game("tic_tac_toe")
    >>> strong, weak = player("ubfm-safe:expansions=50", game), player("random", game)
    >>> sum(match.gain for match in play_matches(game, strong, weak, 20)) > 10
    True
    """
    expect_game(game)
    for each in (a, b):
        expect(
            each,
            PlayerSpec,  # type: ignore[type-abstract]
            "a player, as athenan.arena.player('mcts', game) returns it",
        )
    if game.datasheet.players != 2:
        raise Error(f"{game.id} is for one player: it has no opponent (athenan solo plays alone)")
    expect_whole(matches, "the number of matches", 0, MOST_MATCHES)
    expect_whole(workers, "the number of workers, 0 for one per core", 0, MOST_WORKERS)
    expect(conditions, Conditions, "Conditions")
    seed, stop = expect_seed(seed), expect_stop(stop)
    played = frozenset(expect_each(played, int, "the indices of matches that were played"))
    if openings is not None:
        openings = expect_openings(openings, game)
    else:
        openings = distinct_openings(game, (matches + 1) // 2, seed)
    plans = [
        Plan(index, seed_of(seed, index), opening.moves, opening.start)
        for index in range(matches)
        for opening in [openings[index // 2 % len(openings)]]
        if index not in played
    ]
    workers = min(workers or available_cores(), max(len(plans), 1))
    timed = a.is_timed or b.is_timed
    watched = timed or conditions.need_referee or any(plan.start for plan in plans)
    together = _share_a_pool(a, b) and not watched
    slots = min(SLOTS, max(matches, 1)) if together else workers
    memory = megabytes_per_tree(2 * slots)
    one, other = a.within(memory), b.within(memory)
    if not watched and _is_guest_of(one, other):
        threads = min(workers, available_cores())
        found = _at_one_table(
            lambda: GuestTable(game, one, other, slots, threads, conditions), plans, stop
        )
    elif watched or not (isinstance(one, SearchPlayerSpec) and isinstance(other, SearchPlayerSpec)):
        found = _before_referees(game, one, other, plans, workers, conditions, stop)
    elif together:
        pair = one, other
        found = _at_one_table(lambda: PoolTable(game, *pair, slots, workers), plans, stop)
    else:
        pair = one, other
        found = _at_tables(lambda: PoolTable(game, *pair, 1, 1), plans, workers, stop)
    return described(found, a, b)


def described(
    matches: Generator[Match, None, None], a: PlayerSpec, b: PlayerSpec
) -> Generator[Match, None, None]:
    """Say of each match of a series what its players are, in full."""
    texts = a.description, b.description
    with closing(matches):
        for match in matches:
            yield replace(match, descriptions=texts[::-1] if match.index % 2 else texts)


def _before_referees(
    game: Game,
    a: PlayerSpec,
    b: PlayerSpec,
    plans: list[Plan],
    workers: int,
    conditions: Conditions,
    stop: Stop | None,
) -> Generator[Match, None, None]:
    """Play one match at a time in each worker; searches without a clock share their evaluators."""
    timed = conditions.control.is_timed or a.is_timed or b.is_timed
    with ExitStack() as stack:
        pair = [
            stack.enter_context(each.sharing(workers))
            if isinstance(each, SearchPlayerSpec) and not timed
            else each
            for each in (a, b)
        ]
        yield from _at_tables(
            lambda: PlainTable(game, pair[0], pair[1], 1, conditions), plans, workers, stop
        )


def _is_guest_of(a: PlayerSpec, b: PlayerSpec) -> bool:
    """Tell whether one is a search that asks for values, and the other thinks elsewhere."""
    searches = [each.search for each in (a, b) if isinstance(each, SearchPlayerSpec)]
    elsewhere = a.thinks_elsewhere or b.thinks_elsewhere
    return elsewhere and len(searches) == 1 and searches[0].algorithm.needs_evaluator


def _share_a_pool(*players: PlayerSpec) -> bool:
    """Tell whether all matches advance together: searches without a clock that ask for values."""
    searches = [each.search for each in players if isinstance(each, SearchPlayerSpec)]
    return (
        len(searches) == len(players)
        and not any(each.is_timed for each in searches)
        and any(each.algorithm.needs_evaluator for each in searches)
    )


def _at_one_table(
    make: Callable[[], Table], plans: list[Plan], stop: Stop | None
) -> Generator[Match, None, None]:
    """Play all matches together, on the thread of the caller."""
    with closing(make()) as table:
        yield from table.play(plans, stop)


def _at_tables(
    make: Callable[[], Table], plans: list[Plan], workers: int, asked: Stop | None
) -> Generator[Match, None, None]:
    """Play one match at a time in each worker: a fair clock, a result as soon as there is one."""
    waiting: SimpleQueue[Plan] = SimpleQueue()
    played: SimpleQueue[Match | BaseException] = SimpleQueue()
    for plan in plans:
        waiting.put(plan)

    def work(table: Table, stop: Stop) -> None:
        try:
            while (plan := _next(waiting)) is not None:
                for match in table.play([plan], stop):
                    played.put(match)
        except BaseException as problem:
            played.put(problem)

    with ExitStack() as stack:
        tables = [stack.enter_context(closing(make()))]
        while len(tables) < workers and not tables[0].is_exclusive:
            tables.append(stack.enter_context(closing(make())))
        with _working(work, tables, asked):
            for _ in plans:
                match = _taken(played)
                if isinstance(match, BaseException):
                    raise match
                yield match


def _next(waiting: SimpleQueue[Plan]) -> Plan | None:
    try:
        return waiting.get_nowait()
    except Empty:
        return None


def _taken(played: SimpleQueue[Match | BaseException]) -> Match | BaseException:
    """Take what comes next; a thread that waits without end might miss Ctrl-C."""
    while True:
        with suppress(Empty):
            return played.get(timeout=PATIENCE)


@contextmanager
def _working(
    work: Callable[[Table, Stop], None], tables: list[Table], asked: Stop | None
) -> Iterator[None]:
    """Let a thread work at each table; at the end stop all of them and wait for them."""
    threads = []
    try:
        with relayed(asked) as stop:
            for table in tables:
                threads.append(threading.Thread(target=work, args=(table, stop)))
                threads[-1].start()
            yield
    finally:
        for thread in threads:
            thread.join()
