"""Learning steps on a GPU: bfloat16, compiled, replayed as CUDA graphs, on a stream of their own.

A step of a small minibatch is some hundred short kernels, which take longer to launch than to run;
a graph launches them at once, and those of several steps together. Minibatches are padded to a few
sizes, each with its graphs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from athenan._core import Stop, Stopped
from athenan.evaluators.capture import capturing
from athenan.learning.settings import Learning
from athenan.networks.network import Network

ROWS_TOGETHER = 4096
"""Rows of the minibatches that one graph learns, one after the other."""
PARTS_UNDER_WAY = 2
"""Parts of a phase that may be on their way while a further one is encoded."""


class Encoded(NamedTuple):
    """Some minibatches of a phase, one after the other: planes `int8[n, C, H, W]` and values."""

    planes: NDArray[np.int8]
    values: NDArray[np.float32]
    sizes: NDArray[np.int64]
    """Of each minibatch."""


class GpuSteps:
    """Makes the optimiser's steps on a CUDA device."""

    def __init__(
        self,
        network: Network,
        optimizer: torch.optim.Adam,
        settings: Learning,
        device: torch.device,
    ) -> None:
        self.network = network
        self.optimizer = optimizer
        self.device = device
        self.stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._sizes = padded_sizes(settings)
        self._averages = settings.loss == "mean"
        self._compiled = torch.compile(self.loss, dynamic=False)
        self._graphs: dict[tuple[int, int], _Graph] = {}  # by rows, and steps together

    def warm_up(self) -> None:
        """Compile and capture the steps of all padded sizes; weights and moments are kept."""
        self.stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self.stream):
            kept = [tensor.detach().clone() for tensor in self._weights_and_moments()]
            for rows in self._sizes:
                for count in {1, together(rows)}:
                    self._graphs[rows, count] = self._captured(rows, count)
            with torch.no_grad():
                tensors = self._weights_and_moments()
                for tensor, before in zip(tensors, kept, strict=False):
                    tensor.copy_(before)
                for moment in tensors[len(kept) :]:
                    moment.zero_()  # there were none before
        self.stream.synchronize()

    def steps(self, parts: Iterable[Encoded], stop: Stop) -> NDArray[np.float64]:
        """Make one step per minibatch; return the loss before each.

        Parts are taken from the iterator, which encodes them, while the device learns those before.
        A request to stop ends in Stopped, after the parts that the device was given.
        """
        under_way: deque[torch.cuda.Event] = deque()
        errors = []
        with torch.cuda.stream(self.stream):
            for part in parts:
                errors.append(self._enqueued(part))
                # Blocking: who waits for the device leaves its core to the threads of the search.
                under_way.append(torch.cuda.Event(blocking=True))  # type: ignore[no-untyped-call]
                under_way[-1].record(self.stream)
                if len(under_way) > PARTS_UNDER_WAY:
                    under_way.popleft().synchronize()
                if stop.requested:
                    self.stream.synchronize()
                    raise Stopped
            found: NDArray[np.float64] = torch.cat(errors).double().cpu().numpy()
            return found

    def _enqueued(self, part: Encoded) -> Tensor:
        """Enqueue the steps of one part; return their errors, which are still to come."""
        largest = int(part.sizes.max())
        rows = min((size for size, _ in self._graphs if size >= largest), default=0)
        inputs = self._sent(part, rows or largest)
        return self._replayed(rows, *inputs) if rows else self._one_by_one(self.loss, *inputs)

    def loss(self, states: Tensor, targets: Tensor, shares: Tensor) -> Tensor:
        """Return the squared errors weighted by `shares`: 1 / B or 1, 0 for padding."""
        error: Tensor = ((predicted(self.network, states) - targets).square() * shares).sum()
        return error

    def _replayed(self, rows: int, states: Tensor, targets: Tensor, shares: Tensor) -> Tensor:
        """Make the steps by graphs: as many together as there are, then one by one."""
        errors = []
        first, left = 0, len(states)
        while left:
            count = together(rows) if left >= together(rows) else 1
            part = slice(first, first + count)
            graph = self._graphs[rows, count]
            errors.append(graph.run(states[part], targets[part], shares[part]))
            first, left = first + count, left - count
        return torch.cat(errors)

    def _one_by_one(self, loss: Callable[..., Tensor], *inputs: Tensor) -> Tensor:
        """Make the steps of some minibatches; return their errors."""
        return torch.stack([self._step(loss, *each) for each in zip(*inputs, strict=True)])

    def _step(
        self, loss: Callable[..., Tensor], states: Tensor, targets: Tensor, shares: Tensor
    ) -> Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        error = loss(states, targets, shares)
        error.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        return error.detach()

    def _sent(self, part: Encoded, rows: int) -> tuple[Tensor, Tensor, Tensor]:
        """Send minibatches to the device, each padded to so many rows that count nothing.

        Return planes `int8[N, rows, C, H, W]`, targets and shares `float32[N, rows]`.
        """
        count, shape = len(part.sizes), part.planes.shape[1:]
        states = torch.zeros((count, rows, *shape), dtype=torch.int8, pin_memory=True)
        targets = torch.zeros((count, rows), pin_memory=True)
        shares = torch.zeros((count, rows), pin_memory=True)
        padding = rows * np.arange(count) - (np.cumsum(part.sizes) - part.sizes)
        places = np.arange(len(part.values)) + np.repeat(padding, part.sizes)
        states.numpy().reshape(count * rows, *shape)[places] = part.planes
        targets.numpy().reshape(-1)[places] = part.values
        share = 1 / part.sizes if self._averages else np.ones(count)
        shares.numpy().reshape(-1)[places] = np.repeat(share, part.sizes)
        device = self.device
        return (
            states.to(device, non_blocking=True),
            targets.to(device, non_blocking=True),
            shares.to(device, non_blocking=True),
        )

    def _captured(self, rows: int, count: int) -> _Graph:
        states = torch.zeros(
            (count, rows, *self.network.input_shape), dtype=torch.int8, device=self.device
        )
        targets = torch.zeros((count, rows), device=self.device)
        shares = torch.full((count, rows), 1 / rows, device=self.device)
        for _ in range(3):  # compiles, and lets cuDNN try its algorithms
            self._step(self._compiled, states[0], targets[0], shares[0])
        self.stream.synchronize()
        self.optimizer.zero_grad(set_to_none=True)
        with capturing(self.stream) as graph:
            errors = self._one_by_one(self._compiled, states, targets, shares)
        return _Graph(graph, (states, targets, shares), errors)

    def _weights_and_moments(self) -> list[Tensor]:
        """Return everything that a step changes: weights first, then moments, if there are any."""
        weights = [p for group in self.optimizer.param_groups for p in group["params"]]
        moments = [
            value
            for parameter in weights
            for value in self.optimizer.state.get(parameter, {}).values()
        ]
        return [*weights, *moments]


