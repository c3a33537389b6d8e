"""Pieces of work: each is done somewhere, and done again where whoever did it was lost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from athenan._core import Error, Stop, Stopped
from athenan.cluster.connection import Cluster
from athenan.cluster.reasons import raised, reason
from athenan.cluster.shares import Share

WAIT = 0.1  # seconds until it is looked whether to stop
LOOKS = 5.0  # seconds between two looks whether machines have joined
TRIES = 5  # of a piece: what kills so many workers would kill all of them


class Work(Protocol):
    """What is to be done."""

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What the function takes that does it."""


W = TypeVar("W", bound=Work)


@dataclass
class _Piece(Generic[W]):
    work: W
    tries: int = 0


class Hands(ABC):
    """Who does the work."""

    @abstractmethod
    def begin(self, work: Work) -> Any | None:
        """Let somebody begin; return the reference to the result, or None if nobody is free."""

    @abstractmethod
    def ended(self, reference: Any, *, lost: bool) -> None:
        """Hear that a piece has ended, perhaps with the death of who did it."""

    @abstractmethod
    def give_up(self, reference: Any) -> None:
        """End a piece that nobody wants any more."""


class Tasks(Hands):
    """Tasks of Ray, as many at a time as the machines have room for, and one more for each."""

    def __init__(self, cluster: Cluster, function: Any, share: Share) -> None:
        self._cluster = cluster
        self._function = cluster.task(function, share)
        self._share = share
        self._room = 0
        self._next_look = 0.0
        self._under_way = 0

    def begin(self, work: Work) -> Any | None:
        """Begin a task, unless so many wait already that it would only take memory."""
        if monotonic() >= self._next_look:
            self._next_look = monotonic() + LOOKS
            self._room = 2 * max(1, self._cluster.room(self._share))
        if self._under_way >= self._room:
            return None
        self._under_way += 1
        return self._function.remote(*work.arguments)

    def ended(self, reference: Any, *, lost: bool) -> None:  # noqa: ARG002 (Ray makes workers)
        """Make room for the next."""
        self._under_way -= 1

    def give_up(self, reference: Any) -> None:
        """End the process that works on it."""
        self._cluster.ray.cancel(reference, force=True)


def results(
    cluster: Cluster, hands: Hands, works: Iterable[W], stop: Stop | None = None
) -> Iterator[tuple[W, Any]]:
    """Do all pieces; yield each with its result when it is done, in any order."""
    waiting, coming = deque[_Piece[W]](), iter(works)
    under_way: dict[Any, _Piece[W]] = {}
    try:
        while True:
            if stop is not None and stop.requested:
                raise Stopped
            _begin(hands, waiting, coming, under_way)
            if not waiting and not under_way:
                return
            for reference in _done(cluster, list(under_way)):
                piece = under_way.pop(reference)
                try:
                    found = cluster.ray.get(reference)
                except cluster.ray.exceptions.RayError as problem:
                    is_raised = cluster.is_raised(problem)
                    hands.ended(reference, lost=not is_raised)
                    if is_raised:
                        raise failure_of(problem) from None
                    piece.tries += 1
                    if piece.tries >= TRIES:
                        why = reason(problem)
                        raise Error(f"{TRIES} workers died of the same work: {why}") from None
                    waiting.appendleft(piece)
                    continue
                hands.ended(reference, lost=False)
                yield piece.work, found
    finally:
        for reference in under_way:
            hands.give_up(reference)


def _begin(
    hands: Hands, waiting: deque[_Piece[W]], coming: Iterator[W], under_way: dict[Any, _Piece[W]]
) -> None:
    """Begin as many pieces as there are hands for, those first that were lost."""
    while True:
        if not waiting:
            following = next(coming, None)
            if following is None:
                return
            waiting.append(_Piece(following))
        reference = hands.begin(waiting[0].work)
        if reference is None:
            return
        under_way[reference] = waiting.popleft()


def _done(cluster: Cluster, references: list[Any]) -> list[Any]:
    """Return those that have ended; wait for the first, but not for long."""
    if not references:
        return []
    done, rest = cluster.ray.wait(references, num_returns=1, timeout=WAIT)
    if rest:
        done += cluster.ray.wait(rest, num_returns=len(rest), timeout=0)[0]
    return list(done)


def failure_of(problem: Any) -> Exception:
    """Return what a worker has raised: a mistake of the user's in its own words."""
    cause = problem.cause
    return Error(str(cause) if isinstance(cause, Error) else f"a worker failed: {raised(cause)}")
