"""The learner on a GPU against the learner on a CPU: the same steps, up to bfloat16."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import numpy as np
import pytest
import torch
from athenan import Stop, make_game
from athenan._core import random_ends
from athenan.learning import gpu_steps
from athenan.learning.gpu_steps import GpuSteps, predicted, together
from athenan.learning.learner import Learner
from athenan.learning.settings import Adam, Learning, Replay
from athenan.learning.table import Data, ReplayTable
from athenan.networks import Architecture, build_network
from moves_to_learn import table_of_moves

GAME = make_game("hex:size=5")
SMALL = Architecture(filters=16, blocks=1, margin="same", dense=(16,))
SIZE = 64


def table_of_ends(count: int) -> ReplayTable:
    table = ReplayTable(GAME.packed_size)
    table.append(Data(*random_ends(GAME, "classic", count, 5, 1)))
    return table


def settings_of(kind: str, loss: str = "mean", **adam: float) -> Learning:
    return Learning(
        batch_size=SIZE,
        replay=Replay(kind=kind),
        adam=Adam(learning_rate=1e-3, **adam),
        loss=loss,
        l2=1e-4,
    )


def learner_on(device: str, settings: Learning) -> Learner:
    network = build_network(SMALL, GAME, seed=4)
    return Learner(GAME, network, settings, torch.device(device), 2)


def weights(learner: Learner) -> np.ndarray:
    return np.concatenate(
        [p.detach().float().cpu().numpy().ravel() for p in learner.network.parameters()]
    )


def test_small_minibatches_are_learned_many_together() -> None:
    assert together(128) == 32
    assert together(4096) == together(5000) == 1


def test_values_are_finer_than_bfloat16() -> None:
    """Near 90, where bfloat16 has but every half."""
    network = build_network(SMALL, GAME, seed=4)
    with torch.no_grad():
        network.output.weight.mul_(0.1)
        network.output.bias.fill_(90.3)
    states = torch.from_numpy(GAME.encode(GAME.initial_state().children()))
    exact = network(states.float())
    (found,) = predicted(network, states)
    assert found.dtype == torch.float32
    assert len(set(exact.tolist())) > 10
    assert exact.min() > 80
    torch.testing.assert_close(found, exact, rtol=0, atol=0.01)
    found.sum().backward()  # type: ignore[no-untyped-call]
    assert all(parameter.grad is not None for parameter in network.parameters())


class OrderedStream:
    """Stands for a stream: notes for whom it waits, and does everything at once."""

    def __init__(self, *_: object) -> None:
        self.told: list[object] = []

    def wait_stream(self, other: object) -> None:
        self.told.append(other)

    def synchronize(self) -> None:
        pass


class PastEvent:
    """Stands for an event of a stream that does everything at once."""

    def __init__(self, **_: object) -> None:
        pass

    def record(self, _: object) -> None:
        pass

    def synchronize(self) -> None:
        pass


def test_steps_begin_after_what_the_caller_told_the_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or else self-play would take half of one phase's weights and half of the next one's."""
    monkeypatch.setattr(torch.cuda, "Stream", OrderedStream)
    monkeypatch.setattr(torch.cuda, "Event", PastEvent)
    monkeypatch.setattr(torch.cuda, "stream", lambda _: nullcontext())
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: ("current", device))
    monkeypatch.setattr(gpu_steps, "padded", partial(not_pinned, gpu_steps.padded))
    settings, table = settings_of("experience"), table_of_ends(200)
    learner, device = learner_on("cpu", settings), torch.device("cpu")
    steps = GpuSteps(GAME, learner.network, learner.optimizer, settings, learner._loss, device)
    assert isinstance(steps.stream, OrderedStream)
    order, loss = steps.stream.told, steps.loss

    def noted(*inputs: torch.Tensor) -> torch.Tensor:
        order.append("step")
        return loss(*inputs)

    monkeypatch.setattr(steps, "loss", noted)
    before = weights(learner)
    for _ in range(2):
        minibatches = [np.arange(SIZE), np.arange(SIZE, 2 * SIZE)]
        parts = learner._encoded(table, minibatches, np.array([SIZE, SIZE]))
        assert len(steps.steps(parts, Stop())) == 2
    assert order == [("current", device), "step", "step"] * 2
    assert not np.array_equal(weights(learner), before)
    learner.close()


