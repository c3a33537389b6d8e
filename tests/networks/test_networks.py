"""Networks: the layers against plain NumPy, the initial weights."""

import copy
import math
import pickle
import subprocess
import sys
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import athenan
import numpy as np
import pytest
import torch
from athenan.networks import Architecture, Network, build_network, input_shape, weight_count
from athenan.networks.network import new_network, outline
from athenan.networks.shapes import parameter_shapes
from numpy.typing import NDArray
from pydantic import ValidationError

Array = NDArray[np.float64]

SMALL = [
    Architecture(filters=8, blocks=0, convolutions=3, dense=(7,), output="tanh"),
    Architecture(filters=8, blocks=2, dense=(7, 6)),
    Architecture(filters=8, blocks=1, margin="same", convolutions=2, dense=()),
    Architecture(filters=32, blocks=2, squeeze=16, pooling=9, dense=(7,), policy=True),
    Architecture(filters=6, blocks=1, squeeze=4, policy=True),
    Architecture(filters=6, blocks=1, move_values=True),
]
KINDS = 2
hex5 = athenan.make_game("hex", size=5)


def small_network(architecture: Architecture, seed: int = 0) -> Network:
    return new_network(architecture, input_shape(hex5), KINDS, seed)


def random_planes(count: int) -> torch.Tensor:
    """Planes with entries in [-1, 1), the same each time."""
    generator = torch.Generator().manual_seed(count)
    return torch.rand(count, *input_shape(hex5), generator=generator) * 2 - 1


def convolved(planes: Array, weights: Mapping[str, Array], name: str, padding: int) -> Array:
    kernel, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    padded = np.pad(planes, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[2:], axis=(2, 3))
    sums: Array = np.einsum("bchwij,ocij->bohw", windows, kernel)
    return sums + bias[:, None, None]


def regrown(planes: Array, weights: Mapping[str, Array], name: str) -> Array:
    """A transposed convolution: each cell adds its kernels to the cells below and to the right."""
    kernel, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    (rows, columns), size = planes.shape[2:], kernel.shape[2]
    grown = np.zeros((len(planes), len(bias), rows + size - 1, columns + size - 1))
    for row, column in np.ndindex(rows, columns):
        change = np.einsum("bc,coij->boij", planes[:, :, row, column], kernel)
        grown[:, :, row : row + size, column : column + size] += change
    return grown + bias[:, None, None]


def connected(inputs: Array, weights: Mapping[str, Array], name: str) -> Array:
    return inputs @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0.0)


def relu(values: Array) -> Array:
    return np.maximum(values, 0)


def plain_forward(shape: Architecture, w: Mapping[str, Array], x: Array) -> tuple[Array, Array]:
    """The network of the specification, in plain NumPy: values, and touches or nothing."""
    for i in range(shape.convolutions):
        x = relu(convolved(x, w, f"stem.{i}", int(shape.margin == "same")))
    for i in range(shape.blocks):
        y = relu(convolved(x, w, f"blocks.{i}.first", 1))
        y = convolved(y, w, f"blocks.{i}.second", 1)
        if shape.squeeze:
            narrow = relu(connected(y.mean((2, 3)), w, f"blocks.{i}.squeeze.reduce"))
            factors = 1 / (1 + np.exp(-connected(narrow, w, f"blocks.{i}.squeeze.expand")))
            y = y * factors[:, :, None, None]
        x = relu(x + y)
    h = x.reshape(len(x), -1)
    if shape.pooling:
        h = relu(convolved(x, w, "pooling", 0)).sum((2, 3))
    for i in range(len(shape.dense)):
        h = relu(connected(h, w, f"dense.{i}"))
    values = connected(h, w, "output")[:, 0]
    if shape.output == "tanh":
        values = np.tanh(values)
    if not shape.two_heads:
        return values, np.empty(0)
    return values, regrown(x, w, "policy")


def with_random_biases(network: Network) -> Network:
    """Zero biases would hide a bias added in the wrong place."""
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for bias in network.biases():
            bias.uniform_(-0.5, 0.5, generator=generator)
    return network


@pytest.mark.parametrize("architecture", SMALL)
def test_the_layers_compute_what_is_specified(architecture: Architecture) -> None:
    network = with_random_biases(small_network(architecture, seed=3)).double()
    planes = random_planes(4).double()
    values, touches = (*network.outputs(planes), torch.empty(0))[:2]
    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    expected_values, expected_touches = plain_forward(architecture, weights, planes.numpy())
    assert values.shape == (4,)
    np.testing.assert_allclose(values.detach(), expected_values, rtol=1e-9)
    np.testing.assert_allclose(touches.detach(), expected_touches, rtol=1e-9, atol=1e-12)
    assert np.ptp(expected_values) > 0
    assert torch.equal(network(planes), values)
    if architecture.two_heads:
        assert touches.shape == (4, KINDS * 4, *input_shape(hex5)[1:])


