"""A source and an evaluator that are watched at work, for `selfplay.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from athenan import Game
from athenan._core import MatchRecord, Stop
from athenan.evaluators.network import NetworkEvaluator
from athenan.networks.network import Network
from athenan.selfplay.openings import random_opening
from athenan.selfplay.source import Source
from athenan.selfplay.work import Work

LOOK_AT = 16  # duplicates are counted in one batch of so many


class Middle:
    """Where the first matches begin, so that they end as if there had been others before them."""

    def __init__(self, game: Game, concurrency: int) -> None:
        self._game = game
        self._concurrency = concurrency
        self._length = int(0.9 * game.initial_state().playouts(64, seed=1).plies / 64)

    def opening(self, index: int) -> Sequence[int]:
        """Return the moves that a match begins after: none but for the first ones."""
        if index >= self._concurrency:
            return ()
        return random_opening(self._game, self._length, index)


class InTheMiddle(Source):
    """A source whose first matches begin in the middle, as if it had played for long."""

    def __init__(self, inner: Source, game: Game, concurrency: int) -> None:
        self._inner = inner
        self._middle = Middle(game, concurrency)

    @property
    def work(self) -> Work:
        return self._inner.work

    @property
    def at_rest(self) -> bool:
        return self._inner.at_rest

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        self._inner.add(index, seed, progress, opening or self._middle.opening(index))

    def step(self, stop: Stop | None = None) -> list[MatchRecord]:
        return self._inner.step(stop)

    def take_weights(self, *networks: Network) -> None:
        self._inner.take_weights(*networks)

    def rest(self) -> None:
        self._inner.rest()


class Duplicates:
    """Counts equal states, in some of the batches."""

    def __init__(self) -> None:
        self.batches = self.states = self.distinct = 0

    def look(self, planes: Any) -> None:
        self.batches += 1
        if self.batches % LOOK_AT == 0:
            self.states += len(planes)
            self.distinct += len({plane.tobytes() for plane in planes})

    @property
    def share(self) -> float:
        return 1 - self.distinct / max(self.states, 1)


@contextmanager
def counting_duplicates(evaluator: NetworkEvaluator) -> Iterator[Duplicates]:
    """Let an evaluator look at its batches for a while."""
    found, kind = Duplicates(), type(evaluator)

    class Looking(kind):  # type: ignore[misc, valid-type]
        def evaluate(self, planes: Any, moves: Any = None) -> Any:
            found.look(planes)
            return super().evaluate(planes, moves)

        def submit(self, planes: Any, moves: Any = None) -> Any:
            found.look(planes)
            return super().submit(planes, moves)

        def on_this_thread(self, planes: Any, moves: Any = None) -> Any:
            found.look(planes)
            return super().on_this_thread(planes, moves)

    evaluator.__class__ = Looking
    try:
        yield found
    finally:
        evaluator.__class__ = kind