def not_pinned(
    make: Callable[..., gpu_steps.Inputs], *given: object, averages: bool, pinned: bool
) -> gpu_steps.Inputs:
    """Pad without the memory that only a device needs."""
    assert pinned
    return make(*given, averages=averages, pinned=False)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("kind", "loss"), [("experience", "mean"), ("stratified", "mean"), ("stratified", "sum")]
)
@pytest.mark.parametrize("captured", [True, False])
def test_the_gpu_makes_the_steps_of_the_cpu(
    kind: str, loss: str, captured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More minibatches than are encoded at a time, of unequal sizes, and one far too large."""
    settings = settings_of(kind, loss)
    table = table_of_ends(4000)
    random = np.random.default_rng(1)
    sizes = [SIZE - n % 8 for n in range(together(SIZE) + 20)]
    monkeypatch.setattr("athenan.learning.learner.STATES_ENCODED", together(SIZE) * SIZE)
    monkeypatch.setattr(gpu_steps, "PARTS_UNDER_WAY", 1)
    minibatches = [random.permutation(4000)[:size] for size in sizes]
    cpu, gpu = learner_on("cpu", settings), learner_on("cuda", settings)
    start = weights(cpu)
    if captured:
        gpu.warm_up()
        assert np.array_equal(weights(gpu), start), "warming up must not learn"
    for phase in (minibatches, [random.permutation(4000)[: 3 * SIZE]]):
        expected, found = cpu.learn(table, phase), gpu.learn(table, phase)
        assert (found.samples, found.minibatches) == (expected.samples, expected.minibatches)
        assert found.loss == pytest.approx(expected.loss, rel=0.05)
    moved = weights(cpu) - start
    difference = weights(gpu) - weights(cpu)
    assert np.linalg.norm(difference) < 0.25 * np.linalg.norm(moved)


@pytest.mark.gpu
def test_captured_steps_follow_the_learning_rate() -> None:
    settings = settings_of("experience", final_share=1e-6)
    table = table_of_ends(400)
    learner = learner_on("cuda", settings)
    learner.warm_up()
    rows = [np.arange(SIZE)]
    learner.anneal(0.0)
    before = weights(learner)
    learner.learn(table, rows)
    large = np.abs(weights(learner) - before).max()
    learner.anneal(1.0)
    before = weights(learner)
    learner.learn(table, rows)
    assert np.abs(weights(learner) - before).max() < 1e-3 * large


@pytest.mark.gpu
@pytest.mark.parametrize("captured", [True, False])
def test_the_gpu_learns_moves_as_the_cpu_does(captured: bool) -> None:
    game = make_game("breakthrough:rows=5,columns=4")
    architecture = Architecture(filters=16, blocks=1, margin="same", dense=(16,), policy=True)
    settings = settings_of("experience").model_copy(update={"moves": "policy"})
    table = table_of_moves(game, 40)
    made = [
        Learner(game, build_network(architecture, game, 4), settings, torch.device(device), 2)
        for device in ("cpu", "cuda")
    ]
    start = weights(made[0])
    if captured:
        made[1].warm_up()
        assert np.array_equal(weights(made[1]), start), "warming up must not learn"
    random = np.random.default_rng(1)
    minibatches = [random.permutation(len(table))[:SIZE] for _ in range(30)]
    expected, found = (learner.learn(table, minibatches) for learner in made)
    assert found.loss == pytest.approx(expected.loss, rel=0.05)
    assert found.move_loss == pytest.approx(expected.move_loss, rel=0.05)
    difference = np.linalg.norm(weights(made[1]) - weights(made[0]))
    assert difference < 0.25 * np.linalg.norm(weights(made[0]) - start)