@pytest.mark.parametrize("architecture", SMALL)
def test_every_parameter_learns_and_is_a_kernel_or_a_bias(architecture: Architecture) -> None:
    network = small_network(architecture, seed=3)
    outputs = network.outputs(random_planes(64))
    torch.stack([part.square().sum() for part in outputs]).sum().backward()  # type: ignore[no-untyped-call]
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name
    together = [*network.kernels(), *network.biases()]
    assert {id(p) for p in together} == {id(p) for p in network.parameters()}
    assert len(together) == len(list(network.parameters()))
    assert sum(p.numel() for p in together) == network.weight_count
    assert network.weight_count == outline(architecture, input_shape(hex5), KINDS).weight_count
    if not architecture.two_heads:
        assert network.weight_count == weight_count(architecture, hex5)


@pytest.mark.parametrize("architecture", SMALL)
def test_the_shapes_of_the_parameters_are_known_without_torch(architecture: Architecture) -> None:
    kinds = KINDS if architecture.two_heads else 0
    found = parameter_shapes(architecture, input_shape(hex5), kinds)
    made = small_network(architecture).named_parameters()
    assert list(found.items()) == [(name, tuple(parameter.shape)) for name, parameter in made]


def test_kernels_are_glorot_uniform_and_biases_zero() -> None:
    network = build_network(Architecture(filters=48, blocks=1, squeeze=2, dense=(60,)), hex5)
    for kernel in network.kernels():
        area = math.prod(kernel.shape[2:])
        limit = math.sqrt(6 / (area * (kernel.shape[0] + kernel.shape[1])))
        assert kernel.abs().max() <= limit
        if kernel.numel() > 1000:
            assert kernel.abs().max() > 0.98 * limit
            assert kernel.std().item() == pytest.approx(limit / math.sqrt(3), rel=0.05)
    assert not any(bias.any() for bias in network.biases())


def test_the_seed_decides_the_weights_and_nothing_else_is_drawn() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    one, same, other = (small_network(SMALL[3], seed) for seed in (1, 1, 2))
    assert torch.equal(torch.rand(3), expected)
    for a, b, c in zip(one.kernels(), same.kernels(), other.kernels(), strict=True):
        assert torch.equal(a, b)
        assert not torch.equal(a, c)


def test_a_network_can_be_copied_and_sent_to_another_process() -> None:
    network = small_network(SMALL[3], seed=1)
    planes = random_planes(2)
    for copied in (copy.deepcopy(network), pickle.loads(pickle.dumps(network))):
        assert copied.architecture == network.architecture
        for mine, theirs in zip(network.outputs(planes), copied.outputs(planes), strict=True):
            assert torch.equal(mine, theirs)


def test_an_empty_batch_is_answered() -> None:
    for architecture in SMALL:
        answer = small_network(architecture).outputs(torch.empty(0, *input_shape(hex5)))
        assert all(len(output) == 0 for output in answer)


def game_with(*move_kinds: str) -> Any:
    """What a network asks of a game."""
    sheet = athenan.Datasheet(
        title="Countdown",
        rows=3,
        columns=4,
        planes=["heap"],
        move_count=10**6,
        max_length=9,
        move_kinds=move_kinds,
    )
    return SimpleNamespace(name="countdown", datasheet=sheet)


def test_a_policy_has_four_planes_for_each_kind_of_move() -> None:
    policy = Architecture(filters=2, blocks=0, dense=(2,), policy=True)
    game = game_with("take", "pass", "jump")
    network = build_network(policy, game)
    assert network.kinds == 3
    values, touches = network.outputs(torch.zeros(5, 1, 3, 4))
    assert (values.shape, touches.shape) == ((5,), (5, 12, 3, 4))
    assert network.weight_count == weight_count(policy, game) < 1000
    assert build_network(policy.model_copy(update={"policy": False}), game).kinds == 0


def test_a_policy_needs_to_know_the_kinds_of_moves() -> None:
    game = game_with()
    for make in (build_network, weight_count):
        with pytest.raises(athenan.Error, match="does not say which cells a move touches") as said:
            make(Architecture(policy=True), game)
        assert "\n" not in str(said.value)
        make(Architecture(filters=2, blocks=0), game)


def test_a_board_too_small_is_refused_in_one_sentence() -> None:
    game = athenan.make_game("tic_tac_toe")
    with pytest.raises(athenan.Error, match=r"3×3 cells .* 2 valid .* at least 5×5") as refused:
        build_network(Architecture(convolutions=2), game)
    assert "\n" not in str(refused.value)
    build_network(Architecture(convolutions=1), game)
    build_network(Architecture(convolutions=2, margin="same"), game)


def test_a_network_too_large_is_refused_before_it_takes_memory() -> None:
    huge = Architecture(filters=16384, dense=(16384,), margin="same")
    with pytest.raises(athenan.Error, match="at most 2,000,000,000"):
        build_network(huge, hex5)


def test_squeeze_without_blocks_is_refused() -> None:
    with pytest.raises(ValidationError, match="with blocks = 0 it must be 0"):
        Architecture(blocks=0, squeeze=16)


def test_shapes_and_sizes_need_no_torch() -> None:
    code = (
        "import sys; from athenan.networks import Architecture, sized_architecture, rounded;"
        "rounded(sized_architecture(1e6, (3, 11, 11), Architecture()));"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        athenan.networks.Nothing  # noqa: B018
