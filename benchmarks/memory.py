"""Does a long run grow? A million matches of a tiny game, and the resident memory on the way.

    python benchmarks/memory.py --matches 1000000
    python benchmarks/memory.py --matches 30000 --whole

The first plays everything that a run does but the network: self-play with trees, records, symmetric
copies, stratified replay, the memory of resolved states with its clearing. The second is the whole
learning process, network, optimiser and new weights for the evaluator included, which takes some
hundred times longer for each match.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from athenan import hash_evaluator, make_game
from athenan._core import Mind, Pool, ResolvedMemory, SearchSpec
from athenan.learning import complete_config, merged, preset
from athenan.learning.events import MatchLearned
from athenan.learning.settings import Learning, Replay
from athenan.learning.study import make_memory
from athenan.learning.table import Data, with_symmetries
from athenan.learning.training import Training
from athenan.selfplay import play

SLOTS = 512
FORGET = 50_000


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def without_network(game_name: str, matches: int) -> Iterator[int]:
    """Play and draw what would be learned; yield after each match."""
    game = make_game(game_name)
    resolved = ResolvedMemory()
    mind = Mind(SearchSpec("descent:expansions=2"), "ordinal:schedule=uniform")
    pool = Pool(game, [mind], "tree", SLOTS, 1, resolved)
    memory = make_memory(Learning(replay=Replay(size=100, duplication=3)), game)
    random = np.random.default_rng(0)
    for index in range(SLOTS):
        pool.add(index, index)
    for done, record in enumerate(play(pool, [hash_evaluator()]), 1):
        record.remember(resolved)
        data = with_symmetries(game, Data(*record.targets), random, threads=1)
        memory.phase(data, 256, random)
        if done % FORGET == 0:
            resolved.clear()
        if done + SLOTS <= matches:
            pool.add(done + SLOTS, done + SLOTS)
        yield done


def whole(game_name: str, matches: int) -> Iterator[int]:
    """Train; yield after each match."""
    settings = {
        "game": game_name,
        "network": {"filters": 16, "blocks": 1, "dense": [16]},
        "selfplay": {"search": "descent:expansions=2", "matches": 64},
        "learning": {"replay": {"size": 100, "duplication": 1}},
        "stop": {"matches": matches},
        "hardware": {"device": "cpu"},
    }
    training = Training(complete_config(merged(preset("small"), settings)))
    for event in training.events():
        if isinstance(event, MatchLearned):
            yield event.at.matches
    training.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--game", default="tic_tac_toe")
    parser.add_argument("--whole", action="store_true", help="train a network")
    given = parser.parse_args()
    run = (whole if given.whole else without_network)(given.game, given.matches)
    start, sizes = time.perf_counter(), []
    for done in run:
        if done % max(1, given.matches // 20) == 0:
            sizes.append(resident_megabytes())
            rate = done / (time.perf_counter() - start)
            print(f"{done:>9,} matches: {sizes[-1]:.1f} MB, {rate:,.0f} matches/s", flush=True)
    settled = sizes[len(sizes) // 10 :]
    print(f"growth after the first tenth: {settled[-1] / settled[0] - 1:+.2%}")


if __name__ == "__main__":
    main()
