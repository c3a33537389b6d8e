"""Residual blocks: the part of a network that torch does not bring.

All take and give float tensors `[B, filters, rows, columns]`.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class SqueezeExcitation(nn.Module):
    """Scale each plane by a factor in (0, 1) computed from the mean of all planes; no biases."""

    def __init__(self, filters: int, ratio: int) -> None:
        super().__init__()
        narrow = max(1, filters // ratio)
        self.reduce = nn.Linear(filters, narrow, bias=False)
        self.expand = nn.Linear(narrow, filters, bias=False)

    def forward(self, features: Tensor) -> Tensor:
        """Return the scaled planes."""
        narrow = functional.relu(self.reduce(features.mean((2, 3))))
        factors: Tensor = self.expand(narrow).sigmoid()
        return features * factors[:, :, None, None]


class ResidualBlock(nn.Module):
    """Two 3×3 convolutions with padding, an optional squeeze-and-excitation, and the shortcut."""

    def __init__(self, filters: int, squeeze: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(filters, filters, 3, padding=1)
        self.second = nn.Conv2d(filters, filters, 3, padding=1)
        self.squeeze = SqueezeExcitation(filters, squeeze) if squeeze else None

    def forward(self, features: Tensor) -> Tensor:
        """Return planes of the same shape."""
        change: Tensor = self.second(functional.relu(self.first(features)))
        if self.squeeze is not None:
            change = self.squeeze(change)
        return functional.relu(features + change)
