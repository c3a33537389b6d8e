"""Learning steps on a GPU: bfloat16, compiled, replayed as CUDA graphs, on a stream of their own.

A step of a small minibatch is some hundred short kernels, which take longer to launch than to run;
a graph launches them at once, and those of several steps together. Minibatches are padded to a few
sizes, each with its graphs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from athenan._core import Game, Stop, Stopped
from athenan.evaluators.capture import capturing
from athenan.games.measure import random_turns
from athenan.learning.batches import Encoded
from athenan.learning.group import Group
from athenan.learning.losses import Loss
from athenan.learning.settings import Learning
from athenan.networks.architecture import TOUCHES
from athenan.networks.network import Network

ROWS_TOGETHER = 4096
"""Rows of the minibatches that one graph learns, one after the other."""
PARTS_UNDER_WAY = 2
"""Parts of a phase that may be on their way while a further one is encoded."""
MOVES_TOGETHER = 32
"""States are padded to a multiple of this many moves, where moves are learned."""
MATCHES_MEASURED = 10


Inputs = Sequence[Tensor]
"""Of one step or, with one more dimension, of several: see `padded`."""


class GpuSteps:
    """Makes the optimiser's steps on a CUDA device."""

    def __init__(
        self,
        game: Game,
        network: Network,
        optimizer: torch.optim.Adam,
        settings: Learning,
        loss: Loss,
        device: torch.device,
        group: Group = Group(),  # noqa: B008 (without state)
    ) -> None:
        self.network = network
        self.optimizer = optimizer
        self.device = device
        self.stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._group = group
        self._sizes = padded_sizes(settings, group.size)
        self._averages = settings.loss == "mean"
        self._loss = loss
        self._width = usual_width(game) if settings.moves != "none" else 0
        if settings.moves == "values" and settings.moves_taught:
            self._width = min(self._width, settings.moves_taught)
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
        """Make one step per minibatch; return the parts of the loss before each.

        Parts are taken from the iterator, which encodes them, while the device learns those before.
        A request to stop ends in Stopped, after the parts that the device was given.
        """
        under_way: deque[torch.cuda.Event] = deque()
        errors = []
        # What the caller has told the device comes first: weights and averages that are still being
        # copied, other weights, another learning rate.
        self.stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self.stream):
            for part in parts:
                errors.append(self._enqueued(part))
                # Blocking: who waits for the device leaves its core to the threads of the search.
                under_way.append(torch.cuda.Event(blocking=True))  # type: ignore[no-untyped-call]
                under_way[-1].record(self.stream)
                requested = self._group.requested(stop)
                if len(under_way) > PARTS_UNDER_WAY:
                    under_way.popleft().synchronize()
                if requested:
                    self.stream.synchronize()
                    raise Stopped
            found: NDArray[np.float64] = torch.cat(errors).double().cpu().numpy()
            return found

    def _enqueued(self, part: Encoded) -> Tensor:
        """Enqueue the steps of one part; return their errors, which are still to come."""
        largest = int(part.sizes.max())
        width = 0 if part.moves is None else part.moves.width
        rows = min((size for size, _ in self._graphs if size >= largest), default=0)
        if rows and width <= self._width:
            return self._replayed(rows, self._sent(part, rows, self._width))
        return self._one_by_one(self.loss, self._sent(part, largest, width))

    def loss(self, states: Tensor, values: Tensor, shares: Tensor, *moves: Tensor) -> Tensor:
        """Return the parts of the loss, states weighted by `shares`: 1 / B or 1, 0 for padding."""
        return self._loss.parts(predicted(self.network, states), values, shares, moves)

    def _replayed(self, rows: int, inputs: Inputs) -> Tensor:
        """Make the steps by graphs: as many together as there are, then one by one."""
        errors = []
        first, left = 0, len(inputs[0])
        while left:
            count = together(rows) if left >= together(rows) else 1
            part = slice(first, first + count)
            errors.append(self._graphs[rows, count].run([each[part] for each in inputs]))
            first, left = first + count, left - count
        return torch.cat(errors)

    def _one_by_one(self, loss: Callable[..., Tensor], inputs: Inputs) -> Tensor:
        """Make the steps of some minibatches; return their errors."""
        return torch.stack([self._step(loss, each) for each in zip(*inputs, strict=True)])

    def _step(self, loss: Callable[..., Tensor], inputs: Inputs) -> Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        parts = loss(*inputs)
        self._loss.total(parts).backward()  # type: ignore[no-untyped-call]
        if self._group.size > 1:
            self._group.add_up([p.grad for p in self.network.parameters() if p.grad is not None])
        self.optimizer.step()
        return parts.detach()

    def _sent(self, part: Encoded, rows: int, width: int) -> Inputs:
        """Send minibatches to the device, each padded to a number of rows that do not count.

        Return planes `int8[N, rows, C, H, W]`, values and shares `float32[N, rows]`, and where
        moves are learned, those of each state padded to `width`.
        """
        sent = padded(part, rows, width, averages=self._averages, pinned=True)
        return [each.to(self.device, non_blocking=True) for each in sent]

    def _captured(self, rows: int, count: int) -> _Graph:
        inputs = self._blank(rows, count)
        first = [each[0] for each in inputs]
        for _ in range(3):  # compiles, and lets cuDNN try its algorithms
            self._step(self._compiled, first)
        self.stream.synchronize()
        self.optimizer.zero_grad(set_to_none=True)
        with capturing(self.stream) as graph:
            errors = self._one_by_one(self._compiled, inputs)
        return _Graph(graph, inputs, errors)

    def _blank(self, rows: int, count: int) -> Inputs:
        """Return the memory for the inputs of a number of steps."""
        sizes, device = (count, rows), self.device
        planes = torch.zeros((*sizes, *self.network.input_shape), dtype=torch.int8, device=device)
        shares = torch.full(sizes, 1 / rows, device=device)
        inputs = [planes, torch.zeros(sizes, device=device), shares]
        if self._width:
            width, whole = (*sizes, self._width), torch.int32
            inputs += [
                torch.zeros((*width, TOUCHES), dtype=whole, device=device),
                torch.zeros(width, device=device),
                torch.zeros(sizes, dtype=whole, device=device),
            ]
        return inputs

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
    inputs: Inputs
    errors: Tensor

    def run(self, inputs: Inputs) -> Tensor:
        """Make the steps; the graph's own memory holds its inputs and its result."""
        for own, given in zip(self.inputs, inputs, strict=True):
            own.copy_(given)
        self.graph.replay()
        return self.errors.clone()


