"""The queue of searches: fair, bounded, and closed in time."""

import asyncio
import gc
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import closing, nullcontext

import athenan
import pytest
from athenan import Stop
from athenan.web.bench import Bench, Thinker
from athenan.web.catalogue import Catalogue
from athenan.web.guard import Bucket
from athenan.web.hall import Hall
from athenan.web.live import Connection
from athenan.web.match import Match
from athenan.web.queue import BusyError, SearchQueue
from athenan.web.requests import Message, Reading
from athenan.web.seats import Seat
from athenan.web.settings import Settings
from athenan.web.shelf import Shelf
from athenan.web.thinking import Thinking, Work
from web.loops import run_alone

PATIENCE = 10.0


def queue_of(workers: int = 1, waiting: int = 100, own: int = 50) -> SearchQueue[None]:
    return SearchQueue(lambda: nullcontext(None), workers, waiting, own, waiting)


def test_visitors_take_turns() -> None:
    queue, order, gate, done = queue_of(), [], threading.Event(), threading.Event()

    def block(_bench: None, _stop: Stop) -> bool:
        gate.wait(PATIENCE)
        return False

    def job(name: str, last: bool = False) -> None:
        def work(_bench: None, _stop: Stop) -> bool:
            order.append(name)
            if last:
                done.set()
            return False

        queue.submit(name, "here", work)

    queue.submit("anybody", "here", block)
    time.sleep(0.05)
    for _ in range(5):
        job("greedy")
    job("modest")
    job("greedy", last=True)
    gate.set()
    assert done.wait(PATIENCE)
    assert order.index("modest") == 1
    queue.close()


def test_who_comes_over_many_connections_has_one_turn_like_others() -> None:
    queue, order, gate, done = queue_of(), [], threading.Event(), threading.Event()

    def block(_bench: None, _stop: Stop) -> bool:
        gate.wait(PATIENCE)
        return False

    def job(visitor: str, address: str) -> None:
        def work(_bench: None, _stop: Stop) -> bool:
            order.append(visitor)
            if len(order) == 12:
                done.set()
            return False

        queue.submit(visitor, address, work)

    queue.submit("anybody", "elsewhere", block)
    time.sleep(0.05)
    for n in range(10):
        job(f"greedy {n}", "one address")
    job("modest 1", "another address")
    job("modest 2", "another address")
    gate.set()
    assert done.wait(PATIENCE)
    assert order[:4] == ["greedy 0", "modest 1", "greedy 1", "modest 2"]
    queue.close()


def test_one_address_does_not_fill_the_queue() -> None:
    queue: SearchQueue[None] = SearchQueue(lambda: nullcontext(None), 0, 10, 4, 6)
    for n in range(6):
        queue.submit(f"greedy {n}", "one address", lambda *_: False)
    with pytest.raises(BusyError, match="of your address"):
        queue.submit("greedy 7", "one address", lambda *_: False)
    queue.submit("modest", "another address", lambda *_: False)
    queue.close()


def test_a_long_search_takes_turns_too() -> None:
    queue, order, done = queue_of(), [], threading.Event()
    slices = iter(range(40))

    def long(_bench: None, stop: Stop) -> bool:
        order.append("long")
        time.sleep(0.002)
        return next(slices, None) is not None and not stop.requested

    def short(_bench: None, _stop: Stop) -> bool:
        order.append("short")
        done.set()
        return False

    queue.submit("one", "here", long)
    time.sleep(0.01)
    queue.submit("other", "here", short)
    assert done.wait(PATIENCE)
    assert order.index("short") < 35
    queue.close()


def test_too_many_searches_are_refused() -> None:
    queue, gate = queue_of(waiting=5, own=3), threading.Event()

    def block(_bench: None, _stop: Stop) -> bool:
        gate.wait(PATIENCE)
        return False

    queue.submit("first", "here", block)
    time.sleep(0.05)
    for _ in range(3):
        queue.submit("greedy", "here", block)
    with pytest.raises(BusyError, match="of yours are waiting"):
        queue.submit("greedy", "here", block)
    for n in range(2):
        queue.submit(f"visitor {n}", "here", block)
    with pytest.raises(BusyError, match="too many searches"):
        queue.submit("late", "here", block)
    gate.set()
    queue.close()


def test_a_job_that_is_done_is_not_held() -> None:
    """Its tree would stay in memory until the next search comes, which may be tomorrow."""

    class Work:
        def __call__(self, _bench: None, _stop: Stop) -> bool:
            return False

    queue, work = queue_of(), Work()
    done = weakref.ref(work)
    queue.submit("one", "here", work)
    del work
    deadline = time.monotonic() + PATIENCE
    while done() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert done() is None
    queue.close()


def test_closing_stops_what_works() -> None:
    queue, started = queue_of(workers=2), threading.Event()

    def endless(_bench: None, stop: Stop) -> bool:
        started.set()
        return not stop.requested

    queue.submit("one", "here", endless)
    assert started.wait(PATIENCE)
    before = time.monotonic()
    queue.close()
    assert time.monotonic() - before < 4
    assert not any(thread.is_alive() for thread in queue._threads)


