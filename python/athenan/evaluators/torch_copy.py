"""A copy of a network that belongs to an evaluator."""

from __future__ import annotations

import copy

import torch

from athenan.evaluators.cpu import NEGLIGIBLE
from athenan.networks.network import Network
from athenan.networks.stored import AnyNetwork, as_module


def without_denormals(weights: torch.Tensor) -> torch.Tensor:
    """Return the weights with zeros for those that are negligible."""
    weights = weights.detach()
    return torch.where(weights.abs() < NEGLIGIBLE, torch.zeros_like(weights), weights)


def private_copy(network: AnyNetwork, device: str, dtype: torch.dtype) -> Network:
    """Return a copy for inference only, its kernels laid out channels last."""
    own = copy.deepcopy(as_module(network)).to(device, dtype).eval().requires_grad_(False)
    for weights in own.parameters():
        weights.data = without_denormals(weights)
        if weights.dim() == 4:
            weights.data = weights.data.contiguous(memory_format=torch.channels_last)
    return own
