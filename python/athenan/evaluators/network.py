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

from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

import numpy as np

from athenan._core import Error, ParameterError
from athenan.devices import device_kind, resolve_device
from athenan.evaluators.backends import (
    Options,
    backend_for,
    find_backend,
    precision_with,
    refuse_rounding,
)
from athenan.evaluators.evaluator import Evaluation, Evaluator, LegalMoves, Planes
from athenan.machine import available_cores

if TYPE_CHECKING:
    from athenan.networks.architecture import MoveAnswers
    from athenan.networks.stored import AnyNetwork


class Ticket(Protocol):
    """A batch on its way through the network."""

    def result(self) -> Evaluation:
        """Wait for the batch and return its answer; a second call returns the same."""


class NetworkEvaluator(Evaluator):
    """A network that gives values: an evaluator that can also work while its caller does not.

    One thread at a time may call it. A batch is answered with the weights that the evaluator had
    when the batch was submitted.
    """

    backend: str
    """Its name in `backends.BACKENDS`."""
    precision: str = "float32"

    def __init__(self, network: AnyNetwork) -> None:
        self.architecture = network.architecture
        self.input_shape = network.input_shape
        self.kinds = network.kinds

    @property
    def has_policy(self) -> bool:
        """Has the network a policy?"""
        return self.architecture.policy

    @property
    def says_of_moves(self) -> MoveAnswers:
        """What the network says of moves."""
        return self.architecture.says_of_moves

    @property
    def gives_move_values(self) -> bool:
        """Whether what it says of moves are values, which are added to those of their states."""
        return self.says_of_moves == "values"

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        """Return the values of the states, and the logits of their legal moves if these are given.

        Moves are refused by a network that says nothing of them.
        """
        return self.submit(planes, moves).result()

    def on_this_thread(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        """Evaluate without the help of other threads, where there are any."""
        return self.evaluate(planes, moves)

    def warm_up(self) -> None:
        """Prepare what would otherwise be prepared when it is first needed."""

    @abstractmethod
    def submit(self, planes: Planes, moves: LegalMoves | None = None) -> Ticket:
        """Begin to evaluate a batch; nothing given may change until the ticket's result."""

    def update(self, network: AnyNetwork) -> None:
        """Take the weights of a network of the same shape, for the batches submitted from now."""
        if (
            network.architecture != self.architecture
            or network.input_shape != self.input_shape
            or network.kinds != self.kinds
        ):
            raise Error("an evaluator can take the weights of a network of its own shape only")
        self._take(network)

    @abstractmethod
    def _take(self, network: AnyNetwork) -> None:
        """Take the weights of a network whose shape is right."""

    def _checked(self, planes: Planes, moves: LegalMoves | None) -> Planes:
        if planes.dtype != np.int8 or planes.shape[1:] != self.input_shape:
            raise Error(
                f"the network takes planes int8[B, {', '.join(map(str, self.input_shape))}], "
                f"not {planes.dtype}{list(planes.shape)}"
            )
        self._check_moves(len(planes), moves)
        if moves is not None and moves.kinds.max(initial=0) >= self.kinds:
            raise Error(
                f"the network knows {self.kinds} kinds of moves, and the game has at least "
                f"{moves.kinds.max() + 1}"
            )
        return np.require(planes, requirements=("C", "W"))  # torch warns of memory it may not write


def network_evaluator(
    network: AnyNetwork,
    *,
    device: str = "auto",
    threads: int = 0,
    precision: str = "auto",
    backend: str = "auto",
    batch_invariant: bool = False,
) -> NetworkEvaluator:
    """Make an evaluator of a network; the network itself is copied and never changed.

    `device`: "cpu", "cuda", "cuda:1"; "auto" is CUDA where there is one. `backend`: on the CPU
    "onnxruntime", "openvino" or "torch"; on CUDA "torch"; "auto" for the first of them that is
    installed. `precision`: on the CPU "float32" (the "auto"), and with OpenVINO and torch also
    "bfloat16"; on CUDA also "float16" (the "auto"). `threads`: how many the CPU uses, 0 for all
    that the process may use.

    `batch_invariant`: the value of a state has the same bits whatever the batch around it. With
    onnxruntime and OpenVINO it always has; torch on the CPU then evaluates each state alone, on
    CUDA in pieces of one fixed size, which costs speed.

    >>> import athenan
    >>> state = athenan.make_game("hex:size=5").initial_state()
    >>> network = athenan.network_for_preset("small", "hex:size=5")
    >>> with athenan.network_evaluator(network, device="cpu") as evaluator:
    ...     evaluator(state.encode()[None]).shape
    (1,)
    """
    if not hasattr(network, "architecture"):  # the class is not imported here: it needs torch
        raise ParameterError(
            "expected a network, as model.network or network_for_preset returns it, "
            f"not {network!r}"
        )
    if threads < 0:
        raise Error(f"threads must be 0 (all cores) or more, not {threads}")
    device = resolve_device(device)
    backend = backend_for(network, backend)
    chosen = find_backend(backend, device_kind(device))
    refuse_rounding(network, chosen.device, precision)
    precision = precision_with(chosen, precision)
    options = Options(device, precision, threads or available_cores(), batch_invariant)
    return chosen.make(network, options)
