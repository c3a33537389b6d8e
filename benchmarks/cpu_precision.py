"""What bfloat16 gains on a CPU: processor time per state, of self-play and of learning.

    python benchmarks/cpu_precision.py --game hex:size=7 --game othello:size=6

The network is that of a preset, the batches are as large as those of a training. Backends and
precisions take turns on one thread; the least processor time counts, so that it matters little what
else the machine does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import thread_time

import numpy as np
from athenan import network_evaluator
from athenan.evaluators.backends import Way, cpu_ways
from athenan.learning import complete_config, merged, preset
from athenan.learning.learner import prepare_thread
from athenan.learning.settings import Config
from bare import learner_work, planes_of, untrained

TURNS = 12
Work = Callable[[], object]


def least(works: dict[str, Work], states: int) -> dict[str, float]:
    """Return the microseconds per state of each work, the works taking turns."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(TURNS):
        for name, work in works.items():
            start = thread_time()
            work()
            best[name] = min(best[name], 1e6 * (thread_time() - start) / states)
    return best


def evaluation(config: Config, way: Way, planes: np.ndarray) -> Work:
    evaluator = network_evaluator(
        untrained(config), device="cpu", threads=1, backend=way.backend, precision=way.precision
    )
    return lambda: evaluator.on_this_thread(planes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", required=True)
    parser.add_argument("--preset", default="small")
    parser.add_argument("--states", type=int, default=256, help="of a batch of self-play")
    given = parser.parse_args()
    prepare_thread()
    for game in given.game:
        config = complete_config(merged(preset(given.preset), {"game": game}))
        planes, size = planes_of(config, given.states), config.learning.batch_size
        evaluations = {" ".join(way): evaluation(config, way, planes) for way in cpu_ways()}
        states, values = planes_of(config, size), np.zeros(size, np.float32)
        steps: dict[str, Work] = {
            precision: learner_work(config, states, values, precision)
            for precision in ("float32", "bfloat16")
        }
        print(f"{game}, µs of processor time per state")
        for name, rate in least(evaluations, given.states).items():
            print(f"  evaluated by {name:<20} {rate:7.1f}", flush=True)
        for name, rate in least(steps, size).items():
            print(f"  learned in {name:<22} {rate:7.1f}", flush=True)


if __name__ == "__main__":
    main()
