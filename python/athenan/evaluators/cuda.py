"""A network on a CUDA device: half precision, compiled, replayed as graphs of fixed shapes.

A batch is cut into pieces of a few fixed sizes (`pieces`), each of which has one CUDA graph: the
cast of int8 planes, the network, its outputs in float32. Pieces flow through two streams: while one
is computed the next is copied to the device, and while both happen the host copies a further one
into pinned memory. Two batches may be under way; a third waits for the first. What is said of moves
is read from the outputs on the device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from threading import Lock
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from athenan._core import Error
from athenan.evaluators.capture import capturing
from athenan.evaluators.device_touches import DeviceMoves
from athenan.evaluators.evaluator import Evaluation, LegalMoves, Planes
from athenan.evaluators.network import NetworkEvaluator
from athenan.evaluators.torch_copy import private_copy
from athenan.networks.architecture import TOUCHES
from athenan.networks.network import Network
from athenan.networks.stored import AnyNetwork, as_module

SMALLEST, LARGEST = 16, 8192
"""Rows of the smallest and the largest piece."""
SPLIT = 1024
"""Rows from which a batch is rather cut further than padded."""
BEST_BATCH = 32768
"""Rows of a batch beyond which the rate hardly grows."""
COMPILED = 64
"""Rows from which a shape is worth compiling."""
INVARIANT = (1024,)
"""The one shape when values must not depend on the batch."""
BATCHES_UNDER_WAY = 2
RECOMPILATIONS = 64
"""torch falls back to slow code after 8 shapes of one function, all evaluators together."""


class Piece(NamedTuple):
    """Rows `start` to `stop` of a batch, computed in a graph of `shape` rows."""

    start: int
    stop: int
    shape: int


def shapes(smallest: int = SMALLEST, largest: int = LARGEST) -> tuple[int, ...]:
    """Return the powers of two from the smallest to the largest."""
    return tuple(1 << i for i in range(smallest.bit_length() - 1, largest.bit_length()))


def pieces(rows: int, shapes: Sequence[int]) -> Iterator[Piece]:
    """Cut a batch into pieces: the largest shapes that fit, then one padded shape for the rest.

    Cutting wastes less than half of SPLIT rows whatever the batch; padding the whole rest to shapes
    in steps of 1.5 would need twice as many of them and waste up to a third of the rest.
    """
    start = 0
    while start < rows:
        left = rows - start
        fitting = [shape for shape in shapes if SPLIT <= shape <= left]
        shape = max(fitting) if fitting else min(shape for shape in shapes if shape >= left)
        yield Piece(start, min(rows, start + shape), shape)
        start += shape


class WideOutput(nn.Linear):
    """The output layer in float32: near 128, numbers of half precision are 0.125 or 1 apart."""

    def forward(self, hidden: Tensor) -> Tensor:
        """Return `float32[B, 1]` of a tensor of any precision."""
        return super().forward(hidden.float())


def narrowed(network: AnyNetwork, device: str, dtype: torch.dtype) -> Network:
    """Return a copy in the given precision, but for its output layer."""
    network = as_module(network)
    own = private_copy(network, device, dtype)
    output = WideOutput(own.output.in_features, 1, device=device)
    output.load_state_dict(network.output.state_dict())
    own.output = output.requires_grad_(False)
    return own


def forward_of(network: Network, dtype: torch.dtype) -> Callable[[Tensor], tuple[Tensor, ...]]:
    """Return a function from int8 planes to float32 values `[B]`, and touches if any."""

    def forward(planes: Tensor) -> tuple[Tensor, ...]:
        outputs = network.outputs(planes.to(dtype, memory_format=torch.channels_last))
        return tuple(output.float().contiguous() for output in outputs)

    return forward


class CudaEvaluator(NetworkEvaluator):
    """A network on a CUDA device.

    `precision` is "float32", "float16" or "bfloat16". A shape is prepared when it is first needed,
    which takes long for the large ones that are compiled: `warm_up` does it ahead of time.
    """

    backend = "torch"

    def __init__(
        self,
        network: AnyNetwork,
        device: str = "cuda",
        precision: str = "float16",
        *,
        compile: bool = True,
        batch_invariant: bool = False,
    ) -> None:
        super().__init__(network)
        index = torch.device(device).index
        self.device = f"cuda:{torch.cuda.current_device() if index is None else index}"
        self.precision = precision
        self._invariant = batch_invariant
        self._shapes = INVARIANT if batch_invariant else shapes()
        dtype: torch.dtype = getattr(torch, precision)
        self._network = narrowed(network, self.device, dtype)
        self._plain = forward_of(self._network, dtype)
        self._fast = (
            torch.compile(self._plain, dynamic=False, fullgraph=True) if compile else self._plain
        )
        self._stream = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]
        self._copies = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]
        self._stream.wait_stream(torch.cuda.current_stream(self.device))
        self._memory = torch.cuda.graph_pool_handle()
        self._graphs: dict[int, _Graph] = {}
        # A learner on another thread may bring new weights: between two batches, never in one.
        self._whole_batches = Lock()
        given = self._stream, self._copies, self.input_shape, self.kinds
        self._buffers = cycle(
            [_Buffers(*given, adds_values=self.gives_move_values) for _ in range(BATCHES_UNDER_WAY)]
        )

    @property
    def best_batch(self) -> int:
        """The number of states in a batch beyond which its rate hardly grows."""
        return BEST_BATCH

    def warm_up(self) -> None:
        """Prepare all shapes."""
        with self._whole_batches:
            for shape in self._shapes:
                self._graph(shape)

    def submit(self, planes: Planes, moves: LegalMoves | None = None) -> CudaTicket:
        """Enqueue a batch; planes and moves are copied before this returns."""
        planes = self._checked(planes, moves)
        with self._whole_batches:
            return self._enqueue(planes, moves)

    def _enqueue(self, planes: Planes, moves: LegalMoves | None) -> CudaTicket:
        source = torch.from_numpy(planes)
        buffers = next(self._buffers)
        buffers.reserve(len(planes), moves)
        if 0 < len(planes) <= SPLIT and not self._invariant:
            return self._enqueue_small(source, buffers)
        for piece in pieces(len(planes), self._shapes):
            rows = slice(piece.start, piece.stop)
            graph = self._graph(piece.shape)
            buffers.host[rows].copy_(source[rows])
            with torch.cuda.stream(self._copies):
                buffers.device[rows].copy_(buffers.host[rows], non_blocking=True)
            self._stream.wait_stream(self._copies)
            with torch.cuda.stream(self._stream):
                graph.run(buffers.device[rows])
                buffers.take(graph.outputs, rows)
        with torch.cuda.stream(self._stream):
            buffers.answer(len(planes))
            buffers.done.record(self._stream)
        buffers.ticket = CudaTicket(buffers, len(planes), self.precision, buffers.done)
        return buffers.ticket

    def _enqueue_small(self, source: Tensor, buffers: _Buffers) -> CudaTicket:
        """Enqueue one piece on one stream: a player who thinks waits for each batch."""
        rows = len(source)
        graph = self._graph(next(pieces(rows, self._shapes)).shape)
        buffers.host[:rows].copy_(source)
        with torch.cuda.stream(self._stream):
            graph.run(buffers.host[:rows])
            buffers.take(graph.outputs, slice(0, rows))
            buffers.answer(rows)
            buffers.soon.record(self._stream)
        buffers.ticket = CudaTicket(buffers, rows, self.precision, buffers.soon)
        return buffers.ticket

    def _take(self, network: AnyNetwork) -> None:
        """Copy the weights in place, after the batches under way: compiled graphs stay valid."""
        current = torch.cuda.current_stream(self.device)
        self._stream.wait_stream(current)
        new = dict(as_module(network).named_parameters())
        with self._whole_batches, torch.no_grad(), torch.cuda.stream(self._stream):
            for name, weights in self._network.named_parameters():
                weights.copy_(new[name])
        current.wait_stream(self._stream)

    def _graph(self, shape: int) -> _Graph:
        """Return the graph of a shape; make it if there is none yet."""
        if shape not in self._graphs:
            with torch.cuda.device(self.device), torch.no_grad(), _numerics(self._invariant):
                self._graphs[shape] = self._captured(shape)
        return self._graphs[shape]

    def _captured(self, shape: int) -> _Graph:
        forward = self._fast if shape >= COMPILED else self._plain
        with torch.cuda.stream(self._stream):
            planes = torch.zeros((shape, *self.input_shape), dtype=torch.int8, device=self.device)
            with torch._dynamo.config.patch(recompile_limit=RECOMPILATIONS):
                for _ in range(3):  # compiles, and lets cuDNN try its algorithms
                    forward(planes)
        self._stream.synchronize()
        with capturing(self._stream, self._memory) as graph:
            outputs = forward(planes)
        return _Graph(graph, planes, outputs)

    def close(self) -> None:
        """Wait for the batches under way and give the graphs' memory back."""
        self._stream.synchronize()
        self._graphs.clear()


