"""What a learning process will need, measured before it starts.

Trees grow with a match and are dropped at its end; the replay memory fills to its size; both are
estimated from a few matches played with a constant evaluator.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from athenan._core import Error, Game, Mind, Pool
from athenan.games import make_game
from athenan.games.measure import random_matches
from athenan.learning.settings import Config
from athenan.machine import available_memory

STATES_PER_BATCH = {"cpu": 512, "cuda": 32768}
MATCHES_AT_A_TIME = {"cpu": (8, 128), "cuda": (64, 8192)}  # to begin with, and usually the most
SHARE_OF_MEMORY = 0.8
SAMPLE_EXPANSIONS = 5  # per move of the match that is measured


@dataclass(frozen=True)
class Estimate:
    """Bytes that a run will need at its largest."""

    trees: int
    replay: int
    network: int
    checkpoint: int
    """On the disk, each."""

    @property
    def memory(self) -> int:
        """All of it that must be in memory at once."""
        return self.trees + self.replay + self.network


def matches_at_a_time(game: Game, device: str) -> int:
    """Return how many matches fill the batches that a device likes."""
    few, many = MATCHES_AT_A_TIME[device]
    branching = max(1.0, random_matches(game, 10).mean_branching)
    return max(few, min(many, round(STATES_PER_BATCH[device] / branching)))


def estimate(config: Config, slots: int, weights: int) -> Estimate:
    """Estimate the memory of a run from one match played with a constant evaluator."""
    game = make_game(config.game)
    length = max(1.0, random_matches(game, 10).mean_length)
    budget = _expansions_per_move(config.selfplay.search)
    tree, pairs = _per_expansion(game, config)
    expansions = budget * length
    copies = 2 if config.learning.symmetry and game.symmetries > 1 else 1
    replay = config.learning.replay
    kept = pairs * expansions * copies * replay.size
    if replay.kind == "experience" and replay.unit == "pairs":
        kept = replay.size
    kept_bytes = round(kept * (game.packed_size + 12))
    return Estimate(
        trees=round(slots * expansions * tree),
        replay=kept_bytes,
        network=weights * 4 * 8,  # weights, gradients, two moments, and a working copy of each
        checkpoint=kept_bytes + weights * 12,
    )


def refuse_if_too_large(needed: Estimate, folder: Path, keep: int) -> None:
    """Refuse a run that this machine has no memory or disk for."""
    available = available_memory()
    if available and needed.memory > SHARE_OF_MEMORY * available:
        raise Error(
            f"the run would need about {_gigabytes(needed.memory)} of memory (trees "
            f"{_gigabytes(needed.trees)}, replay {_gigabytes(needed.replay)}, network "
            f"{_gigabytes(needed.network)}) and {_gigabytes(available)} is available: lower "
            "selfplay.matches, the budget of selfplay.search or learning.replay.size"
        )
    free = shutil.disk_usage(folder).free
    on_disk = needed.checkpoint * (keep + 1)
    if on_disk > free:
        raise Error(
            f"the checkpoints would need about {_gigabytes(on_disk)} of disk and {folder} has "
            f"{_gigabytes(free)} free: lower learning.replay.size or checkpoints.keep"
        )


def _expansions_per_move(search: str) -> float:
    """Read the budget of a search; a second counts as the 50 expansions of the paper."""
    options = dict(
        item.split("=", 1) for item in search.partition(":")[2].split(",") if "=" in item
    )
    for name, factor in (("expansions", 1.0), ("iterations", 2.0), ("evaluations", 0.1)):
        if float(options.get(name, 0)):
            return float(options[name]) * factor
    return 50 * float(options.get("seconds", 1))


def _per_expansion(game: Game, config: Config) -> tuple[float, float]:
    """Return the bytes of tree and the pairs to learn that one expansion gives."""
    name = config.selfplay.search.partition(":")[0]
    search = f"{name}:expansions={SAMPLE_EXPANSIONS},terminal={config.selfplay.terminal}"
    pool = Pool(game, [Mind(search, config.selfplay.selection)], config.learning.data)
    pool.add(0, config.seed)
    largest = 0
    while waiting := pool.collect():
        largest = max(largest, pool.tree_bytes)
        pool.resume(0, np.zeros(waiting, np.float32))
    (record,) = pool.take_finished()
    expansions = max(1, sum(each.expansions for each in record.spent))
    return largest / expansions, len(record.targets[1]) / expansions


def _gigabytes(count: float) -> str:
    return f"{count / 1e9:.2g} GB"
