"""A copy of a network that belongs to an evaluator."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from athenan.networks.network import Network


def private_copy(network: Network, device: str, dtype: torch.dtype) -> Network:
    """Return a copy for inference only, its kernels laid out channels last."""
    own = copy.deepcopy(network).to(device, dtype).eval().requires_grad_(False)
    for weights in own.parameters():
        if weights.dim() == 4:
            weights.data = weights.data.contiguous(memory_format=torch.channels_last)
    return own
