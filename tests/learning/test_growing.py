"""Growing replay: a new network learns everything, for as long as it gets better."""

import copy

import numpy as np
import pytest
import torch
from athenan import Stop, make_game
from athenan._core import random_ends
from athenan.learning.growing import GrowingMemory, learn_anew
from athenan.learning.learner import Learner
from athenan.learning.settings import Learning, Replay
from athenan.learning.table import Data, ReplayTable
from athenan.networks import Architecture, build_network


@pytest.mark.parametrize(("held_out", "epochs"), [(0.1, 1), (0.5, 2)])
def test_with_nothing_held_out_one_epoch_is_learned(held_out: float, epochs: int) -> None:
    game = make_game("tic_tac_toe")
    replay = Replay(kind="growing", every=1, held_out=held_out, patience=1)
    settings = Learning(replay=replay, batch_size=4)
    untrained = build_network(Architecture(filters=4, blocks=0, margin="same", dense=()), game)
    cpu = torch.device("cpu")
    learner = Learner(game, copy.deepcopy(untrained), settings, cpu, 1)
    memory, random = GrowingMemory(replay, ReplayTable(game.packed_size)), np.random.default_rng(1)
    for seed in range(2):
        first = memory.phase(Data(*random_ends(game, "classic", 8, seed, 1)), 4, random)
    given = replay, 4, random, Stop()
    report = learn_anew(learner, untrained, memory, first, *given)
    assert report.minibatches >= epochs * len(first)
    assert (report.minibatches == len(first)) == (epochs == 1)
    learner.close()
