"""Several learners that share each step: the weights of one alone, and the loss of one of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from athenan import Error, Stop, Stopped
from athenan.learning import method
from athenan.learning.concurrency import Plan
from athenan.learning.joint import JointLearner, devices_of
from athenan.learning.learner import Learner, prepare_thread
from athenan.learning.settings import Config
from athenan.learning.study import make_learner, make_memory
from athenan.learning.table import Data, ReplayTable
from athenan.networks import build_network
from athenan.runs import Run
from athenan.runs.session import Session
from small_runs import Watcher, learned, saved_matches, small_config

TWO = {"hardware": {"learners": 2, "threads": 1}}


@pytest.fixture
def learners() -> Iterator[list[Learner]]:
    """Those of a test, closed at its end."""
    made: list[Learner] = []
    yield made
    for each in made:
        each.close()


def learner_of(config: Config, made: list[Learner]) -> Learner:
    plan = Plan.of(config)
    network = build_network(config.network, plan.game, config.seed)
    made.append(make_learner(config, plan, network, "float32"))
    return made[-1]


def table_of(config: Config, count: int) -> ReplayTable:
    from athenan._core import random_ends

    game = config.make_game()
    table = make_memory(config.learning, game).table
    table.append(Data(*random_ends(game, "additive_depth", count, 5, 1)))
    return table


def assert_alike(one: Learner, other: Learner) -> None:
    """Weights and moments are the same but for rounding."""
    state = other.network.state_dict()
    for name, value in one.network.state_dict().items():
        torch.testing.assert_close(value, state[name], rtol=1e-4, atol=1e-6, msg=name)
    moments = other.arrays()
    for name, array in one.arrays().items():
        np.testing.assert_allclose(array, moments[name], rtol=1e-3, atol=1e-8, err_msg=name)


@pytest.mark.parametrize("loss", ["mean", "sum"])
def test_two_learners_make_the_steps_of_one(loss: str, learners: list[Learner]) -> None:
    """Minibatches of odd sizes, one with a single state: then one of the two has nothing to add."""
    changes: dict[str, Any] = {"learning": {"loss": loss, "l2": 0.01, "adam": {"epsilon": 1e-4}}}
    alone = learner_of(small_config(changes, {"hardware": {"threads": 1}}), learners)
    both = learner_of(small_config(changes, TWO), learners)
    assert isinstance(both, JointLearner)
    table = table_of(small_config(changes), 300)
    rows = np.random.default_rng(1).permutation(300)
    for part in (rows[:150], rows[150:]):
        minibatches = [part[:65], part[65:66], part[66:66], part[66:129], part[129:]]
        mine = alone.learn(table, minibatches)
        theirs = both.learn(table, minibatches)
        assert (mine.samples, mine.minibatches) == (theirs.samples, theirs.minibatches) == (150, 4)
        assert theirs.loss == pytest.approx(mine.loss, rel=1e-4)
        for each in (alone, both):
            each.anneal(0.5)
            each.weigh_values(0.5)
    assert_alike(alone, both)
    untrained = build_network(small_config().network, alone.game, 9).state_dict()
    for each in (alone, both):
        each.begin_anew(untrained)
        each.learn(table, [rows[:99]])
    assert_alike(alone, both)


def test_a_request_to_stop_leaves_all_of_them_at_the_same_step_and_nobody_stays(
    learners: list[Learner],
) -> None:
    config = small_config(TWO)
    alone = learner_of(small_config({"hardware": {"threads": 1}}), learners)
    both = learner_of(config, learners)
    table, stop = table_of(config, 64), Stop()
    rows = np.arange(64)
    stop.request()
    with pytest.raises(Stopped):
        both.learn(table, [rows], stop)
    for each in (alone, both):
        each.learn(table, [rows[:32], rows[32:]])
    assert_alike(alone, both)
    assert isinstance(both, JointLearner)
    pids = both.peers
    both.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_training_ends_with_a_checkpoint_when_a_learner_is_killed(tmp_path: Path) -> None:
    prepare_thread()
    limits = {"stop": {"matches": 20}, "checkpoints": {"every_matches": 50}}
    gumbel = {"selfplay": {"search": "gumbel:iterations=8"}}  # moves are learned, too
    config = small_config(method("gumbel") | {"evaluation": {}}, gumbel, TWO, limits)
    killed: list[int] = []

    def kill(event: Any) -> bool:
        learner = session.training.study.learner
        assert isinstance(learner, JointLearner)
        if not killed and learned(6)(event):
            killed.extend(learner.peers)
            os.kill(killed[0], signal.SIGKILL)
        return False

    session = Session(Run(tmp_path / "run"), config, [Watcher(kill)])
    try:
        session.begin()
        with pytest.raises(Error, match=r"learner 2 was killed \(SIGKILL\): .*athenan resume"):
            session.train()
    finally:
        session.close()
    assert 6 <= saved_matches(tmp_path / "run") < 20
    assert session.training.counters.matches == saved_matches(tmp_path / "run")
    again = Session(Run(tmp_path / "run"), config, [])
    try:
        again.resume()
        again.train()
    finally:
        again.close()
    assert saved_matches(tmp_path / "run") == 20


def test_learners_need_a_gpu_each(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [f"cuda:{index}" for index in range(3)]
    monkeypatch.setattr("athenan.learning.joint.cuda_devices", lambda: found)
    assert devices_of(torch.device("cuda"), 2) == found[:2]
    assert devices_of(torch.device("cuda:1"), 2) == found[1:]
    with pytest.raises(Error, match="learners is 3, and this machine has 2 GPUs from cuda:1 on"):
        devices_of(torch.device("cuda:1"), 3)
