"""The yardsticks of self-play and learning: the bare network, with nothing around it.

On a GPU: compiled inference of a batch that never leaves the device, and one training step as a
CUDA graph, replayed on a minibatch that never changes; no loop can be faster. On a CPU: as many
independent workers of one thread as self-play may use, with the fastest backend and precision
that are installed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from athenan import make_game, network_evaluator
from athenan._core import encode_packed, random_ends
from athenan.evaluators.backends import Way, cpu_ways
from athenan.evaluators.capture import capturing
from athenan.learning.batches import Encoded
from athenan.learning.gpu_steps import GpuSteps
from athenan.learning.learner import Learner, prepare_thread
from athenan.learning.losses import Loss
from athenan.learning.settings import Config
from athenan.learning.table import Data, ReplayTable
from athenan.networks import build_network
from athenan.networks.network import Network

Meter = Callable[[float], float]
"""Works for some seconds and returns the rate."""


def inference_meters(config: Config, device: str, batch: int, threads: int) -> dict[Way, Meter]:
    """States/s, by backend and precision."""
    network = untrained(config)
    planes = planes_of(config, batch)
    if device == "cpu":
        return {way: backend_meter(network, planes, way, threads) for way in cpu_ways()}
    half = network.to("cuda", torch.float16).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    run: Callable[..., object] = torch.compile(half, dynamic=False)
    states = torch.from_numpy(planes).to("cuda", torch.float16)
    states = states.contiguous(memory_format=torch.channels_last)

    def evaluate() -> int:
        with torch.inference_mode():
            run(states)
        return batch

    for _ in range(5):
        evaluate()
    return {Way("torch", "float16"): lambda seconds: timed(seconds, evaluate)}


def training_meter(config: Config, device: str, threads: int, precision: str) -> Meter:
    """Samples/s; on a CPU in the precision of self-play, as a training learns."""
    size = config.learning.batch_size
    planes = planes_of(config, size)
    values = np.random.default_rng(0).normal(size=size).astype(np.float32)
    if device == "cpu":
        return in_threads([learner_work(config, planes, values, precision) for _ in range(threads)])
    replay = training_graph(config, planes, values)

    def step() -> int:
        replay()
        return size

    return lambda seconds: timed(seconds, step)


def untrained(config: Config) -> Network:
    return build_network(config.network, make_game(config.game), config.seed)


def planes_of(config: Config, count: int) -> np.ndarray:
    game = make_game(config.game)
    states, _ = random_ends(game, config.selfplay.terminal, count, 3)
    table = ReplayTable(game.packed_size)
    table.append(Data(states, np.zeros(count, np.float32)))
    return encode_packed(game, table.states, np.arange(count))


def backend_meter(network: Network, planes: np.ndarray, way: Way, threads: int) -> Meter:
    def work() -> Callable[[], int]:
        evaluator = network_evaluator(
            network, device="cpu", threads=1, backend=way.backend, precision=way.precision
        )
        return lambda: evaluator(planes) is not None and len(planes)

    return in_threads([work() for _ in range(threads)])


def fastest(meters: Mapping[Way, Meter]) -> Way:
    """The way of the highest rate; they take turns."""
    rates = dict.fromkeys(meters, 0.0)
    for way, meter in 4 * list(meters.items()):
        rates[way] += meter(0.5)
    return max(rates, key=rates.__getitem__)


def learner_work(
    config: Config, planes: np.ndarray, values: np.ndarray, precision: str
) -> Callable[[], int]:
    game = make_game(config.game)
    network = untrained(config)
    learner = Learner(game, network, config.learning, torch.device("cpu"), 1, precision)
    minibatch = Encoded(planes, values, np.array([len(planes)]))
    return lambda: learner.plain_step(minibatch) is not None and len(planes)


@dataclass(frozen=True)
class TrainingGraph:
    """One step of training as one CUDA graph, and what it was captured from.

    A graph only points to its kernels and its memory: these go with what they belong to.
    """

    graph: torch.cuda.CUDAGraph
    step: Callable[[], None]

    def __call__(self) -> None:
        self.graph.replay()


def training_graph(config: Config, planes: np.ndarray, values: np.ndarray) -> TrainingGraph:
    """Capture one step of training."""
    network = untrained(config)
    optimizer = torch.optim.Adam(network.cuda().parameters(), fused=True, capturable=True)
    device = torch.device("cuda")
    loss = Loss(config.learning, device)
    game = make_game(config.game)
    bare = GpuSteps(game, network, optimizer, config.learning, loss, device)
    states, targets = torch.from_numpy(planes).cuda(), torch.from_numpy(values).cuda()
    shares = torch.full((len(values),), 1 / len(values), device="cuda")
    loss_of = torch.compile(bare.loss, dynamic=False)

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        loss_of(states, targets, shares).backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    with torch.cuda.stream(stream):
        for _ in range(5):
            step()
    torch.cuda.synchronize()
    with capturing(stream) as graph:
        step()
    return TrainingGraph(graph, step)


def timed(seconds: float, work: Callable[[], int]) -> float:
    """Repeat work for some seconds; return its amount per second."""
    work()
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        done += work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return done / (time.perf_counter() - start)


def in_threads(works: Sequence[Callable[[], int]]) -> Meter:
    """The rate of independent workers, one per thread."""

    def run(work: Callable[[], int], seconds: float) -> float:
        prepare_thread()
        return timed(seconds, work)

    def meter(seconds: float) -> float:
        with ThreadPoolExecutor(len(works)) as threads:
            return sum(threads.map(run, works, [seconds] * len(works)))

    return meter
