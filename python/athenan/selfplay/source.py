"""Where the matches of a learning process come from.

A source is given matches to play and new weights to play them with, works step by step, and hands
over the records of matches that ended. The code that drives it does not know where they are played:
in pools of this process (`rounds`, `lanes`), in another process, or on another machine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from athenan._core import MatchRecord, Pool, ResolvedMemory, Stop
from athenan.evaluators.evaluator import Evaluation, LegalMoves, Planes
from athenan.selfplay.work import Tally, Work

if TYPE_CHECKING:
    from athenan.evaluators.network import NetworkEvaluator
    from athenan.networks.network import Network

T = TypeVar("T")


class Glimpse(NamedTuple):
    """A match as far as it has come."""

    number: int
    moves: Sequence[int]
    """The opening included."""
    values: Sequence[float]
    """Of the searches, one for each move after the opening; the first player's."""


@dataclass(frozen=True)
class WorkerState:
    """How one of a source's workers fares, where it has some."""

    name: str
    place: str
    """The machine, and what networks run on there."""
    alive: bool
    evaluations: int
    """States evaluated so far."""
    staleness: int
    """Matches learned since its weights were made."""
    playing: int
    """Matches under way or queued there."""
    calls: int
    """Orders that it has not answered."""
    lost: int
    """How often it was lost."""


class Source(ABC):
    """Plays matches."""

    is_elsewhere = False
    """Whether it has processors of its own, which learning does not share."""
    dashboard = ""
    """The address of a page about its machines, if there is one."""

    @property
    @abstractmethod
    def work(self) -> Work:
        """What was done so far, unfinished matches included."""

    @property
    @abstractmethod
    def at_rest(self) -> bool:
        """Whether every match added so far has ended."""

    @property
    def tree_bytes(self) -> int:
        """The memory of the trees of all matches, as far as it is known; only while it rests."""
        return 0

    @property
    def glimpse(self) -> Glimpse | None:
        """A match to watch, if there is one; any thread may ask."""
        return None

    @property
    def suits(self) -> tuple[int, int] | None:
        """How many matches at a time suit it now, to begin with and at most; None: any number."""
        return None

    @property
    def workers(self) -> tuple[WorkerState, ...]:
        """How its workers fare, if it has any."""
        return ()

    @property
    def cpu_seconds(self) -> float:
        """The processor time of other processes that work for it, so far."""
        return 0.0

    def take_stage(self, matches: int) -> None:  # noqa: B027 (pools are made for one stage)
        """Continue with the settings of the stage after a number of matches; it is at rest."""

    def prepare(self, stop: Stop) -> None:  # noqa: B027 (most are ready at once)
        """Get ready to play, which may take a while; a request to stop raises Stopped."""

    @abstractmethod
    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        """Queue a match."""

    @abstractmethod
    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        """Do some work and return the matches that ended.

        A request to stop ends it at once, with nothing; the next step goes on where it ended.
        """

    @abstractmethod
    def take_weights(self, *networks: Network) -> None:
        """Play on with the weights of this network, or of both that play against each other.

        Any thread may call it.
        """

    def take_resolved(self, memory: ResolvedMemory) -> None:  # noqa: B027 (pools share it)
        """Play on knowing what this memory holds, and forget what it does not."""

    def rest(self) -> None:  # noqa: B027 (a source may have nothing under way between two steps)
        """Wait for what is under way: nothing is computed until the next step."""

    def close(self) -> None:
        """Give up all matches."""
        self.rest()


class Deal:
    """Which pool gets a match: the one with the fewest.

    Among equals it is the one whose matches have just ended; else they take turns.
    """

    def __init__(self, pools: int) -> None:
        self.matches = [0] * pools
        """Under way or queued in each pool."""
        self.turn = 0
        self._ended_in = -1

    @property
    def at_rest(self) -> bool:
        """Whether no pool has a match."""
        return not any(self.matches)

    def deal(self) -> int:
        """Return the pool of the next match, which counts as its own from now on."""
        pools = len(self.matches)

        def rank(pool: int) -> tuple[int, bool, int]:
            return self.matches[pool], pool != self._ended_in, (pool - self.turn) % pools

        chosen = min(range(pools), key=rank)
        self.matches[chosen] += 1
        return chosen

    def ended(self, pool: int, matches: int) -> None:
        """Note that matches of a pool have ended, and pass the turn to the next one."""
        self.matches[pool] -= matches
        self.turn = (pool + 1) % len(self.matches)
        self._ended_in = -1 if self.at_rest else pool


class Pools(Source):
    """A source on this machine: pools that share one evaluator."""

    def __init__(self, pools: Sequence[Pool], evaluator: NetworkEvaluator) -> None:
        self._pools = list(pools)
        self._evaluator = evaluator
        self._deal = Deal(len(pools))
        self._tallies = [Tally(pool) for pool in pools]

    @property
    def work(self) -> Work:
        """What was done so far, unfinished matches included."""
        return sum((tally.work for tally in self._tallies), Work())

    @property
    def at_rest(self) -> bool:
        """Whether every match added so far has ended."""
        return self._deal.at_rest

    @property
    def tree_bytes(self) -> int:
        """The memory of the trees of all matches; only while it rests."""
        return sum(pool.tree_bytes for pool in self._pools)

    @property
    def glimpse(self) -> Glimpse | None:
        """A match of the first pool: under way, or the last one that ended in its place."""
        seen = self._pools[0].glimpse
        return None if seen is None else Glimpse(*seen)

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        """Queue a match."""
        self._pools[self._deal.deal()].add(index, seed, list(opening), progress=progress)

    def take_weights(self, *networks: Network) -> None:
        """Evaluate with the weights of the first network from the next batch on."""
        self._evaluator.update(networks[0])

    def _ended(self, number: int) -> list[MatchRecord]:
        """Take the matches of a pool that have ended."""
        ended = self._pools[number].take_finished()
        self._deal.ended(number, len(ended))
        return ended


def ask(pool: Pool, evaluate: Callable[[Planes, LegalMoves | None], T]) -> T:
    """Let an evaluator look at the waiting states, and at their moves where a policy is wanted."""
    return evaluate(pool.batch(0), pool.moves(0))


def answer(pool: Pool, found: Evaluation) -> None:
    """Hand the values of the waiting states back to their pool, and the logits if there are any."""
    pool.resume(0, found.values, found.logits)
