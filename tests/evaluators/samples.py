"""Networks of every kind, with random biases, and random planes for them."""

from __future__ import annotations

import athenan
import numpy as np
import torch
from athenan.evaluators import Answer, Planes, Policies, Values
from athenan.networks import Architecture, Network, build_network

ARCHITECTURES = {
    "protocol": Architecture(filters=24, convolutions=3, blocks=0, dense=(20,)),
    "same": Architecture(filters=16, convolutions=2, margin="same", blocks=1, dense=(20,)),
    "residual": Architecture(filters=19, blocks=2, dense=(20,)),
    "squeeze": Architecture(filters=32, blocks=2, squeeze=16, dense=(20,)),
    "pooling": Architecture(filters=16, blocks=1, pooling=23, dense=(20,)),
    "two dense": Architecture(filters=16, blocks=1, dense=(30, 20), output="tanh"),
    "no dense": Architecture(filters=16, blocks=1, dense=()),
    "policy": Architecture(filters=16, blocks=1, dense=(20,), policy=True),
    "all": Architecture(
        filters=33,
        margin="same",
        blocks=2,
        squeeze=8,
        pooling=17,
        dense=(31, 7),
        output="tanh",
        policy=True,
    ),
}


def make_network(architecture: Architecture, seed: int = 1) -> Network:
    """A network for Hex 5 whose biases matter."""
    network = build_network(architecture, athenan.make_game("hex", size=5), seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for bias in network.biases():
            bias.normal_(0, 0.3, generator=generator)
    return network


def random_planes(network: Network, rows: int, seed: int = 1) -> Planes:
    generator = np.random.default_rng(seed)
    return generator.integers(-1, 2, (rows, *network.input_shape), np.int8)


def parts(answer: Answer) -> tuple[Values] | tuple[Values, Policies]:
    """The answer as a tuple, with a policy or without."""
    return answer if isinstance(answer, tuple) else (answer,)


def expected(network: Network, planes: Planes) -> list[Values]:
    """What torch itself computes."""
    with torch.no_grad():
        answer = network(torch.from_numpy(planes).float())
    return [output.numpy() for output in (answer if isinstance(answer, tuple) else (answer,))]


def assert_close(answer: Answer, wanted: list[Values], tolerance: float = 1e-5) -> None:
    """Compare relative to the largest number of each output."""
    for output, reference in zip(parts(answer), wanted, strict=True):
        assert output.dtype == np.float32
        assert output.shape == reference.shape
        assert np.abs(output - reference).max() <= tolerance * np.abs(reference).max()
