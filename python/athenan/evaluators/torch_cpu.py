"""A network on the CPU through torch: where onnxruntime is missing.

Each call computes on one thread. The number of threads inside torch's operations is a setting of
the process that torch keeps per thread: it is set to 1 for good on the evaluator's own threads, and
for the time of a call on the calling thread. Threads that begin to use torch later inherit the last
setting made anywhere: such a thread should set its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import torch

from athenan.evaluators.cpu import CpuEvaluator, Forward
from athenan.evaluators.evaluator import Planes, Policies, Values
from athenan.evaluators.torch_copy import private_copy

if TYPE_CHECKING:
    from athenan.networks.network import Network

FIXED_ROWS = 16
"""The size of each part when values must not depend on the batch."""


class TorchCpuEvaluator(CpuEvaluator):
    """A network run by torch, one thread per part of a batch.

    torch chooses its kernels by the size of the batch, so the value of a state varies with it in
    the last bits. With `batch_invariant` each part has FIXED_ROWS rows, the last one padded.
    """

    backend = "torch"

    def __init__(self, network: Network, threads: int, batch_invariant: bool = False) -> None:
        self._fixed_rows = FIXED_ROWS if batch_invariant else 0
        super().__init__(network, threads, prepare_thread=lambda: torch.set_num_threads(1))

    def _parts(self, rows: int) -> list[slice]:
        if not self._fixed_rows:
            return super()._parts(rows)
        edges = range(0, rows, self._fixed_rows)
        return [slice(start, min(rows, start + self._fixed_rows)) for start in edges]

    def _load(self, network: Network) -> Forward:
        own = private_copy(network, "cpu", torch.float32)
        fixed_rows = self._fixed_rows

        def forward(planes: Planes) -> tuple[Values, Policies | None]:
            rows = len(planes)
            with one_thread(), torch.inference_mode():
                batch = torch.from_numpy(padded(planes, fixed_rows))
                answer = own(batch.to(torch.float32, memory_format=torch.channels_last))
            values, policies = answer if isinstance(answer, tuple) else (answer, None)
            return values.numpy()[:rows], None if policies is None else policies.numpy()[:rows]

        return forward


def padded(planes: Planes, rows: int) -> Planes:
    """Return the planes with rows of zeros after them, so that there are at least so many."""
    if len(planes) >= rows:
        return planes
    whole = np.zeros((rows, *planes.shape[1:]), np.int8)
    whole[: len(planes)] = planes
    return whole


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch's operations on the calling thread."""
    before = torch.get_num_threads()
    if before == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
