"""The learner against a plain loop of torch: the loss, its L2 term, Adam, and the split."""

from typing import Literal

import numpy as np
import pytest
import torch
from athenan import make_game
from athenan._core import encode_packed, random_ends
from athenan.learning.learner import Learner
from athenan.learning.settings import Adam, Learning
from athenan.learning.table import Data, ReplayTable
from athenan.networks import Architecture, Network, build_network
from numpy.typing import NDArray

GAME = make_game("hex:size=3")
SMALL = Architecture(filters=8, blocks=1, margin="same", dense=(8,))


def table_of_ends(count: int) -> ReplayTable:
    table = ReplayTable(GAME.packed_size)
    table.append(Data(*random_ends(GAME, "additive_depth", count, 5, 1)))
    return table


def plain_loop(
    table: ReplayTable, minibatches: list[NDArray[np.int64]], settings: Learning
) -> tuple[Network, list[float]]:
    """The paper's update, written down as it is printed."""
    network = build_network(SMALL, GAME, seed=4)
    adam = settings.adam
    optimizer = torch.optim.Adam(
        network.parameters(),
        lr=adam.learning_rate,
        betas=(adam.beta1, adam.beta2),
        eps=adam.epsilon,
    )
    losses = []
    for rows in minibatches:
        planes = torch.from_numpy(encode_packed(GAME, table.states, rows, 1)).float()
        errors = (network(planes) - torch.from_numpy(table.values[rows])).square()
        losses.append(errors.mean().item())
        error = errors.mean() if settings.loss == "mean" else errors.sum()
        kernels = [p for name, p in network.named_parameters() if name.endswith("weight")]
        loss = error + settings.l2 * sum(kernel.square().sum() for kernel in kernels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return network, losses


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("loss", "l2"), [("mean", 0.0), ("mean", 0.01), ("sum", 0.3)])
def test_the_learner_makes_the_steps_of_a_plain_loop(
    threads: int, loss: Literal["mean", "sum"], l2: float
) -> None:
    """The last minibatch is short: as a sum it weighs less than the others."""
    settings = Learning(loss=loss, l2=l2, adam=Adam(learning_rate=0.003, beta2=0.99, epsilon=1e-5))
    table = table_of_ends(200)
    rows = np.random.default_rng(1).permutation(200)
    minibatches = [rows[:64], rows[64:128], rows[128:192], rows[192:]]
    expected, losses = plain_loop(table, minibatches, settings)
    network = build_network(SMALL, GAME, seed=4)
    learner = Learner(GAME, network, settings, torch.device("cpu"), threads)
    report = learner.learn(table, minibatches)
    sizes = [len(each) for each in minibatches]
    assert report.samples == 200
    assert report.minibatches == 4
    assert report.loss == pytest.approx(np.average(losses, weights=sizes), rel=1e-5)
    for (name, mine), theirs in zip(network.named_parameters(), expected.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-3, atol=2e-5, msg=name)


def test_steps_in_bfloat16_are_nearly_those_in_float32() -> None:
    """The weights stay in float32: a learning rate of which bfloat16 would see nothing is learned.

    Weights are near 0.3, where two numbers of bfloat16 are 0.002 apart.
    """
    settings = Learning(l2=0.0, adam=Adam(learning_rate=1e-5))
    table = table_of_ends(192)
    minibatches = list(np.arange(192).reshape(3, 64))
    networks, losses = [build_network(SMALL, GAME, seed=4)], []
    for precision in ("float32", "bfloat16"):
        network = build_network(SMALL, GAME, seed=4)
        learner = Learner(GAME, network, settings, torch.device("cpu"), 1, precision)
        losses.append(learner.learn(table, minibatches).loss)
        networks.append(network)
    start, exact, rough = (
        torch.cat([p.detach().flatten() for p in n.parameters()]) for n in networks
    )
    assert losses[0] != losses[1]
    assert losses[1] == pytest.approx(losses[0], rel=0.02)
    steps = torch.stack([exact - start, rough - start])
    assert torch.corrcoef(steps)[0, 1] > 0.95


