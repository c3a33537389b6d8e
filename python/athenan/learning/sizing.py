"""How many matches at a time: measured on the machine at hand, within its memory.

More matches make larger batches, which a device evaluates faster up to a point; beyond it they only
take memory and play longer with old weights. So the choice is the smallest number that reaches
nearly the best rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

from athenan._core import Game, Mind, Pool, ResolvedMemory
from athenan.evaluators.cpu import CpuEvaluator
from athenan.evaluators.network import NetworkEvaluator
from athenan.learning.estimate import SHARE_OF_MEMORY, estimate, matches_at_a_time
from athenan.learning.settings import Config
from athenan.machine import available_memory
from athenan.networks import weight_count
from athenan.selfplay.lanes import Lanes
from athenan.selfplay.rounds import Rounds

GOOD_ENOUGH = 0.95  # of the best rate measured
WARM_UP = 0.3  # of the time of a measurement
FACTORS = (0.125, 0.25, 0.5, 1, 2)  # of the usual number of matches: what is measured


@dataclass(frozen=True)
class Measured:
    """Self-play with so many matches at a time, without learning."""

    matches: int
    batch: float
    """States per batch, on average."""
    states_per_second: float
    rules_share: float
    """Part of the time that went into rules and trees, not into waiting for the network."""
    tree_bytes: int
    """Of all matches together at the end of the measurement."""


def make_rounds(
    game: Game,
    config: Config,
    matches: int,
    evaluator: NetworkEvaluator,
    threads: int,
    *,
    memory: ResolvedMemory | None = None,
    lanes: ThreadPoolExecutor | None = None,
) -> Rounds | Lanes:
    """Return self-play of so many matches at a time.

    Beside a GPU there are two pools, one of which it evaluates while all threads advance the other.
    On a CPU there is one pool, which all threads advance and evaluate in turn; or, with threads for
    `lanes`, as many pools as threads, which is faster, and whose matches end in any order.
    """
    mind = Mind(config.selfplay.search_text(), config.selfplay.selection)

    def pools(count: int, threads_each: int) -> list[Pool]:
        sizes = [(matches + k) // count for k in range(count)]
        learned = config.learning.data
        return [Pool(game, [mind], learned, size, threads_each, memory) for size in sizes if size]

    if lanes is not None and isinstance(evaluator, CpuEvaluator):
        return Lanes(pools(threads, 1), evaluator, lanes)
    return Rounds(pools(1 if evaluator.device == "cpu" else 2, threads), evaluator)


def best_measured(
    game: Game, config: Config, evaluator: NetworkEvaluator, *, threads: int, seconds: float
) -> Measured:
    """Try numbers of matches, each for some seconds, and choose."""
    numbers = candidates(game, config, evaluator)
    found = measure(game, config, evaluator, numbers, threads=threads, seconds=seconds)
    return choose(list(found))


def candidates(game: Game, config: Config, evaluator: NetworkEvaluator) -> list[int]:
    """Return numbers of matches worth measuring, as far as the memory allows."""
    device = evaluator.device.partition(":")[0]
    usual = matches_at_a_time(game, device)
    found = sorted({max(1, round(usual * factor)) for factor in FACTORS})
    weights = weight_count(evaluator.architecture, game)
    memory = SHARE_OF_MEMORY * available_memory()
    fitting = [n for n in found if not memory or estimate(config, n, weights).memory <= memory]
    return fitting or found[:1]


def measure(
    game: Game,
    config: Config,
    evaluator: NetworkEvaluator,
    numbers: Sequence[int],
    *,
    threads: int,
    seconds: float,
) -> Iterator[Measured]:
    """Play with each number of matches for some seconds."""
    with ThreadPoolExecutor(threads, "self-play") as lanes:
        for matches in numbers:
            rounds = make_rounds(game, config, matches, evaluator, threads, lanes=lanes)
            yield _measured(rounds, matches, seconds)


def _measured(rounds: Rounds | Lanes, matches: int, seconds: float) -> Measured:
    for index in range(matches):
        rounds.add(index, index, 0.0)
        rounds.skip()
    following = matches
    for share in (WARM_UP, 1.0):
        start, before = perf_counter(), rounds.work
        while (elapsed := perf_counter() - start) < share * seconds:
            for _ in rounds.step():
                rounds.add(following, following, 0.0)
                following += 1
            rounds.skip()
    rounds.finish()
    work = rounds.work - before
    return Measured(
        matches=matches,
        batch=work.evaluations / max(1, work.batches),
        states_per_second=work.evaluations / elapsed,
        rules_share=work.rules_share,
        tree_bytes=rounds.tree_bytes,
    )


def choose(measured: Sequence[Measured]) -> Measured:
    """Return the smallest number of matches that reaches nearly the best rate."""
    best = max(each.states_per_second for each in measured)
    good = [each for each in measured if each.states_per_second >= GOOD_ENOUGH * best]
    return min(good, key=lambda each: each.matches)
