"""Self-play on this machine: its evaluator, and the source that suits it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from athenan._core import Game, Mind, Pool, ResolvedMemory
from athenan.evaluators.backends import fastest_backend
from athenan.evaluators.cpu import CpuEvaluator
from athenan.evaluators.network import NetworkEvaluator, network_evaluator
from athenan.selfplay.lanes import Lanes
from athenan.selfplay.rounds import Rounds
from athenan.selfplay.source import Source

if TYPE_CHECKING:
    from athenan.networks.network import Network


def selfplay_evaluator(
    network: Network,
    *,
    device: str,
    threads: int,
    precision: str = "auto",
    backend: str = "auto",
    concurrency: int = 0,
    branching: float = 0.0,
) -> NetworkEvaluator:
    """Make the evaluator of self-play.

    On a CPU "auto" is the backend that is the fastest with the batches of so many matches at a
    time, a thread's share of them or a single one; where their number is not given, it is the first
    backend that is installed.
    """
    if concurrency and device == "cpu" and backend == "auto":
        batch = round(branching * max(1, concurrency / threads))
        backend = fastest_backend(network, batch, min(threads, concurrency))
    return network_evaluator(
        network, device=device, threads=threads, precision=precision, backend=backend
    )


def local_source(
    game: Game,
    mind: Mind,
    evaluator: NetworkEvaluator,
    *,
    learning: str,
    concurrency: int,
    threads: int,
    memory: ResolvedMemory | None = None,
    lanes: ThreadPoolExecutor | None = None,
) -> Source:
    """Return self-play of so many matches at a time.

    Beside a GPU there are two pools, one of which it evaluates while all threads advance the other.
    On a CPU there is one pool, which all threads advance and evaluate in turn; or, with threads for
    `lanes`, as many pools as threads, which is faster, and whose matches end in any order.
    """

    def pools(count: int, threads_each: int) -> list[Pool]:
        sizes = [(concurrency + k) // count for k in range(count)]
        return [Pool(game, [mind], learning, size, threads_each, memory) for size in sizes if size]

    if lanes is not None and isinstance(evaluator, CpuEvaluator):
        return Lanes(pools(threads, 1), evaluator, lanes)
    return Rounds(pools(1 if evaluator.device == "cpu" else 2, threads), evaluator)