class CudaTicket:
    """A batch under way on the device."""

    def __init__(
        self, buffers: _Buffers, rows: int, precision: str, done: torch.cuda.Event
    ) -> None:
        self._buffers = buffers
        self._done = done
        self._rows = rows
        self._precision = precision
        self._answer: Evaluation | None = None

    def result(self) -> Evaluation:
        """Wait for the batch and return its answer."""
        answer = self.fetch()
        if not all(np.isfinite(part).all() for part in answer if part is not None):
            raise Error(
                f"the network gave a number that is not finite in {self._precision}: "
                "use precision=bfloat16 or float32"
            )
        return answer

    def fetch(self) -> Evaluation:
        """Wait for the batch and copy its answer, so that its buffers are free again."""
        if self._answer is None:
            self._done.synchronize()
            self._answer = self._buffers.arrived(self._rows)
            self._buffers.ticket = None
        return self._answer


@dataclass
class _Graph:
    """The network captured for one shape; graphs share memory, so they run one after the other."""

    graph: torch.cuda.CUDAGraph
    planes: Tensor
    """int8 `[shape, C, H, W]` on the device; rows beyond those of a piece keep older planes."""
    outputs: tuple[Tensor, ...]
    """float32 on the device, valid until any graph runs again."""

    def run(self, planes: Tensor) -> None:
        self.planes[: len(planes)].copy_(planes, non_blocking=True)
        self.graph.replay()


