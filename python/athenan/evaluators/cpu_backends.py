"""The backends of networks on the CPU: which are installed, and which is the fastest here."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
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
MEASURED_SECONDS = 0.5  # for all backends together, in turns
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


def fastest_backend(network: Network, batch: int) -> str:
    """Return the installed backend that is the fastest with batches of about this size.

    On one thread. They take turns, and the best time for each size counts: a machine is rarely
    alone.
    """
    installed = installed_backends()
    if len(installed) == 1:
        return installed[0]
    sizes = [max(1, round(batch * factor)) for factor in SPREAD]
    batches = [np.zeros((size, *network.input_shape), np.int8) for size in sizes]
    best = {name: np.full(len(sizes), np.inf) for name in installed}
    with ExitStack() as stack:
        made = {name: BACKENDS[name].make(network, 1, False) for name in installed}
        evaluators = {name: stack.enter_context(each) for name, each in made.items()}
        for evaluator in evaluators.values():
            _seconds(evaluator, batches)
        start = perf_counter()
        while perf_counter() - start < MEASURED_SECONDS:
            hopeless = HOPELESS * min(times.sum() for times in best.values())
            for name, times in best.items():
                if times.sum() <= hopeless:
                    best[name] = np.minimum(times, _seconds(evaluators[name], batches))
    return min(best, key=lambda name: float(best[name].sum()))


def _seconds(evaluator: CpuEvaluator, batches: list[Planes]) -> np.ndarray:
    """Return the time of each batch, one after the other."""
    clock = [perf_counter()]
    for planes in batches:
        evaluator.on_this_thread(planes)
        clock.append(perf_counter())
    return np.diff(clock)