def test_a_failing_search_ends_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    queue, done = queue_of(), threading.Event()

    def fail(_bench: None, _stop: Stop) -> bool:
        raise ZeroDivisionError

    def fine(_bench: None, _stop: Stop) -> bool:
        done.set()
        return False

    queue.submit("one", "here", fail)
    queue.submit("two", "here", fine)
    assert done.wait(PATIENCE)
    assert "a search failed" in caplog.text
    queue.close()


def test_a_search_with_nothing_left_to_look_at_ends() -> None:
    """Base MCTS of a small position is through long before its time is up."""
    game = athenan.make_game("hex:size=3,swap=false")
    state = game.initial_state().play("a1").play("b2").play("c1").play("c2")
    settings, heard = Settings(), []
    bench = Bench(Catalogue(settings), settings, Shelf(1 << 30))

    def hear(_found: object, work: Work, ended: bool, _lengths: object) -> None:
        heard.append((work.seconds, ended))

    thinking = Thinking(Thinker(), state, 5.0, hear)
    while thinking(bench, Stop()):
        assert thinking.work.seconds < 2.0
    assert len(heard) <= 2
    assert heard[-1][1]


def test_a_search_that_finds_more_goes_on_slice_by_slice() -> None:
    """A slice may end a little early, to be in time: that is not the end."""
    settings, state = Settings(), athenan.make_game("hex:size=9").initial_state()
    bench = Bench(Catalogue(settings), settings, Shelf(1 << 30))
    thinking = Thinking(Thinker(), state, 0.5, lambda *_: None)
    while thinking(bench, Stop()):
        pass
    assert thinking.work.seconds > 0.45


def test_all_trees_together_are_bounded() -> None:
    """Old trees make room; where that is not enough, what is under way ends."""
    state = athenan.make_game("hex:size=9").initial_state()
    settings, bound = Settings(), 6 << 20
    shelf = Shelf(bound)
    bench = Bench(Catalogue(settings), settings, shelf)
    ends: list[bool] = []

    def thinking(seconds: float) -> Thinking:
        return Thinking(Thinker(), state, seconds, lambda _f, _w, ended, _l: ends.append(ended))

    visitors = [thinking(0.05) for _ in range(30)]
    for each in visitors:
        while each(bench, Stop()):
            pass
    largest = max(each.tree_bytes for each in visitors)
    assert sum(each.tree_bytes for each in visitors) <= bound + largest
    assert visitors[-1].labels([])[0], "the last one has room"
    assert visitors[0].search is None, "the oldest one made room"
    with pytest.raises(athenan.Error, match="analyse the position again"):
        visitors[0].labels([])
    endless, slices = thinking(1e6), 0
    while endless(bench, Stop()):
        slices += 1
        assert shelf.total < bound + (64 << 20), "one slice past the bound at most"
    assert ends[-1]
    del visitors, each
    assert shelf.total == endless.tree_bytes, "nobody holds the others any more"


def test_a_level_ends_after_its_looks_however_fast_the_machine() -> None:
    state, settings = athenan.make_game("hex:size=5").initial_state(), Settings()
    bench = Bench(Catalogue(settings), settings, Shelf(1 << 30))
    done: list[int] = []
    thinking = Thinking(
        Thinker(),
        state,
        60.0,
        lambda _f, work, _e, _l: done.append(work.iterations),
        iterations=100,
    )
    assert not thinking(bench, Stop())
    assert done == [100]


def leave(line: Connection, _hall: Hall) -> None:
    line._leave()


def move(line: Connection, hall: Hall) -> None:
    state = athenan.make_game("tic_tac_toe").initial_state()
    match = Match([state], [], [Seat(0, "one"), Seat(1, "other")])
    hall.add(match)
    line.move(Message({"match": match.id, "key": match.mover.key, "ply": 0, "move": "b2"}))
    assert match.played == ["b2"]


@pytest.mark.parametrize("go_on", [leave, move])
def test_who_leaves_or_moves_gives_up_his_tree(go_on: Callable[[Connection, Hall], None]) -> None:
    """At once, not when Python next looks for circles: it knows nothing of the size of trees."""

    async def analyse_and_go_on() -> object:
        settings = Settings()
        catalogue = Catalogue(settings)
        queue = queue_with(catalogue, settings)
        hall, reading = Hall(queue, settings.limits), Reading(catalogue, settings)
        line = Connection(None, hall, queue, reading, "here", Bucket(1))  # type: ignore[arg-type]
        line.think(Message({"game": "hex:size=5", "moves": [], "seconds": 0.1}))
        deadline = time.monotonic() + PATIENCE
        while line._thinking and line._thinking.work.seconds < 0.09 and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)  # the last slice of the search is over
        assert line._thinking is not None
        assert line._thinking.tree_bytes > 0
        left = weakref.ref(line._thinking)
        go_on(line, hall)
        queue.close()
        await asyncio.sleep(0.05)
        return left()

    gc.collect()
    gc.disable()
    try:
        assert run_alone(analyse_and_go_on(), PATIENCE) is None
    finally:
        gc.enable()


def queue_with(catalogue: Catalogue, settings: Settings) -> SearchQueue[Bench]:
    return SearchQueue(lambda: closing(Bench(catalogue, settings, Shelf(1 << 30))), 1, 10, 4, 10)
