"""Capturing CUDA graphs while other objects come and go."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch.cuda import _POOL_HANDLE


@contextmanager
def capturing(
    stream: torch.cuda.Stream, memory: _POOL_HANDLE | None = None
) -> Iterator[torch.cuda.CUDAGraph]:
    """Capture what the stream is told meanwhile, in a graph of its own or with shared memory.

    No garbage is collected meanwhile: giving back the memory of an older graph ends a capture.
    Other threads may use the device.
    """
    collects = gc.isenabled()
    gc.disable()
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph, memory, stream, capture_error_mode="thread_local"):
            yield graph
    finally:
        if collects:
            gc.enable()
