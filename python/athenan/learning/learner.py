"""The learner: Adam on the squared errors plus L2 over the kernels.

The errors of a minibatch are averaged or summed (`learning.loss`). Adam takes steps of the same
size either way, so what the choice decides is the weight of L2: beside a sum it is smaller by the
number of states. A short minibatch counts in full as a mean, and by its states as a sum.

On a CPU each minibatch is split over worker threads, whose gradients are added in a fixed order, so
that a phase gives the same weights every time. For a GPU see `gpu_steps`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from athenan._core import Game, Stop, Stopped, encode_packed
from athenan.evaluators.cpu import operations
from athenan.files import Arrays
from athenan.learning.gpu_steps import Encoded, GpuSteps
from athenan.learning.replay import ReplayTable, Rows
from athenan.learning.settings import Learning
from athenan.networks.network import Network

STATES_ENCODED = 1 << 13  # at a time; a GPU learns some meanwhile
SMALLEST_SHARE = 16  # states below which splitting a minibatch costs more than it saves
LONG_STEP = 2e9  # operations of a thread's share, forwards: some 100 ms forwards and backwards


@dataclass(frozen=True)
class PhaseReport:
    """What a learning phase did."""

    samples: int
    minibatches: int
    loss: float
    """The mean squared error over the phase, each minibatch before its step."""


class Learner:
    """Owns the network and the optimiser."""

    def __init__(
        self, game: Game, network: Network, settings: Learning, device: torch.device, threads: int
    ) -> None:
        self.game = game
        self.network = network.to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.device = device
        self.threads = threads
        self.parameters = [p for p in network.parameters() if p.requires_grad]
        adam = self._adam = settings.adam
        on_gpu = device.type == "cuda"
        compiled = on_gpu and not network.architecture.code  # a user's module takes plain steps
        self.optimizer = torch.optim.Adam(
            # Σw² in the loss has the gradient 2w: Adam's weight_decay adds to the gradient.
            [
                {"params": list(network.kernels()), "weight_decay": 2 * settings.l2},
                {"params": list(network.biases()), "weight_decay": 0.0},
            ],
            lr=torch.tensor(adam.learning_rate, device=device)
            if on_gpu and adam.final_share < 1
            else adam.learning_rate,
            betas=(adam.beta1, adam.beta2),
            eps=adam.epsilon,
            fused=True,
            capturable=on_gpu,
        )
        self._operations = operations(network)
        self._batch_size = settings.batch_size
        self._averages = settings.loss == "mean"
        self._workers = ThreadPoolExecutor(max(1, threads - 1), "learner", prepare_thread)
        self._gpu = GpuSteps(network, self.optimizer, settings, device) if compiled else None

    def anneal(self, progress: float) -> None:
        """Set the learning rate for t / t_max: λ · share^progress."""
        adam = self._adam
        if adam.final_share == 1:
            return
        rate = adam.learning_rate * adam.final_share**progress
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], torch.Tensor):  # read by captured steps
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def learn(
        self, table: ReplayTable, minibatches: Sequence[Rows], stop: Stop | None = None
    ) -> PhaseReport:
        """Make one step per minibatch; a request to stop ends in Stopped, after a whole step."""
        learned = [rows for rows in minibatches if len(rows)]
        if not learned:
            return PhaseReport(0, 0, 0.0)
        stop = stop or Stop()
        parts = in_parts(learned, STATES_ENCODED)
        losses = self._steps((self._encoded(table, part) for part in parts), stop)
        sizes = np.array([len(rows) for rows in learned])
        states = int(sizes.sum())
        error = losses @ sizes if self._averages else losses.sum()
        return PhaseReport(states, len(learned), float(error / states))

    def arrays(self) -> Arrays:
        """Return a copy of the moments of Adam, for a checkpoint."""
        out: Arrays = {}
        for name, parameter in self.network.named_parameters():
            for key, value in self.optimizer.state.get(parameter, {}).items():
                out[f"{name}.{key}"] = value.detach().cpu().numpy().copy()
        return out

    def restore(self, arrays: Arrays) -> None:
        """Take back what `arrays` gave; parameters that had no step yet have none."""
        for name, parameter in self.network.named_parameters():
            if not any(array.startswith(f"{name}.") for array in arrays):
                continue
            state = {"step": torch.tensor(float(arrays[f"{name}.step"]), device=self.device)}
            for key in ("exp_avg", "exp_avg_sq"):
                moments = torch.from_numpy(np.array(arrays[f"{name}.{key}"], np.float32))
                if moments.shape != parameter.shape:
                    raise ValueError(f"moments of {name} of another shape")
                state[key] = torch.empty_like(parameter).copy_(moments)
            self.optimizer.state[parameter] = state

    @property
    def threads_used(self) -> int:
        """The threads that a phase takes from others: a GPU's learner needs but the one."""
        return self.threads if self._gpu is None else 1

    def close(self) -> None:
        """End the threads."""
        self._workers.shutdown()

    def _encoded(self, table: ReplayTable, minibatches: Sequence[Rows]) -> Encoded:
        rows = np.concatenate(minibatches)
        planes = encode_packed(self.game, table.states, rows, self.threads)
        sizes = np.array([len(each) for each in minibatches], np.int64)
        return Encoded(planes, table.values[rows], sizes)

    def warm_up(self) -> None:
        """Prepare the steps of a GPU ahead of time; nothing is learned."""
        if self._gpu is not None:
            self._gpu.warm_up()

    def _steps(self, parts: Iterable[Encoded], stop: Stop) -> NDArray[np.float64]:
        """Make the steps; return the loss before each."""
        if self._gpu is not None:
            return self._gpu.steps(parts, stop)
        with self._stoppable(stop):
            return np.array([error for part in parts for error in self._plain_steps(part, stop)])

    def _plain_steps(self, part: Encoded, stop: Stop) -> Iterator[float]:
        ends = np.cumsum(part.sizes)[:-1]
        for planes, values in zip(
            np.split(part.planes, ends), np.split(part.values, ends), strict=True
        ):
            raise_if_requested(stop)
            yield self.plain_step(planes, values)

    def plain_step(self, planes: NDArray[np.int8], values: NDArray[np.float32]) -> float:
        """Make one step; return the loss before it."""
        divisor = len(values) if self._averages else 1
        threads = self.threads if self.device.type == "cpu" else 1
        shares = min(threads, max(1, len(values) // SMALLEST_SHARE))
        parts = list(
            zip(np.array_split(planes, shares), np.array_split(values, shares), strict=True)
        )
        later = [self._workers.submit(self._gradient, *part, divisor) for part in parts[1:]]
        try:
            results = [self._gradient(*parts[0], divisor), *(each.result() for each in later)]
        except Stopped:
            wait(later)
            raise
        for index, parameter in enumerate(self.parameters):
            gradient = results[0][1][index]
            for _, gradients in results[1:]:
                gradient = gradient.add_(gradients[index])
            parameter.grad = gradient
        self.optimizer.step()
        return sum(loss for loss, _ in results)

    @contextmanager
    def _stoppable(self, stop: Stop) -> Iterator[None]:
        """Look for a request between the layers too, forwards and backwards, where steps are long.

        The step is given up then: weights change at its end only.
        """

        def watch(_layer: nn.Module, _inputs: object, output: torch.Tensor) -> None:
            raise_if_requested(stop)
            output.register_hook(lambda _gradient: raise_if_requested(stop))  # type: ignore[no-untyped-call]

        layers = [layer for layer in self.network.modules() if not [*layer.children()]]
        long = self._operations * self._batch_size / self.threads > LONG_STEP
        hooks = [layer.register_forward_hook(watch) for layer in layers if long]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()

    def _gradient(
        self, planes: NDArray[np.int8], values: NDArray[np.float32], divisor: int
    ) -> tuple[float, list[torch.Tensor]]:
        states = torch.from_numpy(planes).to(self.device).float()
        states = states.contiguous(memory_format=torch.channels_last)
        error = self.network(states) - torch.from_numpy(values).to(self.device)
        loss = error.square().sum() / divisor
        return loss.item(), list(torch.autograd.grad(loss, self.parameters))


def raise_if_requested(stop: Stop) -> None:
    """End the work that was asked to stop."""
    if stop.requested:
        raise Stopped


def prepare_thread() -> None:
    """Make the calling thread fit for learning: both settings of torch are kept per thread.

    Left alone, torch's own threads would spin on the same cores; and unused filters, which L2
    drives to zero, would make each step many times slower on their way through denormal numbers.
    """
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


def in_parts(minibatches: Sequence[Rows], max_states: int) -> Iterator[list[Rows]]:
    """Split minibatches into lists of no more than `max_states`, or of one minibatch."""
    part: list[Rows] = []
    for rows in minibatches:
        if part and sum(map(len, part)) + len(rows) > max_states:
            yield part
            part = []
        part.append(rows)
    yield part
