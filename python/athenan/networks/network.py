"""The network: the adaptive evaluation f_θ, from encoded states to values.

>>> import athenan
>>> from athenan.networks import Architecture, build_network
>>> game = athenan.make_game("hex", size=5, swap=False)
>>> network = build_network(Architecture(filters=16, blocks=2, dense=(32,)), game, seed=1)
>>> network.input_shape, network.weight_count
((3, 7, 7), 22593)
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from athenan._core import Error, Game
from athenan.networks.architecture import Architecture, Shape, input_shape
from athenan.networks.layers import PolicyHead, ResidualBlock

MAX_WEIGHTS = 2 * 10**9


class Network(nn.Module):
    """A network of one architecture for one shape of input; `build_network` initialises it.

    The names of the parameters follow the members (`stem.0.weight`, `blocks.3.first.bias`,
    `blocks.3.squeeze.reduce.weight`, `pooling.weight`, `dense.0.weight`, `output.weight`,
    `policy.convolution.weight`): model files keep them.
    """

    def __init__(self, architecture: Architecture, input_shape: Shape, move_count: int) -> None:
        super().__init__()
        self.architecture = architecture
        self.input_shape = input_shape
        self.move_count = move_count
        planes, rows, columns = input_shape
        rows, columns = architecture.board(rows, columns)
        cells, filters = rows * columns, architecture.filters
        padding = 1 if architecture.margin == "same" else 0
        self.stem = nn.ModuleList(
            nn.Conv2d(filters if i else planes, filters, 3, padding=padding)
            for i in range(architecture.convolutions)
        )
        self.blocks = nn.Sequential(
            *(ResidualBlock(filters, architecture.squeeze) for _ in range(architecture.blocks))
        )
        pooling = architecture.pooling
        self.pooling = nn.Conv2d(filters, pooling, 1) if pooling else None
        widths = (pooling or cells * filters, *architecture.dense)
        self.dense = nn.ModuleList(
            nn.Linear(inputs, outputs)
            for inputs, outputs in zip(widths, architecture.dense, strict=False)
        )
        self.output = nn.Linear(widths[-1], 1)
        self.policy = PolicyHead(filters, cells, move_count) if architecture.policy else None

    def forward(self, planes: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        """Return values `[B]` of float planes `[B, C, H, W]`, with logits `[B, moves]` if any."""
        features = planes
        for convolution in self.stem:
            features = functional.relu(convolution(features))
        features = self.blocks(features)
        if self.pooling is None:
            hidden = features.flatten(1)
        else:
            hidden = functional.relu(self.pooling(features)).sum((2, 3))
        for layer in self.dense:
            hidden = functional.relu(layer(hidden))
        values: Tensor = self.output(hidden).squeeze(1)
        if self.architecture.output == "tanh":
            values = values.tanh()
        return values if self.policy is None else (values, self.policy(features))

    def kernels(self) -> list[nn.Parameter]:
        """Return the weights of convolutions and dense layers: what L2 regularises."""
        return [parameter for parameter in self.parameters() if parameter.dim() > 1]

    def biases(self) -> list[nn.Parameter]:
        """Return the other parameters."""
        return [parameter for parameter in self.parameters() if parameter.dim() == 1]

    @property
    def weight_count(self) -> int:
        """How many numbers are learned, biases included."""
        return sum(parameter.numel() for parameter in self.parameters())


def build_network(architecture: Architecture, game: Game, seed: int = 0) -> Network:
    """Build a network with Glorot-uniform kernels and zero biases; the same seed, the same one."""
    network = outline(architecture, input_shape(game), game.move_count)
    if network.weight_count > MAX_WEIGHTS:
        raise Error(
            f"a network of {network.weight_count:,} weights is too large: "
            f"at most {MAX_WEIGHTS:,} are accepted"
        )
    generator = torch.Generator().manual_seed(seed)
    weights = {
        name: _initial(parameter.shape, generator) for name, parameter in network.named_parameters()
    }
    network.load_state_dict(weights, assign=True)
    return network


def weight_count(architecture: Architecture, game: Game) -> int:
    """Count the weights that a network would have, without building it."""
    return outline(architecture, input_shape(game), game.move_count).weight_count


def outline(architecture: Architecture, input_shape: Shape, move_count: int) -> Network:
    """Return a network whose parameters have shapes but no memory, to be assigned a state dict."""
    with torch.device("meta"):
        return Network(architecture, input_shape, move_count)


def _initial(shape: torch.Size, generator: torch.Generator) -> Tensor:
    if len(shape) == 1:
        return torch.zeros(shape)
    return nn.init.xavier_uniform_(torch.empty(shape), generator=generator)
