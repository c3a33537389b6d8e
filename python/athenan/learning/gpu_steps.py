"""Learning steps on a GPU: bfloat16, compiled, replayed as CUDA graphs, on a stream of their own.

A step of a small minibatch is some hundred short kernels, which take longer to launch than to run;
a graph launches them at once. Minibatches are padded to a few sizes, each with its graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from athenan.learning.settings import Learning
from athenan.networks.network import Network


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
        self._compiled = torch.compile(self.loss, dynamic=False)
        self._graphs: dict[int, _Graph] = {}

    def warm_up(self) -> None:
        """Compile and capture the steps of all padded sizes; weights and moments are kept."""
        self.stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self.stream):
            kept = [tensor.detach().clone() for tensor in self._weights_and_moments()]
            for rows in self._sizes:
                self._graphs[rows] = self._captured(rows)
            with torch.no_grad():
                tensors = self._weights_and_moments()
                for tensor, before in zip(tensors, kept, strict=False):
                    tensor.copy_(before)
                for moment in tensors[len(kept) :]:
                    moment.zero_()  # there were none before
        self.stream.synchronize()

    def steps(
        self, planes: NDArray[np.int8], values: NDArray[np.float32], places: Sequence[slice]
    ) -> NDArray[np.float64]:
        """Make one step per place; wait only after the last. Return the error before each."""
        with torch.cuda.stream(self.stream):
            states, targets = self._sent(planes), self._sent(values)
            errors = torch.stack([self._step(states, targets, place) for place in places])
            found: NDArray[np.float64] = errors.double().cpu().numpy()
            return found

    def loss(self, states: Tensor, targets: Tensor, shares: Tensor) -> Tensor:
        """Return the squared error weighted by `shares`: 1 / B each, 0 for padding."""
        with torch.autocast("cuda", dtype=torch.bfloat16):
            features = states.to(torch.bfloat16, memory_format=torch.channels_last)
            predicted = self.network(features)
        error: Tensor = ((predicted.float() - targets).square() * shares).sum()
        return error

    def _step(self, states: Tensor, targets: Tensor, place: slice) -> Tensor:
        """Make one step. Rows beyond the minibatch, up to a padded size, count nothing."""
        size = place.stop - place.start
        rows = next((each for each in self._graphs if each >= size), size)
        padded = slice(place.start, place.start + rows)
        shares = (torch.arange(rows, device=self.device) < size) / size
        if rows in self._graphs:
            return self._graphs[rows].run(states[padded], targets[padded], shares)
        self.optimizer.zero_grad(set_to_none=True)
        error = self.loss(states[padded], targets[padded], shares)
        error.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        return error.detach()

    def _sent(self, array: NDArray[Any]) -> Tensor:
        """Send an array to the device, with rows of zeros at its end for the last minibatch."""
        given = torch.from_numpy(array)
        staged = torch.zeros(
            (len(array) + self._sizes[-1], *given.shape[1:]), dtype=given.dtype, pin_memory=True
        )
        staged[: len(array)] = given
        return staged.to(self.device, non_blocking=True)

    def _captured(self, rows: int) -> _Graph:
        shape = (rows, *self.network.input_shape)
        states = torch.zeros(shape, dtype=torch.int8, device=self.device)
        targets = torch.zeros(rows, device=self.device)
        shares = torch.full((rows,), 1 / rows, device=self.device)

        def step() -> Tensor:
            self.optimizer.zero_grad(set_to_none=True)
            error = self._compiled(states, targets, shares)
            error.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            return error.detach()

        for _ in range(3):  # compiles, and lets cuDNN try its algorithms
            step()
        self.stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph, stream=self.stream, capture_error_mode="thread_local"):
            error = step()
        return _Graph(graph, states, targets, shares, error)

    def _weights_and_moments(self) -> list[Tensor]:
        """Return everything that a step changes: weights first, then moments, if there are any."""
        weights = [p for group in self.optimizer.param_groups for p in group["params"]]
        moments = [
            value
            for parameter in weights
            for value in self.optimizer.state.get(parameter, {}).values()
        ]
        return [*weights, *moments]


class _Graph:
    """A captured step and the memory that it reads and writes."""

    def __init__(
        self,
        graph: torch.cuda.CUDAGraph,
        states: Tensor,
        targets: Tensor,
        shares: Tensor,
        error: Tensor,
    ) -> None:
        self._graph = graph
        self._inputs = (states, targets, shares)
        self._error = error

    def run(self, *inputs: Tensor) -> Tensor:
        """Make the step; the graph's own memory holds its inputs and its result."""
        for own, given in zip(self._inputs, inputs, strict=True):
            own.copy_(given)
        self._graph.replay()
        return self._error.clone()


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
