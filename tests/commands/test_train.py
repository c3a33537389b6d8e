"""`athenan train`: what it does, what it prints, and how it begins with a model."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
from athenan import load_model
from athenan.runs import Run
from athenan.runs.checkpoint import checkpoints_in, read_checkpoint
from athenan.runs.metrics import read_metrics
from commands.complaints import complaint_of
from commands.small_trainings import HEX, assert_it_learned_and_plays, output_of, trained
from small_runs import EVALUATION, small_config, small_flags

pytestmark = pytest.mark.usefixtures("empty_folder")


@pytest.mark.parametrize("search", ["descent", "ubfm", "alphabeta", "uct"])
@pytest.mark.parametrize("data", ["tree", "root", "terminal"])
def test_every_search_learns_every_kind_of_data(
    data: str, search: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trained(
        capsys,
        {"selfplay": {"search": f"{search}:expansions=5"}, "learning": {"data": data}},
        {"stop": {"matches": 3}},
    )
    assert_it_learned_and_plays(capsys, 3)


@pytest.mark.parametrize(
    "change",
    [
        {"selfplay": {"resolved_memory": True}},
        {"selfplay": {"resolved_memory": True, "forget_matches": 2}},
        {"selfplay": {"search": "minimax:depth=1"}},
        {"selfplay": {"selection": "epsilon-greedy:schedule=annealed", "terminal": "classic"}},
        {"learning": {"pretraining": 100, "symmetry": False}},
        {"network": {"output": "tanh"}, "selfplay": {"terminal": "classic"}},
        {"game": "hex:size=3", "network": {"pooling": 4, "squeeze": 2}},
    ],
    ids=str,
)
def test_other_ways_to_learn(change: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, change, {"stop": {"matches": 4}})
    assert_it_learned_and_plays(capsys, 4)


def test_a_game_for_one_player_is_learned(capsys: pytest.CaptureFixture[str]) -> None:
    alone = {name: value for name, value in EVALUATION.items() if name != "opponent"}
    trained(
        capsys,
        {"game": "morpion", "stop": {"matches": 2}, "evaluation": alone},
        {"selfplay": {"search": "descent:expansions=1", "matches": 2}},
    )
    lines = list(read_metrics(Path("run/metrics.jsonl")))
    played = [line for line in lines if line["kind"] == "training"]
    assert played[-1]["length"] > 20
    assert math.isfinite(played[-1]["loss"])
    assert all(line["mean_score"] > 20 for line in lines if line["kind"] == "evaluation")
    assert load_model("run/model.safetensors").game.startswith("morpion")


def test_what_a_run_prints_and_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    text = trained(capsys, {"evaluation": EVALUATION})
    first, *_, totals, play = text.splitlines()
    assert re.fullmatch(r"tic_tac_toe: a network of [\d,]+ weights on cpu, 4 matches .*", first)
    assert re.search(r"^0:00  after 0 matches: \d+% against random over 4 matches", text, re.M)
    assert re.search(r"^0:\d\d  match \d+  loss \S+  length \d\.\d  [\d,]+ states/s", text, re.M)
    assert re.match(r"12 matches learned; [\d,]+ states learned of [\d,]+ generated; ", totals)
    assert play == "play it with: athenan play --model run"
    names = {path.name for path in Path("run").iterdir()}
    assert {"config.toml", "checkpoints", "metrics.jsonl", "model.safetensors"} <= names
    assert Run("run").config() == small_config({"evaluation": EVALUATION})


def test_runs_are_named_after_their_game(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        output_of(capsys, "train", *small_flags({"stop": {"matches": 1}}))
    assert sorted(path.name for path in Path("runs").iterdir()) == [
        "tic_tac_toe-1",
        "tic_tac_toe-2",
    ]


def test_a_run_that_begins_with_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, {"stop": {"matches": 3}, "selfplay": {"terminal": "classic"}})
    for origin in ("run", "run/model.safetensors"):
        folder = f"from-{Path(origin).name}"
        output_of(capsys, "train", "--from", origin, "--matches", "2", "--run", folder)
        config = Run(folder).config()
        assert config.origin == str(Path("run/model.safetensors").absolute())
        assert (config.game, config.network) == ("tic_tac_toe", Run("run").config().network)
        assert config.selfplay.terminal == "classic"
        assert load_model(f"{folder}/model.safetensors").info["origin"] == config.origin
    flags = ("--set", "selfplay.terminal=additive_depth", "--dry-run")
    text = output_of(capsys, "train", "tic_tac_toe", "--from", "run", *flags)
    assert 'terminal = "additive_depth"' in text


def test_a_run_may_begin_with_a_grown_network_and_on_another_board(
    capsys: pytest.CaptureFixture[str],
) -> None:
    trained(capsys, {"game": "hex:size=3", "stop": {"matches": 3}})
    shape = ("--set", "network.filters=12", "--set", "network.blocks=2")
    text = output_of(
        capsys, "train", "hex:size=4", "--from", "run", *shape, "--matches", "1", "--run", "large"
    )
    assert "begun anew: dense.0, output" in text
    assert Run("large").config().game == "hex:size=4,swap=true"
    assert load_model("large/model.safetensors").network.architecture.filters == 12
    sentence = complaint_of(capsys, "train", "othello:size=6", "--from", "run")
    assert "plays hex:size=3,swap=true, not othello:size=6" in sentence


def test_the_optimiser_may_be_kept(capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, {"stop": {"matches": 3}})
    kept = ("train", "--from", "run", "--keep-optimiser", "--matches", "1")
    output_of(capsys, *kept, "--run", "again")
    fresh = ("train", "--from", "run", "--matches", "1", "--run", "fresh")
    output_of(capsys, *fresh)
    steps = {}
    for run in ("run", "again", "fresh"):
        first = read_checkpoint(checkpoints_in(Run(run).checkpoints)[-1])[0]
        steps[run] = float(first["adam.output.bias.step"])
    assert steps["again"] > steps["run"] > steps["fresh"] > 0
    wider = (*kept, "--set", "network.filters=12", "--run", "wider")
    assert "can be kept only if the network keeps its shape" in complaint_of(capsys, *wider)
    assert not Path("wider").exists()
    Path("alone.safetensors").write_bytes(Path("run/model.safetensors").read_bytes())
    alone = ("train", "--from", "alone.safetensors", "--keep-optimiser", "--run", "alone")
    assert "is not the model of a run" in complaint_of(capsys, *alone)


def test_what_a_run_that_begins_with_a_model_may_not_be(
    capsys: pytest.CaptureFixture[str],
) -> None:
    trained(capsys, {"stop": {"matches": 1}})
    sentence = complaint_of(capsys, "train", *HEX, "--from", "run")
    assert "the model run plays tic_tac_toe, not hex:size=3" in sentence
    sentence = complaint_of(capsys, "train", "--from", "run", "--preset", "fast-hex11")
    assert "plays tic_tac_toe, not hex:size=11" in sentence
    sentence = complaint_of(capsys, "train", "--from", "run", "--weights", "1e5")
    assert "weights cannot be given, but network.filters" in sentence
    for flags in ("network.filters=4", "network.margin=valid", "network.dense=[8, 8]"):
        sentence = complaint_of(capsys, "train", "--from", "run", "--set", flags)
        assert "does not grow into one with" in sentence
    sentence = complaint_of(capsys, "train", "tic_tac_toe", "--keep-optimiser")
    assert "--keep-optimiser needs a run" in sentence
    assert "there is no model 'nothing'" in complaint_of(capsys, "train", "--from", "nothing")
    assert "is not a run" in complaint_of(capsys, "train", "--from", ".")
    assert "a run cannot change its origin" in complaint_of(
        capsys, "resume", "run", "--set", "origin=x"
    )
