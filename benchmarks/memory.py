"""Does a long run grow? A million matches of a tiny game, and the resident memory on the way.

    python benchmarks/memory.py --matches 1000000

Everything that a run does but the steps of the network: self-play with trees, records, symmetric
copies, stratified replay, the memory of resolved states with its clearing.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from athenan import hash_evaluator, make_game
from athenan._core import Mind, Pool, ResolvedMemory
from athenan.learning.replay import Data, make_memory, with_symmetries
from athenan.learning.settings import Replay
from athenan.selfplay import play

SLOTS = 512
FORGET = 50_000


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--game", default="tic_tac_toe")
    given = parser.parse_args()
    game = make_game(given.game)
    resolved = ResolvedMemory()
    mind = Mind("descent:expansions=2", "ordinal:schedule=uniform")
    pool = Pool(game, [mind], "tree", SLOTS, 1, resolved)
    memory = make_memory(Replay(size=100, duplication=3), game)
    random = np.random.default_rng(0)
    for index in range(SLOTS):
        pool.add(index, index)
    start, sizes = time.perf_counter(), []
    for done, record in enumerate(play(pool, [hash_evaluator()]), 1):
        record.remember(resolved)
        data = with_symmetries(game, Data(*record.targets), random, threads=1)
        memory.phase(data, 256, random)
        if done % FORGET == 0:
            resolved.clear()
        if done + SLOTS <= given.matches:
            pool.add(done + SLOTS, done + SLOTS)
        if done % max(1, given.matches // 20) == 0:
            sizes.append(resident_megabytes())
            rate = done / (time.perf_counter() - start)
            print(f"{done:>9,} matches: {sizes[-1]:.1f} MB, {rate:,.0f} matches/s", flush=True)
    settled = sizes[len(sizes) // 10 :]
    print(f"growth after the first tenth: {settled[-1] / settled[0] - 1:+.2%}")


if __name__ == "__main__":
    main()
