"""The parts of a network that torch does not bring: residual blocks and the policy head.

All take and give float tensors `[B, filters, rows, columns]`, except where a shape is named.
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


class PolicyHead(nn.Module):
    """A 1×1 convolution with one filter, then one logit per move."""

    def __init__(self, filters: int, cells: int, move_count: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(filters, 1, 1)
        self.output = nn.Linear(cells, move_count)

    def forward(self, features: Tensor) -> Tensor:
        """Return logits `[B, move_count]`."""
        logits: Tensor = self.output(functional.relu(self.convolution(features)).flatten(1))
        return logits