def padded(part: Encoded, rows: int, width: int, *, averages: bool, pinned: bool) -> Inputs:
    """Return the minibatches of a part, padded to a number of rows, its states to `width` moves.

    Planes, values and shares; and where moves are learned, their places, targets and numbers.
    """
    count, shape = len(part.sizes), part.planes.shape[1:]
    total = count * rows
    padding = rows * np.arange(count) - (np.cumsum(part.sizes) - part.sizes)
    places = np.arange(len(part)) + np.repeat(padding, part.sizes)
    states = torch.zeros((total, *shape), dtype=torch.int8, pin_memory=pinned)
    values = torch.zeros(total, pin_memory=pinned)
    shares = torch.zeros(total, pin_memory=pinned)
    states.numpy()[places] = part.planes
    values.numpy()[places] = part.values
    share = 1 / part.whole_sizes if averages else np.ones(count)
    shares.numpy()[places] = np.repeat(share, part.sizes)
    made = [states, values, shares]
    if part.moves is not None:
        touched = torch.zeros((total, width, TOUCHES), dtype=torch.int32, pin_memory=pinned)
        targets = torch.zeros((total, width), pin_memory=pinned)
        numbers = torch.zeros(total, dtype=torch.int32, pin_memory=pinned)
        part.moves.fill(places, touched.numpy(), targets.numpy(), numbers.numpy())
        made += [touched, targets, numbers]
    return [each.view(count, rows, *each.shape[1:]) for each in made]


def predicted(network: Network, states: Tensor) -> tuple[Tensor, ...]:
    """Return the outputs for int8 planes: bfloat16, but for the output layer, which is float32.

    Near 90 two numbers of bfloat16 are 0.5 apart: the error would be that of the rounding.
    """
    with torch.autocast(states.device.type, dtype=torch.bfloat16):
        planes = states.to(torch.bfloat16, memory_format=torch.channels_last)
        hidden, *touches = network.before_reading(planes)
    return network.read(hidden.float()), *(each.float() for each in touches)


def usual_width(game: Game) -> int:
    """Return to how many moves states are padded: no state of some random matches has more.

    A minibatch with a state that has more is learned uncompiled.
    """
    most = max(len(turn.moves) for turn in random_turns(game, MATCHES_MEASURED))
    return -(-most // MOVES_TOGETHER) * MOVES_TOGETHER


def together(rows: int) -> int:
    """Return how many steps of this many rows make one graph."""
    return max(1, ROWS_TOGETHER // rows)


def padded_sizes(settings: Learning, learners: int = 1) -> tuple[int, ...]:
    """Return the sizes of minibatch that steps are captured for, smallest first.

    Experience replay gives minibatches of B, stratified replay some of nearly B, of which each of
    several learners has its part. Larger ones run uncompiled.
    """
    size = -(-settings.batch_size // learners)
    if settings.replay.kind != "stratified":
        return (size,)
    eighth = max(1, size // 8)
    return (size - eighth, size, size + eighth)
