"""The backends of networks on the CPU: which are installed, and which is the fastest here."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from athenan._core import Error

if TYPE_CHECKING:
    from athenan.evaluators.cpu import CpuEvaluator
    from athenan.evaluators.evaluator import Planes
    from athenan.networks.network import Network

SPREAD = (1.0, 0.8, 1.1, 0.9, 1.2)  # of the usual batch: some backends like it always the same
MEASURED_OPERATIONS = 2e9  # of the largest batch: some 20 ms of one core
MEASURED_TURNS = 20
MEASURED_SECONDS = 1.5  # for all backends together, at most
WORTH_IT = 1.05  # times as fast as the first one: new weights cost the others more
HOPELESS = 1.5  # times as slow as the best: no more turns


@dataclass(frozen=True)
class Backend:
    """A program that runs networks."""

    packages: tuple[str, ...]
    make: Callable[[Network, int, bool], CpuEvaluator]
    """Takes a network, a number of threads, and whether values must not depend on the batch."""

    @property
    def missing(self) -> list[str]:
        """The packages that are not installed."""
        return [name for name in self.packages if not importlib.util.find_spec(name)]


def _onnxruntime(network: Network, threads: int, _batch_invariant: bool) -> CpuEvaluator:
    from athenan.evaluators.onnx_cpu import OnnxCpuEvaluator

    return OnnxCpuEvaluator(network, threads)


def _openvino(network: Network, threads: int, _batch_invariant: bool) -> CpuEvaluator:
    from athenan.evaluators.openvino_cpu import OpenVinoCpuEvaluator

    return OpenVinoCpuEvaluator(network, threads)


def _torch(network: Network, threads: int, batch_invariant: bool) -> CpuEvaluator:
    from athenan.evaluators.torch_cpu import TorchCpuEvaluator

    return TorchCpuEvaluator(network, threads, batch_invariant)


BACKENDS = {
    "onnxruntime": Backend(("onnx", "onnxruntime"), _onnxruntime),
    "openvino": Backend(("onnx", "openvino"), _openvino),
    "torch": Backend(("torch",), _torch),
}
"""The first that is installed is taken where nothing is measured."""


def installed_backends() -> list[str]:
    """Return the names of the backends that can be used here; torch always can."""
    return [name for name, backend in BACKENDS.items() if not backend.missing]


def make_cpu_evaluator(
    network: Network, backend: str, threads: int, batch_invariant: bool
) -> CpuEvaluator:
    """Make an evaluator; `backend` is one of `BACKENDS`, or "auto"."""
    if backend == "auto":
        backend = installed_backends()[0]
    if missing := BACKENDS[backend].missing:
        raise Error(
            f"backend={backend} needs the packages {' and '.join(BACKENDS[backend].packages)}: "
            f"install {' and '.join(missing)}"
        )
    return BACKENDS[backend].make(network, threads, batch_invariant)


def fastest_backend(network: Network, batch: int, threads: int) -> str:
    """Return the installed backend that is the fastest with batches of about this size.

    The first one, unless another is clearly faster. They take turns, each with a batch for every
    thread at once, and the best time for each size counts: a machine is rarely alone.
    """
    installed = installed_backends()
    if len(installed) == 1:
        return installed[0]
    from athenan.evaluators.cpu import operations

    most = round(MEASURED_OPERATIONS / operations(network))
    sizes = [max(1, round(min(batch, most) * factor)) for factor in SPREAD]
    random = np.random.default_rng(0)
    batches = [random.integers(0, 2, (size, *network.input_shape), np.int8) for size in sizes]
    best = {name: np.full(len(sizes), np.inf) for name in installed}
    with ExitStack() as stack:
        workers = stack.enter_context(ThreadPoolExecutor(threads))
        made = {name: BACKENDS[name].make(network, threads, False) for name in installed}
        evaluators = {name: stack.enter_context(each) for name, each in made.items()}
        for evaluator in evaluators.values():
            _seconds(evaluator, batches, workers, threads)
        start = perf_counter()
        for _ in range(MEASURED_TURNS):
            if perf_counter() - start > MEASURED_SECONDS:
                break
            hopeless = HOPELESS * min(times.sum() for times in best.values())
            for name, times in best.items():
                if times.sum() <= hopeless:
                    found = _seconds(evaluators[name], batches, workers, threads)
                    best[name] = np.minimum(times, found)
    seconds = {name: float(times.sum()) for name, times in best.items()}
    fastest = min(seconds, key=seconds.__getitem__)
    return fastest if WORTH_IT * seconds[fastest] <= seconds[installed[0]] else installed[0]


def _seconds(
    evaluator: CpuEvaluator, batches: list[Planes], workers: ThreadPoolExecutor, threads: int
) -> np.ndarray:
    """Return the time of each batch while all threads work, on average."""

    def work(_thread: int) -> np.ndarray:
        clock = [perf_counter()]
        for planes in batches:
            evaluator.on_this_thread(planes)
            clock.append(perf_counter())
        return np.diff(clock)

    times: np.ndarray = np.mean(list(workers.map(work, range(threads))), axis=0)
    return times
