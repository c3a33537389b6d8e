"""What several learners do together: add up their gradients, and agree to stop.

Each has the same network and the same moments, and computes a part of each minibatch; with the sum
of all gradients each makes the same step. The sums are those of torch.distributed: gloo between
processors, NCCL between GPUs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from numpy.typing import NDArray
from torch import Tensor
from torch.distributed.distributed_c10d import PrefixStore, Store

from athenan._core import Error, Stop

PATIENCE = timedelta(minutes=10)
"""For another learner, which compiles its network before its first step."""


class PeerLostError(Error):
    """Another learner of the group is no longer there."""


class Group:
    """The group of a single learner, which has nothing to add up or to agree."""

    size = 1

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Let each tensor become the sum of those that all learners have in its place."""

    def total(self, losses: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of what all learners have in each place."""
        return losses

    def requested(self, stop: Stop) -> bool:
        """Whether any learner was asked to stop; all of them are told the same."""
        return stop.requested

    def close(self) -> None:
        """Leave the group."""


class Peers(Group):
    """One of several learners; all of them make the same calls in the same order."""

    def __init__(self, store: Store, rank: int, size: int, device: torch.device) -> None:
        self.size = size
        try:
            self._words: Any = dist.ProcessGroupGloo(
                PrefixStore("words", store), rank, size, PATIENCE
            )
            self._sums = self._words if device.type == "cpu" else _nccl(store, rank, size)
        except RuntimeError as problem:
            raise PeerLostError(f"learners could not meet ({first_line(problem)})") from None

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Send all tensors at once: many small messages would wait for each other."""
        joined = torch.cat([each.reshape(-1) for each in tensors])
        self._reduce(self._sums, joined)
        parts = torch.split(joined, [each.numel() for each in tensors])
        with torch.no_grad():
            for tensor, total in zip(tensors, parts, strict=True):
                tensor.copy_(total.view(tensor.shape))

    def total(self, losses: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of what all learners have in each place."""
        sums = torch.from_numpy(losses.copy())
        self._reduce(self._words, sums)
        return sums.numpy()

    def requested(self, stop: Stop) -> bool:
        """Ask everybody."""
        asked = torch.tensor([float(stop.requested)])
        self._reduce(self._words, asked)
        return bool(asked > 0)

    def close(self) -> None:
        """Leave the group; others notice it at their next call."""
        if self._sums is not self._words:
            self._sums.abort()  # a GPU may wait for somebody who is no longer there
        self._words = self._sums = None

    def _reduce(self, group: Any, tensor: Tensor) -> None:
        try:
            group.allreduce([tensor]).wait()
        except RuntimeError as problem:
            raise PeerLostError(first_line(problem)) from None


def _nccl(store: Store, rank: int, size: int) -> Any:
    options = dist.ProcessGroupNCCL.Options()
    options._timeout = PATIENCE
    return dist.ProcessGroupNCCL(PrefixStore("sums", store), rank, size, options)


def first_line(problem: Exception) -> str:
    """Return what an exception says, without the lines that follow."""
    said = str(problem).strip().splitlines()
    return said[0] if said else type(problem).__name__
