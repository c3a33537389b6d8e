"""A module of the user's on a CUDA device: in single precision, one call per batch.

Nothing is compiled or captured: a module may do anything that torch can.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from athenan.evaluators.evaluator import Evaluation, LegalMoves, Planes
from athenan.evaluators.network import NetworkEvaluator
from athenan.evaluators.torch_copy import private_copy
from athenan.evaluators.touches import move_logits
from athenan.networks.stored import AnyNetwork

LARGEST = 8192
"""States of one call: the memory that a module needs grows with them."""


@dataclass(frozen=True)
class Answered:
    """A batch that is evaluated already."""

    answer: Evaluation

    def result(self) -> Evaluation:
        """Return the answer."""
        return self.answer


class PlainCudaEvaluator(NetworkEvaluator):
    """A network on a device, as it is."""

    backend = "torch"

    def __init__(
        self, network: AnyNetwork, device: str = "cuda", batch_invariant: bool = False
    ) -> None:
        super().__init__(network)
        self._largest = 1 if batch_invariant else LARGEST
        self.device = device
        self._take(network)

    def submit(self, planes: Planes, moves: LegalMoves | None = None) -> Answered:
        """Evaluate a batch."""
        planes = self._checked(planes, moves)
        size = self._largest
        with torch.inference_mode():
            outputs = [
                self._own.outputs(torch.from_numpy(part).to(self.device).float())
                for part in (planes[row : row + size] for row in range(0, len(planes), size))
            ]
        if not outputs:
            return Answered(Evaluation(planes.astype("float32").reshape(-1)))
        joined = (torch.cat(each).float().cpu() for each in zip(*outputs, strict=True))
        values, *touches = (each.numpy() for each in joined)
        if moves is None:
            return Answered(Evaluation(values))
        base = values if self.gives_move_values else None
        return Answered(Evaluation(values, move_logits(touches[0], moves, base=base)))

    def _take(self, network: AnyNetwork) -> None:
        self._own = private_copy(network, self.device, torch.float32)
