"""The backends that run networks: what each can do, which are installed, which is the fastest.

One entry in `BACKENDS` adds a backend: everything that offers, checks or makes backends reads it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from athenan._core import Error

if TYPE_CHECKING:
    from athenan.evaluators.evaluator import Planes
    from athenan.evaluators.network import NetworkEvaluator
    from athenan.networks.stored import AnyNetwork

SPREAD = (1.0, 0.8, 1.1, 0.9, 1.2)  # of the usual batch: some backends like it always the same
MEASURED_OPERATIONS = 2e9  # of the largest batch: some 20 ms of one core
MEASURED_TURNS = 20
MEASURED_SECONDS = 1.5  # for all backends together, at most
WORTH_IT = 1.05  # times as fast as the first one: new weights cost the others more
HOPELESS = 1.5  # times as slow as the best: no more turns


@dataclass(frozen=True)
class Options:
    """What is asked of an evaluator."""

    device: str
    precision: str
    threads: int
    """That a CPU may use."""
    batch_invariant: bool
    """Values must not depend on the batch."""


@dataclass(frozen=True)
class Backend:
    """A program that runs networks on one kind of device."""

    name: str
    device: str
    """"cpu" or "cuda"."""
    packages: tuple[str, ...]
    precisions: tuple[str, ...]
    """The first is taken unless another is asked for."""
    make: Callable[[AnyNetwork, Options], NetworkEvaluator]

    @property
    def missing(self) -> list[str]:
        """The packages that are not installed."""
        return [name for name in self.packages if not importlib.util.find_spec(name)]


def _onnxruntime(network: AnyNetwork, options: Options) -> NetworkEvaluator:
    from athenan.evaluators.onnx_cpu import OnnxCpuEvaluator

    return OnnxCpuEvaluator(network, options.threads)


def _openvino(network: AnyNetwork, options: Options) -> NetworkEvaluator:
    from athenan.evaluators.openvino_cpu import OpenVinoCpuEvaluator

    return OpenVinoCpuEvaluator(network, options.threads, options.precision)


def _torch(network: AnyNetwork, options: Options) -> NetworkEvaluator:
    from athenan.evaluators.torch_cpu import TorchCpuEvaluator

    return TorchCpuEvaluator(network, options.threads, options.batch_invariant, options.precision)


def _torch_cuda(network: AnyNetwork, options: Options) -> NetworkEvaluator:
    if network.architecture.code:
        from athenan.evaluators.plain_cuda import PlainCudaEvaluator

        return PlainCudaEvaluator(network, options.device, options.batch_invariant)
    from athenan.evaluators.cuda import CudaEvaluator

    return CudaEvaluator(
        network, options.device, options.precision, batch_invariant=options.batch_invariant
    )


BACKENDS = [
    Backend("onnxruntime", "cpu", ("onnx", "onnxruntime"), ("float32",), _onnxruntime),
    Backend("openvino", "cpu", ("onnx", "openvino"), ("float32", "bfloat16"), _openvino),
    Backend("torch", "cpu", ("torch",), ("float32", "bfloat16"), _torch),
    Backend("torch", "cuda", ("torch",), ("float16", "float32", "bfloat16"), _torch_cuda),
]
"""Of each device, the first that is installed is taken where nothing is measured."""


def installed_backends(device: str = "cpu") -> list[str]:
    """Return the names of the backends that can be used here on a kind of device."""
    return [each.name for each in BACKENDS if each.device == device and not each.missing]


def find_backend(name: str, device: str) -> Backend:
    """Return a backend by its name, or "auto", for a kind of device."""
    names = dict.fromkeys(each.name for each in BACKENDS)
    check("backend", name, ("auto", *names))
    here = {each.name: each for each in BACKENDS if each.device == device}
    if name == "auto":
        name = (installed_backends(device) or [*here])[0]
    if name not in here:
        devices = [each.device for each in BACKENDS if each.name == name]
        raise Error(
            f"backend={name} runs on {' and '.join(devices)} only: "
            f"use device={' or '.join(devices)}, or backend={' or '.join(here)}"
        )
    found = here[name]
    if found.missing:
        raise Error(
            f"backend={name} needs the packages {' and '.join(found.packages)}: "
            f"install {' and '.join(found.missing)}"
        )
    return found


def backend_for(network: AnyNetwork, name: str) -> str:
    """Return the backend that is asked for; a module of the user's runs with torch alone."""
    if not network.architecture.code:
        return name
    if name not in ("auto", "torch"):
        raise Error(f"the network {network.architecture.code} runs with backend=torch, not {name}")
    return "torch"


