"""A network of one's own: any torch module from planes to values.

Try it:  athenan train tic_tac_toe --network examples/own_network.py:Net:width=8 --matches 2
"""

from torch import Tensor, nn


class Net(nn.Module):
    """Two convolutions, normalised, and the mean over the board."""

    def __init__(self, input_shape: tuple[int, int, int], width: int = 32) -> None:
        super().__init__()
        planes, _, _ = input_shape
        self.body = nn.Sequential(
            nn.Conv2d(planes, width, 3, padding=1),
            nn.GroupNorm(1, width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
        )
        self.value = nn.Linear(width, 1)

    def forward(self, planes: Tensor) -> Tensor:
        """Return values [B, 1] of planes [B, C, H, W]."""
        values: Tensor = self.value(self.body(planes).mean((2, 3)))
        return values
