"""Players from texts: what each means, and that mistakes end in one sentence."""

from __future__ import annotations

from pathlib import Path

import athenan
import numpy as np
import pytest
from athenan.arena import Thinker, game_of, player
from athenan.selfplay import Pool, play
from small_models import write_model

HEX = athenan.make_game("hex:size=4")


def test_a_search_without_a_network_asks_zeros() -> None:
    found = player("ubfm-safe:expansions=100", HEX)
    assert (found.search, found.selection) == ("ubfm-safe:expansions=100", None)
    assert found.evaluator is not None
    planes = HEX.encode(HEX.initial_state().children())
    assert np.asarray(found.evaluator(1)(planes)).tolist() == [0.0] * 16
    assert player("mcts", HEX).evaluator is None
    policy = player("puct", HEX).evaluator
    assert policy is not None
    values, logits = policy(1)(planes)
    assert (values.shape, logits.shape) == ((16,), (16, HEX.move_count))


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("mcts", "mcts:seconds=2"),
        ("mcts:c=1", "mcts:c=1,seconds=2"),
        ("mcts:iterations=9", "mcts:iterations=9"),
        ("ubfm:evaluations=9", "ubfm:evaluations=9"),
        ("alphabeta:depth=3", "alphabeta:depth=3"),
        ("alphabeta:depth=0", "alphabeta:depth=0,seconds=2"),
        ("minimax", "minimax"),
        ("random", "mcts:iterations=1"),
    ],
)
def test_the_budget_is_for_those_that_name_none(text: str, search: str) -> None:
    found = player(text, HEX, "seconds=2")
    assert found.search == search
    assert found.is_timed == ("seconds" in search)


@pytest.mark.parametrize(
    ("suffix", "budget", "search"),
    [
        ("", "", "ubfm-safe:terminal=additive_depth"),
        ("", "expansions=5", "ubfm-safe:terminal=additive_depth,expansions=5"),
        ("@seconds=0.2", "expansions=5", "ubfm-safe:terminal=additive_depth,seconds=0.2"),
        ("@terminal=classic", "expansions=5", "ubfm-safe:terminal=classic,expansions=5"),
        ("@descent", "expansions=5", "descent:terminal=additive_depth,expansions=5"),
        ("@alphabeta:depth=2", "expansions=5", "alphabeta:depth=2,terminal=additive_depth"),
        ("@ubfm:terminal=classic", "seconds=1", "ubfm:terminal=classic,seconds=1"),
    ],
)
def test_a_model_and_its_search(hex_model: Path, suffix: str, budget: str, search: str) -> None:
    assert player(f"{hex_model}{suffix}", HEX, budget).search == search
    assert game_of(f"{hex_model}{suffix}") == HEX.id
    file = hex_model / "model.safetensors"
    assert player(f"{file}{suffix}", HEX, budget).search == search


def test_flags_replace_the_budget_of_a_model_but_not_that_of_a_text(tmp_path: Path) -> None:
    file = tmp_path / "a@b.safetensors"  # a path may contain the sign that begins a search
    write_model(file, "hex:size=4", "ubfm-safe:expansions=7")
    assert player(str(file), HEX).search == "ubfm-safe:expansions=7"
    assert player(str(file), HEX, "seconds=1").search == "ubfm-safe:seconds=1"
    assert player(f"{file}@evaluations=3", HEX, "seconds=1").search == "ubfm-safe:evaluations=3"


def test_the_evaluator_of_a_model_is_its_network(hex_model: Path) -> None:
    import torch
    from athenan.networks import load_model

    network = load_model(hex_model / "model.safetensors").network
    planes = HEX.encode(HEX.initial_state().children())
    with torch.no_grad():
        expected = network(torch.from_numpy(planes).float()).numpy()
    for text in (f"{hex_model}@expansions=3", f"{hex_model}@seconds=1"):
        make = player(text, HEX).evaluator
        assert make is not None
        assert make(1)(planes) == pytest.approx(expected, abs=1e-5)


def test_random_moves_are_uniform() -> None:
    game = athenan.make_game("connect_four")
    pool = Pool(game, [player("random", game).mind(0)], slots=4)
    for index in range(7000):
        pool.add(index, seed=index)
    firsts = [record.moves[0] for record in play(pool, [])]
    counts = np.bincount(firsts, minlength=7)
    assert ((counts - 1000) ** 2 / 1000).sum() < 22.5  # chi-squared, 6 degrees: once in 1000


def test_a_random_thinker_is_random_too() -> None:
    game = athenan.make_game("tic_tac_toe")
    winning = game.parse_position("xx1/oo1/3 x")
    chosen = {Thinker(player("random", game), game, s).think(winning).best_move for s in range(40)}
    assert len(chosen) == 5


def test_a_thinker_remembers_its_match() -> None:
    game = athenan.make_game("tic_tac_toe")
    thinker = Thinker(player("ubfm-safe:expansions=100000", game), game, 1)
    state = game.initial_state()
    first = thinker.think(state)
    again = thinker.think(state.play(first.best_move))
    assert first.proven_outcome == again.proven_outcome == 0
    assert again.spent.expansions < first.spent.expansions / 10


def test_memory_is_limited_unless_the_text_limits_it() -> None:
    assert player("mcts:iterations=9", HEX).within(50).search == "mcts:iterations=9,memory_mb=50"
    own = "mcts:iterations=9,memory_mb=3"
    assert player(own, HEX).within(50).search == own


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nobody", "there is no player 'nobody'; a player is a run directory or a model file"),
        ("", "there is no player ''"),
        ("@ubfm", "there is no player '@ubfm'"),
        ("x" * 5000, "there is no player"),
        ("a\0b", "there is no player"),
        ("mcts:secnds=1", "mcts has no option 'secnds'"),
        ("mcts:seconds=soon", "seconds"),
        ("ubfm:terminal=score", "score"),
        (".", "has no model.safetensors"),
        (__file__, "is not one of athenan"),
    ],
)
def test_a_text_that_is_no_player(
    text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(athenan.Error, match=reason) as caught:
        player(text, HEX)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("suffix", "game", "reason"),
    [
        ("", "hex:size=5", "plays hex:size=4,swap=true, not hex:size=5,swap=true"),
        ("", "tic_tac_toe", "plays hex:size=4,swap=true, not tic_tac_toe"),
        ("@nothing", "hex:size=4", "ubfm-safe has no option 'nothing'"),
        ("@puct", "hex:size=4", "needs a policy, and the network of .* has none"),
    ],
)
def test_a_model_that_does_not_fit(hex_model: Path, suffix: str, game: str, reason: str) -> None:
    with pytest.raises(athenan.Error, match=reason):
        player(f"{hex_model}{suffix}", athenan.make_game(game), "expansions=5")


def test_a_model_with_a_policy_can_play_with_it(tmp_path: Path) -> None:
    write_model(tmp_path / "model.safetensors", "hex:size=4", "puct", policy=True)
    found = player(str(tmp_path), HEX, "iterations=20")
    move = Thinker(found, HEX).think(HEX.initial_state()).best_move
    assert move in HEX.initial_state().legal_moves()
