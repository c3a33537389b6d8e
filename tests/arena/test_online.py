"""A player that goes on learning: from the tree of its own match, and for that match alone."""

from __future__ import annotations

from pathlib import Path

import athenan
import numpy as np
import pytest
import torch
from athenan import ParameterError
from athenan.arena import play_matches, player
from athenan.arena.online import OnlinePlayerSpec
from athenan.arena.online_player import OnlinePlayer
from athenan.networks import Architecture, Model, build_network, save_model
from athenan.searches import drive

GAME = athenan.make_game("connect_four:rows=5,columns=5")
SEARCH = "ubfm-safe:expansions=20"


@pytest.fixture
def model(tmp_path: Path) -> str:
    network = build_network(Architecture(filters=8, blocks=1, margin="same", dense=(8,)), GAME, 3)
    save_model(tmp_path / "a.safetensors", Model(network, GAME.id, SEARCH))
    return str(tmp_path / "a.safetensors")


def online(model: str, options: str = "") -> OnlinePlayer:
    made = player(f"{model}@online{options}", GAME).make(GAME, 1)
    assert isinstance(made, OnlinePlayer)
    return made


def test_it_comes_nearer_to_the_values_of_its_tree(model: str) -> None:
    """The first search is that of the plain model; its tree is what is learned."""
    plain = athenan._core.Search(GAME, SEARCH, keep_terminals=True)
    state = GAME.initial_state()
    with online(model, ":rate=1e-3") as learner, player(model, GAME).make(GAME, 1) as other:
        learner.begin(GAME, 1)
        before = learner.evaluator
        drive(plain, state, before)
        states, values = plain.targets()
        planes = athenan._core.encode_packed(GAME, states, np.arange(len(values)))
        error = np.square(before(planes) - values).mean()
        learner.think(state)
        assert other.think(state).move is not None
        assert np.square(learner.evaluator(planes) - values).mean() < 0.9 * error
        learner.begin(GAME, 2)
        assert np.square(learner.evaluator(planes) - values).mean() == error


def test_the_step_is_that_of_adam_on_the_mean_squared_error(model: str) -> None:
    """One minibatch: every weight moves by the learning rate along the sign of its gradient."""
    state = GAME.initial_state()
    with online(model, f":{SEARCH},rate=1e-4") as learner:
        learner.begin(GAME, 1)
        network = learner._network
        old = {name: each.detach().clone() for name, each in network.named_parameters()}
        learner.think(state)
        states, values = learner._search.targets()
        assert 20 <= len(values) <= 128
        planes = athenan._core.encode_packed(GAME, states, np.arange(len(values)))
        fresh = build_network(network.architecture, GAME, 3)
        loss = (fresh(torch.from_numpy(planes).float()) - torch.from_numpy(values)).square().mean()
        loss.backward()
        for name, parameter in fresh.named_parameters():
            assert parameter.grad is not None
            moved = dict(network.named_parameters())[name].detach() - old[name]
            clear = parameter.grad.abs() > 1e-4
            assert torch.allclose(moved[clear], -1e-4 * parameter.grad[clear].sign(), atol=1e-6)


def test_a_series_depends_on_its_seed_alone(model: str) -> None:
    players = player(f"{model}@online:rate=1e-2", GAME), player(model, GAME)
    one, other = (
        [(match.moves, match.outcome) for match in play_matches(GAME, *players, 6, workers=workers)]
        for workers in (1, 2)
    )
    assert sorted(one) == sorted(other)
    alike = player(model, GAME), player(model, GAME)
    assert sorted(one) != sorted((m.moves, m.outcome) for m in play_matches(GAME, *alike, 6))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("online", "name a model before it"),
        ("{}@online:rate=2", "a number above 0 and up to 1, not '2'"),
        ("{}@online:rate=fast", "up to 1, not 'fast'"),
        ("{}@online:mcts:iterations=9", "uses no network"),
        ("{}@online:ubfm:expansion=9", "expansion"),
    ],
)
def test_what_cannot_learn_is_one_sentence(model: str, text: str, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        player(text.format(model), GAME, "expansions=5")


def test_its_text_is_that_of_a_model_with_a_budget(model: str) -> None:
    spec = player(f"{model}@online:ubfm,rate=1e-3,threads=2", GAME, "expansions=7")
    assert isinstance(spec, OnlinePlayerSpec)
    assert (str(spec.search), spec.rate, spec.threads) == ("ubfm:expansions=7", 1e-3, 2)
    own = player(f"{model}@online", GAME)
    assert isinstance(own, OnlinePlayerSpec)
    assert (str(own.search), own.rate) == (SEARCH, 1e-4)
