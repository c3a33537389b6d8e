"""The queue of searches: fair to every visitor, bounded in number, time and memory.

Few threads search, each for one job at a time. Addresses take turns, slice by slice, and so do the
visitors of each: one who asks for much, over however many connections, waits for himself only. A
job gets what its thread keeps: evaluators of networks are made
once per thread and not once per move.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from athenan._core import Error, Stop

B = TypeVar("B")
LOG = logging.getLogger(__name__)


class BusyError(Error):
    """There is no room for one more search."""


@dataclass(eq=False)
class Job(Generic[B]):
    """One search that waits or works."""

    visitor: str
    address: str
    work: Callable[[B, Stop], bool]
    stop: Stop = field(default_factory=Stop)

    def cancel(self) -> None:
        """Ask it to end; a waiting one finds its token requested when its turn comes."""
        self.stop.request()


class SearchQueue(Generic[B]):
    """Threads that search for visitors in turn."""

    def __init__(
        self,
        bench: Callable[[], AbstractContextManager[B]],
        workers: int,
        max_waiting: int,
        max_per_visitor: int,
        max_per_address: int,
    ) -> None:
        self._max_waiting = max_waiting
        self._max_per_visitor, self._max_per_address = max_per_visitor, max_per_address
        self._waiting: OrderedDict[str, OrderedDict[str, deque[Job[B]]]] = OrderedDict()
        self._working: set[Job[B]] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, args=(bench,), daemon=True, name=f"search-{n}")
            for n in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, visitor: str, address: str, work: Callable[[B, Stop], bool]) -> Job[B]:
        """Add a search of a visitor at an address; refuse one too many.

        `work` does a slice of the search and tells whether there is more to do. Then it takes its
        turn again, behind the other visitors.
        """
        job = Job(visitor, address, work)
        with self._changed:
            there = self._waiting.get(address, OrderedDict())
            own = there.get(visitor, ())
            if len(own) >= self._max_per_visitor:
                raise BusyError(f"{len(own)} searches of yours are waiting: stop one of them")
            if sum(map(len, there.values())) >= self._max_per_address:
                raise BusyError("too many searches of your address are waiting: stop some of them")
            if self.waiting >= self._max_waiting:
                raise BusyError("too many searches are waiting: try again in a moment")
            self._add(job)
            self._changed.notify()
        return job

    @property
    def waiting(self) -> int:
        """How many searches wait."""
        return sum(len(jobs) for there in self._waiting.values() for jobs in there.values())

    def close(self, seconds: float = 5.0) -> None:
        """Stop all searches and wait for the threads, but not for long."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            for job in self._working:
                job.cancel()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(seconds)

    def _serve(self, bench: Callable[[], AbstractContextManager[B]]) -> None:
        with bench() as own:
            while (job := self._next()) is not None:
                more = False
                try:
                    more = job.work(own, job.stop)
                except Exception:  # a mistake of ours may end this search, never the thread
                    LOG.exception("a search failed")
                with self._changed:
                    self._working.discard(job)
                    if more and not self._closed:
                        self._add(job)
                del job  # it may hold a tree, and the next one may be long in coming

    def _add(self, job: Job[B]) -> None:
        there = self._waiting.setdefault(job.address, OrderedDict())
        there.setdefault(job.visitor, deque()).append(job)

    def _next(self) -> Job[B] | None:
        """Take a search of the address, and there of the visitor, who has waited for longest."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            if self._closed:
                return None
            address, there = self._waiting.popitem(last=False)
            visitor, jobs = there.popitem(last=False)
            job = jobs.popleft()
            if jobs:
                there[visitor] = jobs  # at the end: the others come first
            if there:
                self._waiting[address] = there
            self._working.add(job)
            return job
