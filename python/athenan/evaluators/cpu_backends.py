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
    from athenan.networks.network import Network

MEASURED_ROWS = 64  # as the parts of a large batch have
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
    """Make an evaluator; `backend` is one of `BACKENDS`, "auto" or "fastest"."""
    if backend == "auto":
        backend = installed_backends()[0]
    elif backend == "fastest":
        backend = fastest_backend(network)
    if missing := BACKENDS[backend].missing:
        raise Error(
            f"backend={backend} needs the packages {' and '.join(BACKENDS[backend].packages)}: "
            f"install {' and '.join(missing)}"
        )
    return BACKENDS[backend].make(network, threads, batch_invariant)


def fastest_backend(network: Network) -> str:
    """Return the installed backend that is the fastest with large batches, by measurement.

    They take turns, and the best time of each counts, for a machine is rarely alone.
    """
    installed = installed_backends()
    if len(installed) == 1:
        return installed[0]
    planes = np.zeros((MEASURED_ROWS, *network.input_shape), np.int8)
    times = dict.fromkeys(installed, float("inf"))
    with ExitStack() as stack:
        makers = {name: BACKENDS[name].make(network, 1, False) for name in installed}
        evaluators = {name: stack.enter_context(made) for name, made in makers.items()}
        for evaluate in evaluators.values():
            evaluate(planes)
        start = perf_counter()
        while perf_counter() - start < MEASURED_SECONDS:
            hopeless = HOPELESS * min(times.values())
            for name, evaluate in evaluators.items():
                if times[name] <= hopeless:
                    begun = perf_counter()
                    evaluate(planes)
                    times[name] = min(times[name], perf_counter() - begun)
    return min(times, key=times.__getitem__)
