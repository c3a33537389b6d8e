"""The learner: Adam on the loss of minibatches plus L2 over the kernels.

The errors of a minibatch are averaged or summed (`learning.loss`). Adam takes steps of the same
size either way, so what the choice decides is the weight of L2: beside a sum it is smaller by the
number of states. A short minibatch counts in full as a mean, and by its states as a sum.

On a CPU each minibatch is split over worker threads, whose gradients are added in a fixed order, so
that a phase gives the same weights every time; where it computes faster in bfloat16, all but the
output layer does, and weights and moments stay in float32. For a GPU see `gpu_steps`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from athenan._core import Game, Stop, Stopped
from athenan.evaluators.cpu import operations
from athenan.files import Arrays
from athenan.learning.batches import Encoded, Encoder
from athenan.learning.gpu_steps import GpuSteps, predicted
from athenan.learning.group import Group
from athenan.learning.losses import Loss
from athenan.learning.settings import Learning
from athenan.learning.table import ReplayTable, Rows
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
    """The mean error of the values over the phase, each minibatch before its step."""
    move_loss: float | None = None
    """The same of what is learned of moves; None where values alone are learned."""


class Learner:
    """Owns the network and the optimiser."""

    def __init__(
        self,
        game: Game,
        network: Network,
        settings: Learning,
        device: torch.device,
        threads: int,
        precision: str = "float32",
        group: Group = Group(),  # noqa: B008 (without state)
    ) -> None:
        self.game = game
        self.network = network.to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.device = device
        self.threads = threads
        self.failure = ""
        """Why it can make no more steps; empty while it can."""
        self._group = group
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
        self._rounds = precision == "bfloat16" and not network.architecture.code
        self._operations = operations(network)
        self._batch_size = settings.batch_size
        self._averages = settings.loss == "mean"
        self._loss = Loss(settings, device)
        self._encoder = Encoder(game, with_moves=settings.moves != "none")
        self._workers = ThreadPoolExecutor(max(1, threads - 1), "learner", prepare_thread)
        given = game, network, self.optimizer, settings, self._loss, device, group
        self._gpu = GpuSteps(*given) if compiled else None

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
        sizes = np.array([len(rows) for rows in learned])
        losses = self.make_steps(table, learned, sizes, stop or Stop())
        states = int(sizes.sum())
        errors = (sizes @ losses if self._averages else losses.sum(0)) / states
        return PhaseReport(states, len(learned), *map(float, errors))

    def make_steps(
        self, table: ReplayTable, minibatches: Sequence[Rows], sizes: Rows, stop: Stop
    ) -> NDArray[np.float64]:
        """Make one step per minibatch; return the parts of the loss before each, `[steps, parts]`.

        The rows are this learner's part of each minibatch, and `sizes` those of the whole ones.
        """
        return self._group.total(self._steps(self._encoded(table, minibatches, sizes), stop))

    def _encoded(
        self, table: ReplayTable, minibatches: Sequence[Rows], sizes: Rows
    ) -> Iterator[Encoded]:
        """Encode some minibatches at a time, the same ones for every learner of the group."""
        for part in in_parts(sizes, STATES_ENCODED * self._group.size):
            encoded = self._encoder(table, list(minibatches[part]), self.threads)
            yield encoded.part_of(sizes[part])

    @torch.no_grad()
    def loss(self, table: ReplayTable, rows: Rows, stop: Stop) -> float:
        """Return the loss over some pairs; nothing is learned."""
        total = 0.0
        minibatches = [rows[i : i + 256] for i in range(0, len(rows), 256)]
        for part in in_parts([len(each) for each in minibatches], STATES_ENCODED):
            for minibatch in self._encoder(table, minibatches[part], self.threads).minibatches():
                raise_if_requested(stop)
                total += float(self._loss.total(self._parts(minibatch, 1.0)))
        return total / max(1, len(rows))

    def weigh_values(self, weight: float) -> None:
        """Let the values count so much from now on, beside what is learned of moves."""
        self._loss.weigh_values(weight)

    @torch.no_grad()
    def begin_anew(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Take other weights, and forget the moments of Adam."""
        self.network.load_state_dict(weights)
        for state in self.optimizer.state.values():
            for moment in state.values():
                moment.zero_()

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
            fresh = {
                "step": torch.zeros((), device=self.device),
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": torch.zeros_like(parameter),
            }
            # Steps that a GPU has captured go on with the memory that they had.
            state = fresh | self.optimizer.state.get(parameter, {})
            for key, own in state.items():
                moments = torch.from_numpy(np.array(arrays[f"{name}.{key}"], np.float32))
                if moments.shape != own.shape:
                    raise ValueError(f"moments of {name} of another shape")
                own.copy_(moments)
            self.optimizer.state[parameter] = state

    @property
    def threads_used(self) -> int:
        """The threads that a phase takes from others: a GPU's learner needs but the one."""
        return self.threads if self._gpu is None else 1

    def close(self) -> None:
        """End the threads."""
        self._workers.shutdown()

    def warm_up(self) -> None:
        """Prepare the steps of a GPU ahead of time; nothing is learned."""
        if self._gpu is not None:
            self._gpu.warm_up()

    def _steps(self, parts: Iterable[Encoded], stop: Stop) -> NDArray[np.float64]:
        """Make the steps; return the parts of the loss before each, `[steps, parts]`."""
        if self._gpu is not None:
            return self._gpu.steps(parts, stop)
        with self._stoppable(stop):
            return np.stack([error for part in parts for error in self._plain_steps(part, stop)])

    def _plain_steps(self, part: Encoded, stop: Stop) -> Iterator[NDArray[np.float64]]:
        for minibatch in part.minibatches():
            if self._group.requested(stop):
                raise Stopped
            yield self.plain_step(minibatch)

    def plain_step(self, minibatch: Encoded) -> NDArray[np.float64]:
        """Make one step; return the parts of the loss before it.

        A part of a minibatch that others have the rest of may be empty.
        """
        share = 1 / int(minibatch.whole_sizes[0]) if self._averages else 1.0
        threads = self.threads if self.device.type == "cpu" else 1
        count = min(threads, max(1, len(minibatch) // SMALLEST_SHARE))
        parts = minibatch.shares(count) or [minibatch]
        later = [self._workers.submit(self._gradient, part, share) for part in parts[1:]]
        try:
            results = [self._gradient(parts[0], share), *(each.result() for each in later)]
        except Stopped:
            wait(later)
            raise
        for index, parameter in enumerate(self.parameters):
            gradient = results[0][1][index]
            for _, gradients in results[1:]:
                gradient = gradient.add_(gradients[index])
            parameter.grad = gradient
        self._group.add_up([p.grad for p in self.parameters if p.grad is not None])
        self.optimizer.step()
        return np.sum([loss for loss, _ in results], axis=0)  # type: ignore[no-any-return]

    @contextmanager
    def _stoppable(self, stop: Stop) -> Iterator[None]:
        """Look for a request between the layers too, forwards and backwards, where steps are long.

        The step is given up then: weights change at its end only.
        """

        def watch(_layer: nn.Module, _inputs: object, output: object) -> None:
            raise_if_requested(stop)
            if isinstance(output, torch.Tensor) and output.requires_grad:
                output.register_hook(lambda _gradient: raise_if_requested(stop))  # type: ignore[no-untyped-call]

        layers = [layer for layer in self.network.modules() if not [*layer.children()]]
        long = self._operations * self._batch_size / self.threads > LONG_STEP
        long = long and self._group.size == 1  # others would wait for the rest of the step
        hooks = [layer.register_forward_hook(watch) for layer in layers if long]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()

    def _gradient(
        self, part: Encoded, share: float
    ) -> tuple[NDArray[np.float64], list[torch.Tensor]]:
        parts = self._parts(part, share)
        total = self._loss.total(parts)
        # A module of the user's may have parameters that its outputs do not depend on.
        gradients = torch.autograd.grad(total, self.parameters, materialize_grads=True)
        return parts.detach().double().cpu().numpy(), list(gradients)

    def _parts(self, part: Encoded, share: float) -> torch.Tensor:
        states = torch.from_numpy(part.planes).to(self.device).float()
        states = states.contiguous(memory_format=torch.channels_last)
        values = torch.from_numpy(part.values).to(self.device)
        moves = [] if part.moves is None else map(torch.from_numpy, part.moves.padded())
        moves = [each.to(self.device) for each in moves]
        if self._rounds:
            outputs = predicted(self.network, states)
        else:
            outputs = self.network.outputs(states) if moves else (self.network(states),)
        return self._loss.parts(outputs, values, torch.full_like(values, share), moves)


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


def in_parts(sizes: Sequence[int] | Rows, max_states: int) -> Iterator[slice]:
    """Split minibatches of these sizes into slices of no more than `max_states`, or of one.

    >>> list(in_parts([5, 5, 5, 20, 1], 10))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None), slice(4, 5, None)]
    """
    first, states = 0, 0
    for index, size in enumerate(sizes):
        if index > first and states + size > max_states:
            yield slice(first, index)
            first, states = index, 0
        states += size
    yield slice(first, len(sizes))
