"""A network as a file holds it: numbers by name, without torch.

Most backends on a CPU need no more than that. Importing torch takes longer than all else that comes
before the first move of a match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from athenan.networks.architecture import Architecture, Shape
from athenan.networks.shapes import Shapes

if TYPE_CHECKING:
    from athenan.networks.network import Network

Weights = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, eq=False)
class StoredNetwork:
    """The shape of a network and its weights, which nobody changes."""

    architecture: Architecture
    input_shape: Shape
    kinds: int
    """Of moves; 0 where it says nothing of them."""
    weights: Weights = field(repr=False)

    @property
    def shapes(self) -> Shapes:
        """The shape of each parameter."""
        return {name: array.shape for name, array in self.weights.items()}

    @property
    def weight_count(self) -> int:
        """How many numbers were learned, biases included."""
        return sum(array.size for array in self.weights.values())

    def arrays(self) -> Weights:
        """Return the weights, to be read only."""
        return self.weights


AnyNetwork: TypeAlias = "Network | StoredNetwork"
"""What evaluators take: a torch module, or what a file holds of one."""


def as_module(network: AnyNetwork) -> Network:
    """Return a torch module: the network itself, or a new one with the weights of a file."""
    if not isinstance(network, StoredNetwork):
        return network
    from athenan.networks.network import network_with

    return network_with(network)
