"""How fast networks give values, and what a weight update costs.

On the CPU: states per second of CPU time on one thread, for each backend, and the ratio to torch,
all in one run and taking turns; whether the values of a state depend on the batch around it. On a
CUDA device, if there is one: the evaluator, its copies included, against the bare compiled network.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import athenan
import numpy as np
import torch
from athenan.evaluators import NetworkEvaluator, Planes, network_evaluator
from athenan.evaluators.backends import installed_backends
from athenan.networks import Architecture, Network, build_network
from rich.console import Console
from rich.table import Table

CPU_NETWORKS = {
    "protocol CNN 8×8": (
        "othello",
        Architecture(filters=64, convolutions=3, blocks=0, dense=(100,)),
    ),
    "Hex 5, 32 filters × 2": ("hex:size=5", Architecture(filters=32, blocks=2, dense=(32,))),
    "Hex 11, 83 filters × 4": ("hex:size=11", Architecture(filters=83, blocks=4, dense=(228,))),
    "Hex 11, 96 filters × 4": ("hex:size=11", Architecture(filters=96, blocks=4, dense=(256,))),
}
CUDA_NETWORKS = ["Hex 5, 32 filters × 2", "Hex 11, 83 filters × 4", "Hex 11, 96 filters × 4"]
BACKENDS = sorted(installed_backends(), key="torch".__ne__)  # torch first: the others are compared
BATCHES = (1, 8, 64, 512)
CUDA_BATCHES = (100, 1024, 8192, 20_000, 65_536)
BARE_ROWS = 8192
REPEATS = 5

Work = Callable[[], object]


def network_of(name: str, seed: int = 0) -> Network:
    game, architecture = CPU_NETWORKS[name]
    return build_network(architecture, athenan.make_game(game), seed)


def random_planes(network: Network, rows: int) -> Planes:
    return np.random.default_rng(rows).integers(0, 2, (rows, *network.input_shape), np.int8)


def cpu_seconds(work: Work, at_least: float) -> float:
    """The CPU time of one call: of as many as take some time."""
    times, start = 0, time.process_time()
    while time.process_time() < start + at_least or not times:
        work()
        times += 1
    return (time.process_time() - start) / times


def medians(works: list[Work], at_least: float) -> list[float]:
    """The CPU time of each work, the works taking turns."""
    for work in works:
        work()
    rounds = [[cpu_seconds(work, at_least) for work in works] for _ in range(REPEATS)]
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def cpu_evaluators(network: Network) -> dict[str, NetworkEvaluator]:
    """Each backend as it is, and torch as it must be for values that no batch changes."""
    found = {
        backend: network_evaluator(network, device="cpu", threads=1, backend=backend)
        for backend in BACKENDS
    }
    found["torch, invariant"] = network_evaluator(
        network, device="cpu", threads=1, backend="torch", batch_invariant=True
    )
    return found


def rates_table(seconds: float) -> Table:
    table = Table("network", "backend", title="states/s per CPU-second, one thread (× torch)")
    for rows in BATCHES:
        table.add_column(f"batch {rows}", justify="right")
    for name in CPU_NETWORKS:
        network = network_of(name)
        evaluators = cpu_evaluators(network)
        columns = []
        for rows in BATCHES:
            planes = random_planes(network, rows)
            works: list[Work] = [partial(e, planes) for e in evaluators.values()]
            columns.append([rows / taken for taken in medians(works, seconds)])
        for i, backend in enumerate(evaluators):
            cells = [f"{column[i]:,.0f} ({column[i] / column[0]:.2f})" for column in columns]
            table.add_row(name, backend, *cells)
    return table


def updates_table(seconds: float) -> Table:
    table = Table("network", "weights", title="a weight update, ms of CPU time")
    for backend in BACKENDS:
        table.add_column(backend, justify="right")
    for name in CPU_NETWORKS:
        network = network_of(name)
        evaluators = cpu_evaluators(network)
        works: list[Work] = [partial(evaluators[b].update, network) for b in BACKENDS]
        cells = [f"{1000 * taken:.1f}" for taken in medians(works, seconds)]
        table.add_row(name, f"{network.weight_count:,}", *cells)
    return table


def invariance_table() -> Table:
    """Evaluate the same states in batches of several sizes and compare with one by one."""
    table = Table(
        "network", "backend", "same bits", "largest difference", title="other batches, same values?"
    )
    for name in CPU_NETWORKS:
        network = network_of(name)
        planes = random_planes(network, 64)
        for backend, evaluator in cpu_evaluators(network).items():
            alone = np.concatenate([evaluator(part) for part in in_batches(planes, 1)])
            found = [
                np.concatenate([evaluator(part) for part in in_batches(planes, rows)])
                for rows in (2, 3, 8, 17, 32, 64)
            ]
            same = np.mean([values == alone for values in found])
            largest = np.max([np.abs(values - alone) for values in found])
            table.add_row(name, backend, f"{same:.0%}", f"{largest:.1e}")
    return table


def in_batches(planes: Planes, rows: int) -> Iterator[Planes]:
    return (planes[i : i + rows] for i in range(0, len(planes), rows))


def wall_seconds(work: Work, seconds: float) -> float:
    """The wall time of one call, the device's work included."""
    work()
    torch.cuda.synchronize()
    times, start = 0, time.perf_counter()
    while time.perf_counter() < start + seconds or not times:
        work()
        times += 1
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / times


