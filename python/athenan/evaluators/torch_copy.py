"""A copy of a network that belongs to an evaluator."""

from __future__ import annotations

import copy

import torch

from athenan.networks.network import Network

NEGLIGIBLE = 1e-30
"""A weight below it does nothing but make a CPU work with denormal numbers, many times slower.
L2 regularisation drives the weights of unused filters there: at times half of a network."""


def without_denormals(weights: torch.Tensor) -> torch.Tensor:
    """Return the weights with zeros for those that are negligible."""
    weights = weights.detach()
    return torch.where(weights.abs() < NEGLIGIBLE, torch.zeros_like(weights), weights)


def private_copy(network: Network, device: str, dtype: torch.dtype) -> Network:
    """Return a copy for inference only, its kernels laid out channels last."""
    own = copy.deepcopy(network).to(device, dtype).eval().requires_grad_(False)
    for weights in own.parameters():
        weights.data = without_denormals(weights)
        if weights.dim() == 4:
            weights.data = weights.data.contiguous(memory_format=torch.channels_last)
    return own
