"""The learner: Adam on the mean squared error plus L2 over the kernels.

On a CPU each minibatch is split over worker threads, whose gradients are added in a fixed order, so
that a phase gives the same weights every time. On a GPU the steps run in bfloat16 on a stream of
their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch

from athenan._core import Game, encode_packed
from athenan.learning.replay import Arrays, Rows, Table
from athenan.learning.settings import Learning
from athenan.networks.network import Network

SMALLEST_SHARE = 16  # states below which splitting a minibatch costs more than it saves


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
        self.network = network.to(device, memory_format=torch.channels_last)
        self.device = device
        self.threads = threads
        self.parameters = [p for p in network.parameters() if p.requires_grad]
        adam = settings.adam
        self.optimizer = torch.optim.Adam(
            # Σw² in the loss has the gradient 2w: Adam's weight_decay adds to the gradient.
            [
                {"params": list(network.kernels()), "weight_decay": 2 * settings.l2},
                {"params": list(network.biases()), "weight_decay": 0.0},
            ],
            lr=adam.learning_rate,
            betas=(adam.beta1, adam.beta2),
            eps=adam.epsilon,
            fused=True,
        )
        self._workers = ThreadPoolExecutor(max(1, threads - 1), "learner")
        self._step = self._step_on_gpu if device.type == "cuda" else self._step_on_cpu

    def learn(self, table: Table, minibatches: Sequence[Rows]) -> PhaseReport:
        """Make one step per minibatch."""
        losses = []
        samples = 0
        for rows in minibatches:
            if len(rows) == 0:
                continue
            planes = encode_packed(self.game, table.states, rows, self.threads)
            losses.append(self._step(planes, table.values[rows]) * len(rows))
            samples += len(rows)
        total = float(sum(losses)) if losses else 0.0
        return PhaseReport(samples, len(losses), total / samples if samples else 0.0)

    def arrays(self) -> Arrays:
        """Return the moments of Adam, for a checkpoint."""
        out: Arrays = {}
        for name, parameter in self.network.named_parameters():
            for key, value in self.optimizer.state.get(parameter, {}).items():
                out[f"{name}.{key}"] = value.detach().cpu().numpy()
        return out

    def restore(self, arrays: Arrays) -> None:
        """Take back what `arrays` gave."""
        for name, parameter in self.network.named_parameters():
            state = {
                key: torch.from_numpy(np.array(arrays[f"{name}.{key}"])).to(self.device)
                for key in ("step", "exp_avg", "exp_avg_sq")
                if f"{name}.{key}" in arrays
            }
            if state:
                for key in ("exp_avg", "exp_avg_sq"):
                    state[key] = torch.empty_like(parameter).copy_(state[key])
                self.optimizer.state[parameter] = state

    def _step_on_cpu(self, planes: np.ndarray, values: np.ndarray) -> float:
        shares = min(self.threads, max(1, len(values) // SMALLEST_SHARE))
        parts = list(
            zip(np.array_split(planes, shares), np.array_split(values, shares), strict=True)
        )
        later = [self._workers.submit(self._gradient, *part, len(values)) for part in parts[1:]]
        results = [self._gradient(*parts[0], len(values)), *(each.result() for each in later)]
        for index, parameter in enumerate(self.parameters):
            gradient = results[0][1][index]
            for _, gradients in results[1:]:
                gradient = gradient.add_(gradients[index])
            parameter.grad = gradient
        self.optimizer.step()
        return sum(loss for loss, _ in results)

    def _gradient(
        self, planes: np.ndarray, values: np.ndarray, batch_size: int
    ) -> tuple[float, list[torch.Tensor]]:
        states = torch.from_numpy(planes).float().contiguous(memory_format=torch.channels_last)
        error = self.network(states) - torch.from_numpy(values)
        loss = error.square().sum() / batch_size
        return loss.item(), list(torch.autograd.grad(loss, self.parameters))

    def _step_on_gpu(self, planes: np.ndarray, values: np.ndarray) -> torch.Tensor:
        states = torch.from_numpy(planes).pin_memory().to(self.device, non_blocking=True)
        targets = torch.from_numpy(values).pin_memory().to(self.device, non_blocking=True)
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            predicted = self.network(
                states.to(torch.bfloat16, memory_format=torch.channels_last)
            ).float()
        loss = (predicted - targets).square().mean()
        loss.backward()
        self.optimizer.step()
        return loss.detach()