def refuse_rounding(network: AnyNetwork, device: str, precision: str) -> None:
    """Refuse to run a module of the user's in another precision: on a GPU it is never cast."""
    code = network.architecture.code
    if code and device == "cuda" and precision not in ("auto", "float32"):
        raise Error(f"the network {code} runs in precision=float32 on a GPU, not {precision}")


def precision_with(backend: Backend, precision: str) -> str:
    """Return the precision, or the one that "auto" means."""
    every = dict.fromkeys(each for backend in BACKENDS for each in backend.precisions)
    check("precision", precision, ("auto", *every))
    if precision == "auto":
        return backend.precisions[0]
    if precision not in backend.precisions:
        accepted = " or ".join(backend.precisions)
        raise Error(
            f"precision is {accepted} with {backend.name} on {backend.device}, not {precision}"
        )
    return precision


def check(name: str, value: str, accepted: tuple[str, ...]) -> None:
    """Refuse a setting that is not among those accepted."""
    if value not in accepted:
        raise Error(f"{name} must be one of {', '.join(accepted)}, not {value!r}")


class Way(NamedTuple):
    """A backend and its precision."""

    backend: str
    precision: str


def fastest_way(
    network: AnyNetwork, batch: int, threads: int, backend: str = "auto", precision: str = "auto"
) -> Way:
    """Return what is the fastest on the CPU with batches of about this size.

    The first backend that is installed, in float32, unless another one, or bfloat16, is clearly
    faster. They take turns, each with a batch for every thread at once, and the least processor
    time for each size counts: a machine is rarely alone.
    """
    backend = backend_for(network, backend)
    ways = cpu_ways(backend, precision)
    if network.architecture.code or len(ways) == 1:
        return ways[0]
    from athenan.evaluators.cpu import operations

    largest = round(MEASURED_OPERATIONS / operations(network))
    sizes = [max(1, round(min(batch, largest) * factor)) for factor in SPREAD]
    random = np.random.default_rng(0)
    batches = [random.integers(0, 2, (size, *network.input_shape), np.int8) for size in sizes]
    best = {way: np.full(len(sizes), np.inf) for way in ways}
    with ExitStack() as stack:
        workers = stack.enter_context(ThreadPoolExecutor(threads))
        evaluators = {}
        for way in ways:
            options = Options("cpu", way.precision, threads, batch_invariant=False)
            made = find_backend(way.backend, "cpu").make(network, options)
            evaluators[way] = stack.enter_context(made)
        for evaluator in evaluators.values():
            _seconds(evaluator, batches, workers, threads)
        start = perf_counter()
        for _ in range(MEASURED_TURNS):
            if perf_counter() - start > MEASURED_SECONDS:
                break
            hopeless = HOPELESS * min(times.sum() for times in best.values())
            for way, times in best.items():
                if times.sum() <= hopeless:
                    found = _seconds(evaluators[way], batches, workers, threads)
                    best[way] = np.minimum(times, found)
    seconds = {way: float(times.sum()) for way, times in best.items()}
    fastest = min(seconds, key=seconds.__getitem__)
    return fastest if WORTH_IT * seconds[fastest] <= seconds[ways[0]] else ways[0]


def cpu_ways(backend: str = "auto", precision: str = "auto") -> list[Way]:
    """Return the installed backends and their precisions, as far as these are left open."""
    names = installed_backends() if backend == "auto" else [backend]
    found = [find_backend(name, "cpu") for name in names]
    if precision == "auto":
        return [Way(each.name, some) for each in found for some in each.precisions]
    able = [each for each in found if precision in each.precisions]
    return [Way(each.name, precision_with(each, precision)) for each in able or found[:1]]


def _seconds(
    evaluator: NetworkEvaluator, batches: list[Planes], workers: ThreadPoolExecutor, threads: int
) -> np.ndarray:
    """Return the processor time of each batch while all threads work, on average."""

    def work(_thread: int) -> np.ndarray:
        clock = [thread_time()]
        for planes in batches:
            evaluator.on_this_thread(planes)
            clock.append(thread_time())
        return np.diff(clock)

    times: np.ndarray = np.mean(list(workers.map(work, range(threads))), axis=0)
    return times
