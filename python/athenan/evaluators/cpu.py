"""What the evaluators on the CPU share: a batch cut into parts, worked off by a few threads.

Each part is one call of the network on one thread. Threads that work on parts scale far better
than threads inside the network's operations, and a part of some dozen states keeps its
intermediate planes in the cache.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from athenan.evaluators.evaluator import Evaluation, LegalMoves, Planes, Values
from athenan.evaluators.network import NetworkEvaluator
from athenan.evaluators.touches import Touches, move_logits

if TYPE_CHECKING:
    from athenan.networks.stored import AnyNetwork

Forward = Callable[[Planes], tuple[Values, Touches | None]]
"""One call of the network, on the thread that calls it; no touches without a second head."""

LARGEST_PART = 64
"""Rows. The rate is the same from 8 rows on and falls a little above 256."""
NEGLIGIBLE = 1e-30
"""A weight below it does nothing but make a CPU work with denormal numbers, many times slower.
L2 regularisation drives the weights of unused filters there: at times half of a network."""
SMALLEST_PART = 20e6
"""Operations worth another thread: about 200 µs, against the 50 µs that handing them over costs."""


class CpuEvaluator(NetworkEvaluator):
    """A network on the CPU: `threads` threads, of which the caller is one."""

    device = "cpu"

    def __init__(
        self, network: AnyNetwork, threads: int, prepare_thread: Callable[[], None] | None = None
    ) -> None:
        super().__init__(network)
        self.threads = threads
        self._smallest = max(1, round(SMALLEST_PART / operations(network)))
        self._helpers = ThreadPoolExecutor(threads, "evaluator", prepare_thread)
        self._forward = self._load(network)

    @abstractmethod
    def _load(self, network: AnyNetwork) -> Forward:
        """Return a call of the network with a copy of its weights."""

    def _take(self, network: AnyNetwork) -> None:
        self._forward = self._load(network)

    def _parts(self, rows: int, threads: int) -> list[slice]:
        """Cut a batch into parts for a number of threads."""
        return cut(rows, threads, self._smallest)

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        """Evaluate a batch; the calling thread takes its share."""
        batch = self._batch(planes, moves, self.threads)
        batch.share(self._helpers, min(self.threads, batch.parts) - 1)
        return batch.result()

    def on_this_thread(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        """Evaluate a batch without the help of other threads."""
        return self._batch(planes, moves, 1).result()

    def submit(self, planes: Planes, moves: LegalMoves | None = None) -> Batch:
        """Begin to evaluate a batch on the evaluator's own threads."""
        batch = self._batch(planes, moves, self.threads)
        batch.share(self._helpers, min(self.threads, batch.parts))
        return batch

    def _batch(self, planes: Planes, moves: LegalMoves | None, threads: int) -> Batch:
        planes = self._checked(planes, moves)
        parts = self._parts(len(planes), threads)
        return Batch(self._forward, planes, moves, parts, adds_values=self.gives_move_values)

    def close(self) -> None:
        """End the threads, when they have finished the batches under way."""
        self._helpers.shutdown()


class Batch:
    """A batch under way: threads take parts of it until none is left."""

    def __init__(
        self,
        forward: Forward,
        planes: Planes,
        moves: LegalMoves | None,
        parts: Sequence[slice],
        *,
        adds_values: bool,
    ) -> None:
        self.parts = len(parts)
        self._forward = forward
        self._planes = planes
        self._moves = moves
        self._adds_values = adds_values
        self._waiting = deque(parts)
        self._values = np.empty(len(planes), np.float32)
        self._logits = np.empty(0 if moves is None else len(moves.numbers), np.float32)
        self._answer = Evaluation(self._values, None if moves is None else self._logits)
        self._helpers: list[Future[None]] = []

    def share(self, pool: ThreadPoolExecutor, helpers: int) -> None:
        """Let a number of threads of the pool take part."""
        self._helpers = [pool.submit(self._work) for _ in range(helpers)]

    def result(self) -> Evaluation:
        """Take the parts that no thread has begun, wait for the others, and return the answer."""
        self._work()
        for helper in self._helpers:
            helper.result()
        return self._answer

    def _work(self) -> None:
        while self._waiting:
            try:
                part = self._waiting.popleft()
            except IndexError:  # another thread was faster
                return
            self._values[part], touches = self._forward(self._planes[part])
            if self._moves is not None and touches is not None:
                first, last = self._moves.offsets[[part.start, part.stop]]
                base = self._values[part] if self._adds_values else None
                self._logits[first:last] = move_logits(touches, self._moves, part.start, base)


def cut(rows: int, threads: int, smallest: int) -> list[slice]:
    """Cut a batch into equal parts, as many for each thread, unless they get too small.

    For one thread all parts but the last have the same size in every batch: a backend may have to
    prepare itself for another size.
    """
    if not rows:
        return []
    if threads == 1:
        return [slice(row, min(row + LARGEST_PART, rows)) for row in range(0, rows, LARGEST_PART)]
    count = -(-rows // max(LARGEST_PART, smallest))
    count = -(-count // threads) * threads
    count = max(1, min(count, rows // smallest))
    edges = [rows * i // count for i in range(count + 1)]
    return [slice(start, stop) for start, stop in pairwise(edges)]


def operations(network: AnyNetwork) -> int:
    """Count the floating-point operations of one state: two per weight and cell it is used on."""
    architecture = network.architecture
    _, rows, columns = network.input_shape
    total = 0
    for name, shape in network.shapes.items():
        cells = min(1, len(shape) - 1)  # none for a bias, one for a dense layer
        if len(shape) == 4 and architecture.code:
            cells = rows * columns
        elif len(shape) == 4:
            in_stem = name.startswith("stem.")
            passed = int(name.split(".")[1]) + 1 if in_stem else architecture.convolutions
            lost = 2 * passed if architecture.margin == "valid" else 0
            cells = (rows - lost) * (columns - lost)
        total += 2 * prod(shape) * cells
    return total