def test_l2_weighs_less_beside_a_sum_by_the_number_of_states() -> None:
    """Adam's steps do not depend on the scale: with ε = 0, a sum with L2 = λB is a mean with λ."""
    table = table_of_ends(192)
    minibatches = list(np.arange(192).reshape(3, 64))
    weights = []
    for loss, l2 in (("mean", 0.002), ("sum", 0.002 * 64), ("sum", 0.002)):
        settings = Learning(loss=loss, l2=l2, adam=Adam(epsilon=1e-30))
        network = build_network(SMALL, GAME, seed=4)
        Learner(GAME, network, settings, torch.device("cpu"), 1).learn(table, minibatches)
        weights.append(torch.cat([p.detach().flatten() for p in network.parameters()]))
    mean, scaled, weak = weights
    torch.testing.assert_close(scaled, mean, rtol=0, atol=2e-5)
    assert (weak - mean).abs().max() > 1e-4


def test_the_same_phases_give_the_same_bits() -> None:
    weights = []
    for _ in range(2):
        network = build_network(SMALL, GAME, seed=4)
        learner = Learner(GAME, network, Learning(), torch.device("cpu"), 2)
        table = table_of_ends(300)
        for k in range(5):
            learner.learn(table, [np.arange(300)[k::3], np.arange(300)[::2]])
        weights.append(torch.cat([p.detach().flatten() for p in network.parameters()]))
    assert torch.equal(*weights)


def test_a_restored_learner_makes_the_same_steps() -> None:
    table = table_of_ends(100)
    batches = [np.arange(50), np.arange(50, 100)]
    network = build_network(SMALL, GAME, seed=4)
    learner = Learner(GAME, network, Learning(), torch.device("cpu"), 1)
    learner.learn(table, batches)
    saved = {name: array.copy() for name, array in learner.arrays().items()}
    copy = build_network(SMALL, GAME, seed=9)
    copy.load_state_dict(network.state_dict())
    other = Learner(GAME, copy, Learning(), torch.device("cpu"), 1)
    other.restore(saved)
    learner.learn(table, batches)
    other.learn(table, batches)
    for mine, theirs in zip(network.parameters(), copy.parameters(), strict=True):
        assert torch.equal(mine, theirs)


def test_moments_are_restored_where_they_lie() -> None:
    """Steps that a GPU has captured know no other memory, nor do those of a peer."""
    table, rows = table_of_ends(100), [np.arange(100)]
    learner = Learner(GAME, build_network(SMALL, GAME), Learning(), torch.device("cpu"), 1)
    learner.learn(table, rows)
    kept = [each for state in learner.optimizer.state.values() for each in state.values()]
    saved = learner.arrays()
    learner.learn(table, rows)
    learner.restore(saved)
    again = [each for state in learner.optimizer.state.values() for each in state.values()]
    assert all(one is other for one, other in zip(kept, again, strict=True))
    assert all(np.array_equal(array, learner.arrays()[name]) for name, array in saved.items())


def test_an_empty_phase_changes_nothing() -> None:
    network = build_network(SMALL, GAME, seed=4)
    before = [p.detach().clone() for p in network.parameters()]
    learner = Learner(GAME, network, Learning(), torch.device("cpu"), 2)
    report = learner.learn(table_of_ends(4), [])
    assert (report.samples, report.minibatches, report.loss) == (0, 0, 0.0)
    assert all(torch.equal(a, b) for a, b in zip(before, network.parameters(), strict=True))


def test_the_learning_rate_falls_to_its_share() -> None:
    network = build_network(SMALL, GAME, seed=4)
    settings = Learning(adam=Adam(learning_rate=0.01, final_share=0.01))
    learner = Learner(GAME, network, settings, torch.device("cpu"), 1)
    for progress, rate in ((0, 0.01), (0.5, 0.001), (1, 0.0001)):
        learner.anneal(progress)
        assert [group["lr"] for group in learner.optimizer.param_groups] == pytest.approx(
            [rate] * 2
        )


@pytest.mark.parametrize("key", ["step", "exp_avg", "exp_avg_sq"])
def test_moments_that_do_not_fit_are_refused(key: str) -> None:
    learner = Learner(GAME, build_network(SMALL, GAME), Learning(), torch.device("cpu"), 1)
    learner.learn(table_of_ends(10), [np.arange(10)])
    arrays = learner.arrays()
    name = next(name for name in arrays if name.endswith(f".{key}"))
    with pytest.raises((ValueError, TypeError)):
        learner.restore(arrays | {name: np.zeros((3, 3), np.int8)})
    del arrays[name]
    with pytest.raises(KeyError):
        learner.restore(arrays)