class _Graph(NamedTuple):
    """Captured steps and the memory that they read and write."""

    graph: torch.cuda.CUDAGraph
    inputs: tuple[Tensor, Tensor, Tensor]
    errors: Tensor

    def run(self, *inputs: Tensor) -> Tensor:
        """Make the steps; the graph's own memory holds its inputs and its result."""
        for own, given in zip(self.inputs, inputs, strict=True):
            own.copy_(given)
        self.graph.replay()
        return self.errors.clone()


def predicted(network: Network, states: Tensor) -> Tensor:
    """Return the values of int8 planes: bfloat16, but for the output layer, which is float32.

    Near 90 two numbers of bfloat16 are 0.5 apart: the error would be that of the rounding.
    """
    with torch.autocast(states.device.type, dtype=torch.bfloat16):
        hidden = network.hidden(states.to(torch.bfloat16, memory_format=torch.channels_last))
    return network.read(hidden.float())


def together(rows: int) -> int:
    """Return how many steps of so many rows make one graph."""
    return max(1, ROWS_TOGETHER // rows)


def padded_sizes(settings: Learning) -> tuple[int, ...]:
    """Return the sizes of minibatch that steps are captured for, smallest first.

    Experience replay gives minibatches of B, stratified replay some of nearly B. Larger ones run
    uncompiled.
    """
    size = settings.batch_size
    if settings.replay.kind == "experience":
        return (size,)
    eighth = max(1, size // 8)
    return (size - eighth, size, size + eighth)
