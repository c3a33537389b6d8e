"""The network: the adaptive evaluation f_θ, from encoded states to values.

>>> import athenan
>>> from athenan.networks import Architecture, build_network
>>> game = athenan.make_game("hex", size=5, swap=False)
>>> network = build_network(Architecture(filters=16, blocks=2, dense=(32,)), game, seed=1)
>>> network.input_shape, network.weight_count
((3, 7, 7), 22593)
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from athenan._core import Error, Game
from athenan.networks.architecture import (
    MAX_WEIGHTS,
    TOUCHES,
    Architecture,
    Shape,
    input_shape,
)
from athenan.networks.own import checked_outputs, module_of
from athenan.networks.shapes import Shapes
from athenan.networks.stored import StoredNetwork


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


class Network(nn.Module):
    """A network of one architecture for one shape of input; `build_network` initialises it.

    The names of the parameters follow the members (`stem.0.weight`, `blocks.3.first.bias`,
    `blocks.3.squeeze.reduce.weight`, `pooling.weight`, `dense.0.weight`, `output.weight`,
    `policy.weight`): model files keep them.
    """

    def __init__(self, architecture: Architecture, input_shape: Shape, kinds: int) -> None:
        super().__init__()
        self.architecture = architecture
        self.input_shape = input_shape
        self.kinds = kinds if architecture.two_heads else 0  # of moves: values of states need none
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
        # The head for moves, whether it gives a policy or values. Transposed, its convolution
        # gives back the lines that the stem took.
        self.policy = (
            nn.ConvTranspose2d(filters, kinds * TOUCHES, architecture.lost + 1)
            if architecture.two_heads
            else None
        )

    def forward(self, planes: Tensor) -> Tensor:
        """Return values `[B]` of float planes `[B, C, H, W]`."""
        return self.read(self.hidden(planes))

    def hidden(self, planes: Tensor) -> Tensor:
        """Return what the output layer reads, `[B, N]`."""
        return self._joined(self._features(planes))

    def before_reading(self, planes: Tensor) -> tuple[Tensor, ...]:
        """Return what the output layer reads and, with a second head, its touch planes."""
        features = self._features(planes)
        hidden = self._joined(features)
        return (hidden,) if self.policy is None else (hidden, self.policy(features))

    def read(self, hidden: Tensor) -> Tensor:
        """Return values `[B]`: the output layer alone."""
        values: Tensor = self.output(hidden.to(self.output.weight.dtype)).squeeze(1)
        return values.tanh() if self.architecture.output == "tanh" else values

    def outputs(self, planes: Tensor) -> tuple[Tensor, ...]:
        """Return values and, with a second head, its touch planes `[B, kinds * TOUCHES, H, W]`."""
        hidden, *touches = self.before_reading(planes)
        return self.read(hidden), *touches

    def _features(self, planes: Tensor) -> Tensor:
        features = planes
        for convolution in self.stem:
            features = functional.relu(convolution(features))
        blocks: Tensor = self.blocks(features)
        return blocks

    def _joined(self, features: Tensor) -> Tensor:
        if self.pooling is None:
            hidden = features.flatten(1)
        else:
            hidden = functional.relu(self.pooling(features)).sum((2, 3))
        for layer in self.dense:
            hidden = functional.relu(layer(hidden))
        return hidden

    def kernels(self) -> list[nn.Parameter]:
        """Return the weights of convolutions and dense layers: what L2 regularises."""
        return [parameter for parameter in self.parameters() if parameter.dim() > 1]

    def biases(self) -> list[nn.Parameter]:
        """Return the other parameters."""
        return [parameter for parameter in self.parameters() if parameter.dim() <= 1]

    @property
    def shapes(self) -> Shapes:
        """The shape of each parameter."""
        return {name: tuple(parameter.shape) for name, parameter in self.named_parameters()}

    @property
    def weight_count(self) -> int:
        """How many numbers are learned, biases included."""
        return sum(parameter.numel() for parameter in self.parameters())

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights in single precision, to be read only: on a CPU they are its own."""
        return {
            name: parameter.detach().to("cpu", torch.float32).numpy()
            for name, parameter in self.named_parameters()
        }


class OwnNetwork(Network):
    """A module of the user instead of a network of the family (`own.py`)."""

    def __init__(self, architecture: Architecture, input_shape: Shape, kinds: int) -> None:
        nn.Module.__init__(self)
        self.architecture = architecture
        self.input_shape = input_shape
        self.kinds = kinds if architecture.two_heads else 0
        self.module = module_of(architecture, input_shape, self.kinds)

    def forward(self, planes: Tensor) -> Tensor:
        """Return values `[B]` of float planes `[B, C, H, W]`."""
        return self.outputs(planes)[0]

    def outputs(self, planes: Tensor) -> tuple[Tensor, ...]:
        """Return values and, with a second head, its touch planes."""
        # Contiguous: a module of the user's may well use `view`.
        answer = self.module(planes.contiguous())
        shape = (self.kinds * TOUCHES, *self.input_shape[1:])
        return checked_outputs(self.architecture, answer, len(planes), shape)


def build_network(architecture: Architecture, game: Game, seed: int = 0) -> Network:
    """Build a network with Glorot-uniform kernels and zero biases; the same seed, the same one."""
    return new_network(architecture, input_shape(game), _kinds(architecture, game), seed)


def new_network(architecture: Architecture, input_shape: Shape, kinds: int, seed: int) -> Network:
    """Build a network for planes of this shape and a number of kinds of moves."""
    if architecture.code:
        return _own_network(architecture, input_shape, kinds, seed)
    network = outline(architecture, input_shape, kinds)
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
    return outline(architecture, input_shape(game), _kinds(architecture, game)).weight_count


def outline(architecture: Architecture, input_shape: Shape, kinds: int) -> Network:
    """Return a network whose parameters have shapes but no memory, to be assigned a state dict."""
    with torch.device("meta"):
        kind = OwnNetwork if architecture.code else Network
        return kind(architecture, input_shape, kinds)


def network_with(stored: StoredNetwork) -> Network:
    """Make a network with a copy of the weights of a file."""
    given = stored.architecture, stored.input_shape, stored.kinds
    # A module of the user's may make more than its parameters, which needs memory.
    network = OwnNetwork(*given) if stored.architecture.code else outline(*given)
    # A copy each: torch's own memory is aligned for its kernels.
    weights = {name: torch.tensor(array) for name, array in stored.weights.items()}
    network.load_state_dict(weights, assign=True)
    return network


def _own_network(architecture: Architecture, input_shape: Shape, kinds: int, seed: int) -> Network:
    """Make a module of the user's, which initialises itself; and see that it answers."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = OwnNetwork(architecture, input_shape, kinds)
    with torch.no_grad():
        network.outputs(torch.zeros((2, *input_shape)))
    return network


def _kinds(architecture: Architecture, game: Game) -> int:
    """Return the number of kinds of moves; a game that has none is refused a second head."""
    kinds = len(game.datasheet.move_kinds)
    if architecture.two_heads and not kinds:
        raise Error(
            f"the game {game.name} does not say which cells a move touches, and a head for moves "
            f"needs it: set {'policy' if architecture.policy else 'move_values'} = false"
        )
    return kinds


def _initial(shape: torch.Size, generator: torch.Generator) -> Tensor:
    if len(shape) == 1:
        return torch.zeros(shape)
    return nn.init.xavier_uniform_(torch.empty(shape), generator=generator)
