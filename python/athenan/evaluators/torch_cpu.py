"""A network on the CPU through torch: where onnxruntime is missing.

Each call computes on one thread. The number of threads inside torch's operations is a setting of
the process that torch keeps per thread: it is set to 1 for good on the evaluator's own threads, and
for the time of a call on the calling thread. Threads that begin to use torch later inherit the last
setting made anywhere: such a thread should set its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from athenan.evaluators.cpu import CpuEvaluator, Forward
from athenan.evaluators.evaluator import Planes, Values
from athenan.evaluators.torch_copy import private_copy
from athenan.evaluators.touches import Touches
from athenan.networks.stored import AnyNetwork

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


class TorchCpuEvaluator(CpuEvaluator):
    """A network run by torch, one thread per part of a batch.

    torch chooses its kernels by the size of the batch, and some round differently from row to row:
    the value of a state varies in its last bits with the batch around it. With `batch_invariant`
    each state is evaluated alone, which is 2 to 8 times slower in large batches; parts of one
    fixed size would not be enough. In bfloat16 the output layer stays in float32.
    """

    backend = "torch"

    def __init__(
        self,
        network: AnyNetwork,
        threads: int,
        batch_invariant: bool = False,
        precision: str = "float32",
    ) -> None:
        self.precision = precision
        self._alone = batch_invariant
        super().__init__(network, threads, prepare_thread=lambda: torch.set_num_threads(1))

    def _parts(self, rows: int, threads: int) -> list[slice]:
        if self._alone:
            return [slice(row, row + 1) for row in range(rows)]
        return super()._parts(rows, threads)

    def _load(self, network: AnyNetwork) -> Forward:
        dtype = DTYPES[self.precision]
        own = private_copy(network, "cpu", dtype)
        if not network.architecture.code:
            own.output.float()  # near 90 two numbers of bfloat16 are 0.5 apart

        def forward(planes: Planes) -> tuple[Values, Touches | None]:
            with one_thread(), torch.inference_mode():
                batch = torch.from_numpy(planes).to(dtype, memory_format=torch.channels_last)
                values, *touches = own.outputs(batch)
            return values.float().numpy(), touches[0].float().numpy() if touches else None

        return forward


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
