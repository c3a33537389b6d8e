"""How many matches at a time: measured on the machine at hand, within its memory.

More matches make larger batches, which a device evaluates faster up to a point; beyond it they only
take memory and play longer with old weights. So the choice is the smallest number that reaches
nearly the best rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from athenan._core import Game, Mind, Pool, ResolvedMemory
from athenan.evaluators.network import NetworkEvaluator
from athenan.learning.settings import Config
from athenan.selfplay.rounds import Rounds

GOOD_ENOUGH = 0.95  # of the best rate measured
WARM_UP = 0.3  # of the time of a measurement


@dataclass(frozen=True)
class Measured:
    """Self-play with so many matches at a time, without learning."""

    matches: int
    batch: float
    """States per batch, on average."""
    states_per_second: float
    rules_share: float
    """Part of the time in which the driving thread waited for rules and trees."""
    tree_bytes: int
    """Of all matches together at the end of the measurement."""


def make_pools(
    game: Game,
    config: Config,
    matches: int,
    threads: int,
    *,
    halves: int,
    memory: ResolvedMemory | None = None,
) -> list[Pool]:
    """Return pools for so many matches in all."""
    selfplay = config.selfplay
    mind = Mind(selfplay.search_text(), selfplay.selection)
    sizes = [(matches + k) // halves for k in range(halves)]
    return [
        Pool(game, [mind], config.learning.data, size, threads, memory) for size in sizes if size
    ]


def measure(
    game: Game,
    config: Config,
    evaluator: NetworkEvaluator,
    candidates: Sequence[int],
    *,
    threads: int,
    halves: int,
    seconds: float,
) -> Iterator[Measured]:
    """Play with each number of matches for some seconds."""
    for matches in candidates:
        pools = make_pools(game, config, matches, threads, halves=halves)
        rounds = Rounds(pools, evaluator)
        for index in range(matches):
            rounds.add(index, index, 0.0)
            rounds.skip()
        following = matches
        for share in (WARM_UP, 1.0):
            work, start = rounds.work, perf_counter()
            states, batches, rules = work.evaluations, work.batches, work.rules_seconds
            while (elapsed := perf_counter() - start) < share * seconds:
                for _ in rounds.step():
                    rounds.add(following, following, 0.0)
                    following += 1
                rounds.skip()
        rounds.finish()
        yield Measured(
            matches=matches,
            batch=(work.evaluations - states) / max(1, work.batches - batches),
            states_per_second=(work.evaluations - states) / elapsed,
            rules_share=(work.rules_seconds - rules) / elapsed,
            tree_bytes=sum(pool.tree_bytes for pool in pools),
        )


def choose(measured: Sequence[Measured]) -> Measured:
    """Return the smallest number of matches that reaches nearly the best rate."""
    best = max(each.states_per_second for each in measured)
    good = [each for each in measured if each.states_per_second >= GOOD_ENOUGH * best]
    return min(good, key=lambda each: each.matches)