class _Buffers:
    """The memory through which a batch flows: pinned on the host, and on the device."""

    def __init__(
        self,
        stream: torch.cuda.Stream,
        copies: torch.cuda.Stream,
        shape: tuple[int, int, int],
        kinds: int,
        *,
        adds_values: bool,
    ) -> None:
        self._stream = stream
        self._copies = copies
        self._adds_values = adds_values
        self._shape = shape
        self._touched = kinds * TOUCHES
        self._moves: DeviceMoves | None = None
        self._logits: Tensor | None = None
        self.ticket: CudaTicket | None = None
        # Blocking: who waits for the device leaves its core to the threads of the search.
        self.done = torch.cuda.Event(blocking=True)  # type: ignore[no-untyped-call]
        # Spinning: a small batch is done before a sleeping thread would wake.
        self.soon = torch.cuda.Event()  # type: ignore[no-untyped-call]
        self._allocate(LARGEST)

    def reserve(self, rows: int, moves: LegalMoves | None) -> None:
        """Wait for the batch that is in these buffers, if any, and make room for another one."""
        if self.ticket is not None:
            self.ticket.fetch()
        if rows > len(self.host):
            self._allocate(-(-rows // LARGEST) * LARGEST)
        with torch.cuda.stream(self._stream):
            self._moves = None if moves is None else DeviceMoves.sent(moves, self._stream.device)

    def take(self, outputs: Sequence[Tensor], rows: slice) -> None:
        """Keep what a graph gave for these rows, touches only if moves were given."""
        wanted = [self._values] if self._moves is None else [self._values, self._touches]
        for target, output in zip(wanted, outputs, strict=False):
            target[rows].copy_(output[: rows.stop - rows.start])

    def answer(self, rows: int) -> None:
        """Send the answer to the host, once all pieces were taken."""
        values = self._values[:rows]
        self._host_values[:rows].copy_(values, non_blocking=True)
        self._logits = None
        if self._moves is not None:
            base = values if self._adds_values else None
            logits = self._moves.logits(self._touches[:rows], base)
            self._logits = torch.empty(len(logits), pin_memory=True)
            self._logits.copy_(logits, non_blocking=True)

    def arrived(self, rows: int) -> Evaluation:
        """Return the answer, which has arrived."""
        values = self._host_values[:rows].numpy().copy()
        return Evaluation(values, None if self._logits is None else self._logits.numpy())

    def _allocate(self, rows: int) -> None:
        device = self._stream.device
        self.host = torch.empty((rows, *self._shape), dtype=torch.int8, pin_memory=True)
        self._host_values = torch.empty(rows, dtype=torch.float32, pin_memory=True)
        with torch.cuda.stream(self._stream):
            self._values = torch.empty(rows, dtype=torch.float32, device=device)
            if self._touched:
                planes = (rows, self._touched, *self._shape[1:])
                self._touches = torch.empty(planes, dtype=torch.float32, device=device)
        with torch.cuda.stream(self._copies):
            self.device = torch.empty((rows, *self._shape), dtype=torch.int8, device=device)


@contextmanager
def _numerics(reproducible: bool) -> Iterator[None]:
    """Choose the kernels that a graph captures: it keeps them when the process's settings return.

    cuDNN's are found by trial, which is fastest, unless they must be the same in each run. Float32
    means float32, not TF32, and sums of products are never rounded to half precision on the way.
    """
    cudnn, matmul = torch.backends.cudnn, torch.backends.cuda.matmul
    settings = [
        (cudnn, "benchmark", not reproducible),
        (cudnn, "deterministic", reproducible),
        (cudnn, "allow_tf32", False),
        (matmul, "allow_tf32", False),
        (matmul, "allow_fp16_reduced_precision_reduction", False),
        (matmul, "allow_bf16_reduced_precision_reduction", False),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in settings]
    try:
        for owner, name, value in settings:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)
