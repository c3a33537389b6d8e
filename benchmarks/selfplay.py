"""How busy self-play and learning keep the hardware: one command, one table, one picture.

The yardstick is the bare network on the same device in the same run: its compiled inference on a
batch that never leaves the device, and a bare training loop on a minibatch that never changes.

    U = self-play states/s ÷ bare inference + learned samples/s ÷ bare training

    python benchmarks/selfplay.py --preset fast-hex11 --device cuda --seconds 40
    python benchmarks/selfplay.py --game hex:size=7 --device cpu
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from athenan import Random, make_game
from athenan._core import random_ends
from athenan.evaluators import network_evaluator
from athenan.learning import complete_config, merged, preset
from athenan.learning.derived import network_of
from athenan.learning.gpu_steps import GpuSteps
from athenan.learning.learner import Learner
from athenan.learning.replay import Data, Table
from athenan.learning.settings import Config
from athenan.learning.training import Training
from athenan.machine import available_cores
from rich.console import Console
from rich.table import Table as Grid


@dataclass(frozen=True)
class Rates:
    """What was measured for one configuration."""

    game: str
    device: str
    matches: int
    batch: float
    bare_inference: float
    bare_training: float
    alone: float
    states: float
    learned: float
    matches_per_hour: float
    rules_share: float
    network_share: float
    gpu_busy: float

    @property
    def useful(self) -> float:
        """U."""
        return self.states / self.bare_inference + self.learned / self.bare_training


class Staggered(Training):
    """A training whose first matches begin in the middle, as if it had run for long."""

    def opening(self, index: int) -> Sequence[int]:
        if index >= self.slots:
            return ()
        random = Random(index)
        moves: list[int] = []
        state = self.game.initial_state()
        for _ in range(random.below(max(1, self.typical_length))):
            legal = state.legal_moves()
            move = legal[random.below(len(legal))]
            following = state.play(move)
            if following.is_terminal:
                break
            moves.append(move)
            state = following
        return moves

    @cached_property
    def typical_length(self) -> int:
        tally = self.game.initial_state().playouts(64, seed=1)
        return int(0.9 * tally.plies / 64)


def timed(seconds: float, work: Callable[[], int]) -> float:
    """Repeat work for some seconds; return its amount per second."""
    work()
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        done += work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return done / (time.perf_counter() - start)


def planes_of(config: Config, count: int) -> np.ndarray:
    game = make_game(config.game)
    states, _ = random_ends(game, config.selfplay.terminal, count, 3)
    table = Table(game.packed_size)
    table.append(Data(states, np.zeros(count, np.float32)))
    from athenan._core import encode_packed

    return encode_packed(game, table.states, np.arange(count))


def bare_inference(config: Config, device: str, batch: int, threads: int, seconds: float) -> float:
    network = network_of(config, make_game(config.game))
    planes = planes_of(config, batch)
    if device == "cuda":
        half = network.to("cuda", torch.float16).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        run: Callable[..., object] = torch.compile(half, dynamic=False)
        states = torch.from_numpy(planes).to("cuda", torch.float16)
        states = states.contiguous(memory_format=torch.channels_last)
        with torch.inference_mode():
            for _ in range(5):
                run(states)
            return timed(seconds, lambda: run(states) is not None and batch)
    return in_threads(threads, seconds, lambda: evaluator_work(network, planes))


def evaluator_work(network: torch.nn.Module, planes: np.ndarray) -> Callable[[], int]:
    evaluator = network_evaluator(network, device="cpu", threads=1)  # type: ignore[arg-type]

    def work() -> int:
        evaluator(planes)
        return len(planes)

    return work


def captured(step: Callable[[], None]) -> Callable[[], None]:
    """A step as one CUDA graph: no loop can be faster than its replay."""
    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    with torch.cuda.stream(stream):
        for _ in range(5):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        step()
    return graph.replay


def bare_training(config: Config, device: str, threads: int, seconds: float) -> float:
    game = make_game(config.game)
    size = config.learning.batch_size
    planes = planes_of(config, size)
    values = np.random.default_rng(0).normal(size=size).astype(np.float32)
    if device == "cuda":
        network = network_of(config, game)
        optimizer = torch.optim.Adam(network.cuda().parameters(), fused=True, capturable=True)
        bare = GpuSteps(network, optimizer, config.learning, torch.device("cuda"))
        states, targets = torch.from_numpy(planes).cuda(), torch.from_numpy(values).cuda()
        shares = torch.full((size,), 1 / size, device="cuda")
        loss_of = torch.compile(bare.loss, dynamic=False)

        def step() -> None:
            optimizer.zero_grad(set_to_none=True)
            loss_of(states, targets, shares).backward()  # type: ignore[no-untyped-call]
            optimizer.step()

        replay = captured(step)

        def replayed() -> int:
            replay()
            return size

        return timed(seconds, replayed)

    def make() -> Callable[[], int]:
        network = network_of(config, game)
        learner = Learner(game, network, config.learning, torch.device("cpu"), 1)
        return lambda: learner.step_on_cpu(planes, values) is not None and size

    return in_threads(threads, seconds, make)


def in_threads(threads: int, seconds: float, make: Callable[[], Callable[[], int]]) -> float:
    """The rate of independent workers, one per thread."""
    torch.set_num_threads(1)
    rates = [0.0] * threads
    works = [make() for _ in range(threads)]

    def run(k: int) -> None:
        rates[k] = timed(seconds, works[k])

    workers = [threading.Thread(target=run, args=(k,)) for k in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(rates)


def selfplay_alone(config: Config, warm_up: float, seconds: float) -> float:
    """States/s of self-play without learning; where its time goes is printed."""
    training = Staggered(config)
    training.warm_up()
    training._fill()
    marks = []
    for limit in (warm_up, seconds):
        start = time.perf_counter()
        before = training.rounds.work.evaluations
        while time.perf_counter() - start < limit:
            records = training.rounds.step()
            training._replace(len(records))
            training.rounds.skip()
        marks.append((training.rounds.work.evaluations - before) / (time.perf_counter() - start))
    work = training.rounds.work
    print(
        f"alone: {work.batches} batches, {work.rules_seconds:.1f} s in rules and trees, "
        f"{work.network_seconds:.1f} s waiting for the network"
    )
    training.close()
    return marks[1]


def gpu_utilisation() -> float:
    try:
        command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return float("nan")


def measure(config: Config, device: str, warm_up: float, seconds: float) -> Rates:
    threads = config.hardware.threads or available_cores()
    alone = selfplay_alone(config, warm_up, seconds)
    training = Staggered(config)
    training.warm_up()
    start = mark = time.perf_counter()
    before = None
    for _ in training.events():
        now = time.perf_counter()
        if before is None and now - start > warm_up:
            before, mark = snapshot(training), now
        if before is not None and now - mark > seconds:
            break
    assert before is not None, "no match ended: more seconds are needed"
    after, elapsed = snapshot(training), time.perf_counter() - mark
    evaluations, batches, learned, matches, rules, network = after - before
    busy_seconds = rules + network
    busy = gpu_utilisation() if device == "cuda" else float("nan")
    batch = evaluations / batches
    slots = training.slots
    training.close()
    return Rates(
        game=config.game,
        device=device,
        matches=slots,
        batch=batch,
        bare_inference=bare_inference(config, device, round(batch), threads, min(5, seconds)),
        bare_training=bare_training(config, device, threads, min(5, seconds)),
        alone=alone,
        states=evaluations / elapsed,
        learned=learned / elapsed,
        matches_per_hour=3600 * matches / elapsed,
        rules_share=rules / busy_seconds,
        network_share=network / busy_seconds,
        gpu_busy=busy,
    )


def snapshot(training: Training) -> np.ndarray:
    work, counters = training.rounds.work, training.counters
    return np.array(
        [
            work.evaluations,
            work.batches,
            counters.learned,
            counters.matches,
            work.rules_seconds,
            work.network_seconds,
        ],
        dtype=np.float64,
    )


def main() -> None:
    faulthandler.enable()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="small")
    parser.add_argument("--game", action="append", help="may be given more than once")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warm-up", type=float, default=5)
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    from athenan.learning import parse_assignments

    rows = []
    for game in given.game or [None]:
        settings = merged(preset(given.preset), {"hardware": {"device": given.device}})
        settings = merged(settings, {"game": game} if game else {})
        config = complete_config(merged(settings, parse_assignments(given.settings)))
        config = config.model_copy(update={"stop": type(config.stop)()})
        rows.append(measure(config, given.device, given.warm_up, given.seconds))
    show(rows)
    if given.json:
        given.json.write_text(json.dumps([asdict(row) | {"U": row.useful} for row in rows]))


def show(rows: list[Rates]) -> None:
    grid = Grid(title="self-play and learning against the bare network")
    for heading in (
        "game", "matches", "batch", "bare inference/s", "self-play alone/s", "ratio",
        "self-play beside learning/s", "learned/s", "bare training/s", "U", "matches/h",
        "rules %", "network %", "GPU %",
    ):  # fmt: skip
        grid.add_column(heading, justify="right", overflow="fold")
    for row in rows:
        grid.add_row(
            row.game, str(row.matches), f"{row.batch:.0f}", f"{row.bare_inference:,.0f}",
            f"{row.alone:,.0f}", f"{row.alone / row.bare_inference:.2f}", f"{row.states:,.0f}",
            f"{row.learned:,.0f}", f"{row.bare_training:,.0f}", f"{row.useful:.2f}",
            f"{row.matches_per_hour:,.0f}", f"{row.rules_share:.0%}", f"{row.network_share:.0%}",
            f"{row.gpu_busy:.0f}",
        )  # fmt: skip
    Console(width=200).print(grid)


if __name__ == "__main__":
    main()