def bare_rate(network: Network, precision: str, seconds: float) -> float:
    """States/s of the compiled network alone: half-precision planes that are on the device."""
    dtype: torch.dtype = getattr(torch, precision)
    network = network.to("cuda", dtype).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    bare = torch.compile(network, dynamic=False)
    shape = (BARE_ROWS, *network.input_shape)
    planes = torch.randint(0, 2, shape, device="cuda").to(dtype)
    planes = planes.contiguous(memory_format=torch.channels_last)
    with torch.no_grad():
        return BARE_ROWS / wall_seconds(partial(bare, planes), seconds)


def pipelined(evaluator: NetworkEvaluator, batches: list[Planes]) -> Work:
    """One batch in, one out, with one always under way."""
    source = itertools.cycle(batches)
    waiting = [evaluator.submit(next(source))]

    def work() -> None:
        waiting.append(evaluator.submit(next(source)))
        waiting.pop(0).result()

    return work


def cuda_table(precision: str, seconds: float) -> Table:
    from athenan.evaluators.cuda import CudaEvaluator

    table = Table("network", "bare", "ready after", "update", title=f"CUDA, {precision}: states/s")
    for rows in CUDA_BATCHES:
        table.add_column(f"batch {rows:,}", justify="right")
    for name in CUDA_NETWORKS:
        network = network_of(name)
        start = time.perf_counter()
        evaluator = CudaEvaluator(network, precision=precision)
        evaluator.warm_up()
        ready = time.perf_counter() - start
        update = wall_seconds(partial(evaluator.update, network), seconds)
        cells = []
        bare = bare_rate(network_of(name), precision, seconds)
        for rows in CUDA_BATCHES:
            batches = [random_planes(network, rows) for _ in range(3)]
            rate = rows / wall_seconds(pipelined(evaluator, batches), seconds)
            cells.append(f"{rate:,.0f} ({rate / bare:.2f})")
        table.add_row(name, f"{bare:,.0f}", f"{ready:.0f} s", f"{1000 * update:.1f} ms", *cells)
        evaluator.close()
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.1, help="per measurement and repeat")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="measure this one only")
    parser.add_argument("--precision", default="float16", help="on the CUDA device")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    console = Console(width=120)
    if arguments.device != "cuda":
        console.print(rates_table(arguments.seconds))
        console.print(updates_table(arguments.seconds))
        console.print(invariance_table())
    if arguments.device == "cuda" or (arguments.device is None and torch.cuda.is_available()):
        console.print(cuda_table(arguments.precision, max(1.0, arguments.seconds)))


if __name__ == "__main__":
    main()
