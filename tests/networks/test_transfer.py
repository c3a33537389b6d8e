"""Networks that grow: the values stay, the copies learn apart, another board keeps convolutions."""

from __future__ import annotations

from typing import Any

import athenan
import pytest
import torch
from athenan.networks import Architecture, Network, build_network
from athenan.networks.transfer import transfer

HEX = athenan.make_game("hex:size=5")
BASE: dict[str, Any] = {"filters": 8, "blocks": 1, "margin": "same", "dense": (6, 5)}
VARIANTS: list[dict[str, Any]] = [
    {},
    {"convolutions": 2, "margin": "valid"},
    {"squeeze": 4},
    {"pooling": 6},
    {"policy": True},
    {"dense": (), "output": "tanh"},
    {"blocks": 0},
    {"pooling": 6, "squeeze": 2, "policy": True, "convolutions": 2},
]


def network(game: athenan.Game = HEX, seed: int = 1, **changes: Any) -> Network:
    made = build_network(Architecture.model_validate(BASE | changes), game, seed=seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for bias in made.biases():  # zeros would hide a bias that is lost
            bias.uniform_(-0.5, 0.5, generator=generator)
    return made


def planes(game: athenan.Game = HEX) -> torch.Tensor:
    states = [game.initial_state()]
    random = athenan.Random(3)
    while not states[-1].is_terminal:
        moves = states[-1].legal_moves()
        states.append(states[-1].play(moves[random.below(len(moves))]))
    return torch.from_numpy(game.encode(states)).float()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_network_that_grows_keeps_its_values(variant: dict[str, Any]) -> None:
    old = network(**variant)
    shape = old.architecture
    wider: dict[str, Any] = {
        "filters": 19,
        "blocks": shape.blocks + (2 if shape.blocks else 1),
        "dense": tuple(width + 3 + i for i, width in enumerate(shape.dense)),
        "pooling": shape.pooling and shape.pooling + 5,
    }
    new = network(seed=2, **(variant | wider))
    taken = transfer(old, new, seed=4)
    assert taken.fresh == ()
    with torch.inference_mode():
        before, after = old.outputs(planes()), new.outputs(planes())
    assert before[0].std() > 0.01
    for ours, theirs in zip(before, after, strict=True):
        torch.testing.assert_close(theirs, ours, rtol=1e-4, atol=1e-5)


def test_copies_of_a_filter_learn_apart() -> None:
    old, new = network(blocks=1), network(blocks=1, filters=16, seed=2)
    transfer(old, new)
    optimiser = torch.optim.SGD(new.parameters(), lr=0.05)
    for _ in range(3):
        optimiser.zero_grad()
        new(planes()).square().sum().backward()
        optimiser.step()
    kernels = new.get_parameter("stem.0.weight").detach().flatten(1)
    distances = torch.cdist(kernels, kernels) + 9 * torch.eye(16)
    assert distances.min() > 1e-5


def test_a_network_of_the_same_shape_is_taken_as_it_is() -> None:
    old, new = network(policy=True), network(policy=True, seed=2)
    taken = transfer(old, new)
    assert set(taken.kept) == {name for name, _ in old.named_parameters()}
    for ours, theirs in zip(old.parameters(), new.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_on_another_board_convolutions_are_kept_and_dense_layers_begin_anew() -> None:
    large = athenan.make_game("hex:size=7")
    old, new = network(policy=True), network(large, seed=2, policy=True)
    fresh = {name: parameter.clone() for name, parameter in new.named_parameters()}
    taken = transfer(old, new)
    parts = {name.split(".")[0] for name in taken.kept}
    assert parts == {"stem", "blocks", "policy"}
    assert {name.split(".")[0] for name in taken.fresh} == {"dense", "output"}
    for name in taken.kept:
        assert torch.equal(new.get_parameter(name), old.get_parameter(name))
    for name in taken.fresh:
        assert torch.equal(new.get_parameter(name), fresh[name])


def test_with_global_pooling_everything_is_kept_on_another_board() -> None:
    large = athenan.make_game("hex:size=7")
    old, new = network(pooling=6), network(large, seed=2, pooling=6, filters=12)
    assert transfer(old, new).fresh == ()
    same = network(pooling=6, filters=12, seed=5)
    transfer(old, same)
    with torch.inference_mode():
        torch.testing.assert_close(same(planes()), old(planes()), rtol=1e-4, atol=1e-5)
        assert new(planes(large)).isfinite().all()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"filters": 4}, "filters = 8 does not grow into one with filters = 4"),
        ({"dense": (6,)}, r"dense = \[6, 5\] does not grow into one with dense = \[6\]"),
        ({"dense": (6, 4)}, r"dense = \[6, 4\]"),
        ({"pooling": 6}, "pooling = 0 does not grow into one with pooling = 6"),
        ({"margin": "valid"}, "margin = same"),
        ({"squeeze": 2}, "squeeze = 0"),
    ],
)
def test_what_cannot_grow_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(athenan.Error, match=said):
        transfer(network(), network(**changes))


def test_other_planes_are_refused() -> None:
    with pytest.raises(athenan.Error, match="a network for 3 planes cannot begin one for 4"):
        transfer(network(), network(athenan.make_game("othello:size=6")))
