"""A network as an evaluator, on whatever the machine has.

>>> import athenan
>>> from athenan.evaluators import network_evaluator
>>> from athenan.networks import Architecture, build_network
>>> game = athenan.make_game("hex", size=5, swap=False)
>>> evaluate = network_evaluator(build_network(Architecture(), game), device="cpu", threads=1)
>>> athenan.search(game.initial_state(), evaluate, expansions=5).spent.expansions
5
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from athenan._core import Error
from athenan.evaluators.cpu_backends import BACKENDS, make_cpu_evaluator
from athenan.evaluators.evaluator import Answer, Planes
from athenan.machine import available_cores

if TYPE_CHECKING:
    from athenan.networks.network import Network

PRECISIONS = ("auto", "float32", "float16", "bfloat16")


class Ticket(Protocol):
    """A batch on its way through the network."""

    def result(self) -> Answer:
        """Wait for the batch and return its answer; a second call returns the same."""
        ...


class NetworkEvaluator(ABC):
    """A network that gives values: an `Evaluator` that can also work while its caller does not.

    One thread at a time may call it. A batch is answered with the weights that the evaluator had
    when the batch was submitted.
    """

    device: str
    """"cpu" or a CUDA device such as "cuda:0"."""
    backend: str
    """"onnxruntime", "openvino" or "torch"."""

    def __init__(self, network: Network) -> None:
        self.architecture = network.architecture
        self.input_shape = network.input_shape
        self.move_count = network.move_count

    def __call__(self, planes: Planes) -> Answer:
        """Return the values `float32[B]` of planes `int8[B, C, H, W]`, with logits if any."""
        return self.submit(planes).result()

    def warm_up(self) -> None:  # noqa: B027 (most evaluators have nothing to prepare)
        """Prepare what would otherwise be prepared when it is first needed."""

    @abstractmethod
    def submit(self, planes: Planes) -> Ticket:
        """Begin to evaluate a batch; the planes must not change until the ticket's result."""

    def update(self, network: Network) -> None:
        """Take the weights of a network of the same shape, for the batches submitted from now."""
        if (
            network.architecture != self.architecture
            or network.input_shape != self.input_shape
            or network.move_count != self.move_count
        ):
            raise Error("an evaluator can take the weights of a network of its own shape only")
        self._take(network)

    @abstractmethod
    def _take(self, network: Network) -> None:
        """Take the weights of a network whose shape is right."""

    def close(self) -> None:  # noqa: B027 (some evaluators hold nothing to give back)
        """Give back threads and memory; batches under way are finished first."""

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close."""
        self.close()

    def _checked(self, planes: Planes) -> Planes:
        if planes.dtype != np.int8 or planes.shape[1:] != self.input_shape:
            raise Error(
                f"the network takes planes int8[B, {', '.join(map(str, self.input_shape))}], "
                f"not {planes.dtype}{list(planes.shape)}"
            )
        return np.require(planes, requirements=("C", "W"))  # torch warns of memory it may not write


def network_evaluator(
    network: Network,
    *,
    device: str = "auto",
    threads: int = 0,
    precision: str = "auto",
    backend: str = "auto",
    batch_invariant: bool = False,
) -> NetworkEvaluator:
    """Make an evaluator of a network; the network itself is copied and never changed.

    `device`: "cpu", "cuda", "cuda:1"; "auto" is CUDA where there is one. `backend`: on the CPU
    "onnxruntime", "openvino" or "torch", "auto" for the first of them that is installed; on CUDA
    "torch". `precision`: "float32" on the CPU; on CUDA also "float16" (the "auto") and "bfloat16".
    `threads`: how many the CPU uses, 0 for all that the process may use.

    `batch_invariant`: the value of a state has the same bits whatever the batch around it. With
    onnxruntime and OpenVINO it always has; torch on the CPU then evaluates each state alone, on
    CUDA in pieces of one fixed size, which costs speed.
    """
    import torch

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and not torch.cuda.is_available():
        raise Error("device=cuda needs a CUDA device, and torch finds none")
    indices = range(torch.cuda.device_count())
    _check("device", device, ("auto", "cpu", "cuda", *(f"cuda:{i}" for i in indices)))
    _check("backend", backend, ("auto", *BACKENDS))
    _check("precision", precision, PRECISIONS)
    if device == "cpu":
        return _on_cpu(network, threads, precision, backend, batch_invariant)
    return _on_cuda(network, device, precision, backend, batch_invariant)


def _on_cpu(
    network: Network, threads: int, precision: str, backend: str, batch_invariant: bool
) -> NetworkEvaluator:
    if precision not in ("auto", "float32"):
        raise Error(f"precision is float32 on the CPU, not {precision}")
    if threads < 0:
        raise Error(f"threads must be 0 (all cores) or more, not {threads}")
    return make_cpu_evaluator(network, backend, threads or available_cores(), batch_invariant)


def _on_cuda(
    network: Network, device: str, precision: str, backend: str, batch_invariant: bool
) -> NetworkEvaluator:
    if backend not in ("auto", "torch"):
        raise Error(f"backend={backend} runs on the CPU only: use device=cpu or backend=torch")
    from athenan.evaluators.cuda import CudaEvaluator

    precision = "float16" if precision == "auto" else precision
    return CudaEvaluator(network, device, precision, batch_invariant=batch_invariant)


def _check(name: str, value: str, accepted: tuple[str, ...]) -> None:
    if value not in accepted:
        raise Error(f"{name} must be one of {', '.join(accepted)}, not {value!r}")
