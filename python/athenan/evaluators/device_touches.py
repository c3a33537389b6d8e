"""From touch planes to the logits of legal moves, on the device that computed the planes.

The same numbers as `touches.move_logits`. The touch planes of a batch are some hundred times as
large as what is asked of them, so they stay where they are: moves go there and logits come back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from athenan.evaluators.evaluator import LegalMoves
from athenan.networks.architecture import TOUCHES


class DeviceMoves(NamedTuple):
    """The legal moves of a batch of states on a device."""

    counts: Tensor
    """`int64[B]`: of each state."""
    kinds: Tensor
    """`uint8[N]`."""
    cells: Tensor
    """`int16[N, TOUCHES]`, -1 for none."""

    @classmethod
    def sent(cls, moves: LegalMoves, device: torch.device | str) -> DeviceMoves:
        """Copy moves to a device, in the current stream; the arrays may change afterwards."""
        pinned = torch.device(device).type == "cuda"

        def send(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Tensor:
            host = torch.from_numpy(np.ascontiguousarray(array))
            if not pinned:
                return host.clone()
            return host.pin_memory().to(device, non_blocking=True)

        return cls(send(np.diff(moves.offsets)), send(moves.kinds), send(moves.cells))

    def logits(self, touches: Tensor, base: Tensor | None = None) -> Tensor:
        """Return `float32[N]` of touch planes `[B, P, H, W]`; see `touches.move_logits`."""
        states, planes, rows, columns = touches.shape
        total, size = len(self.kinds), rows * columns
        state = torch.repeat_interleave(self.counts, output_size=total)
        kind = self.kinds.long()
        first = (state * planes + kind * TOUCHES) * size
        flat = touches.reshape(-1)
        logits = torch.zeros(total, device=touches.device)
        for i in range(TOUCHES):
            touched = self.cells[:, i].long()
            found = flat[(first + (i * size) + touched).clamp_(min=0)]
            logits += torch.where(touched >= 0, found, 0.0)
        means = flat.view(states * planes, size)[::TOUCHES].mean(1, dtype=torch.float64).float()
        of_kind = means[state * (planes // TOUCHES) + kind]
        logits = torch.where(self.cells[:, 0] < 0, of_kind, logits)
        return logits if base is None else logits + base[state]
