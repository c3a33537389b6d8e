"""`athenan train` and `resume`: what they do, what they print, what they refuse."""

from __future__ import annotations

import json
import math
import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from athenan import load_model
from athenan.commands import main
from athenan.learning import Config
from athenan.runs import Run
from athenan.runs.checkpoint import checkpoints_in, latest_readable, read_checkpoint
from athenan.runs.metrics import read_metrics
from commands.complaints import complaint_of
from processes import athenan
from pydantic import BaseModel
from small_runs import EVALUATION, small_config, small_flags, train

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = main(arguments)
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    return captured.out


HEX = ["hex:size=3"]
MISTAKES: dict[str, tuple[list[str], str]] = {
    "unknown game": (["chess"], "there is no game 'chess'"),
    "unknown option of a game": (["hex:sise=3"], "sise"),
    "no game": (["--preset", "small"], "no game was given"),
    "no game file": (["nothing.py"], "there is no game file 'nothing.py'"),
    "unknown preset": (
        [*HEX, "--preset", "smal"],
        "preset 'smal' (did you mean small?)",
    ),
    "no settings file": ([*HEX, "--preset", "x.toml"], "there is no settings file 'x.toml'"),
    "unknown flag": ([*HEX, "--minute", "3"], "--minute"),
    "a word for a number": ([*HEX, "--matches", "many"], "--matches"),
    "two games": ([*HEX, "othello"], "othello"),
    "minutes and hours": ([*HEX, "--minutes", "1", "--hours", "1"], "not both"),
    "negative time": ([*HEX, "--minutes", "-1"], "stop.minutes is -1.0"),
    "no number of minutes": ([*HEX, "--minutes", "nan"], "stop.minutes is nan"),
    "negative matches": ([*HEX, "--matches", "-1"], "stop.matches is -1"),
    "negative seed": ([*HEX, "--seed", "-1"], "seed is -1"),
    "unknown device": ([*HEX, "--device", "gpu"], "hardware.device is 'gpu'"),
    "too few weights": ([*HEX, "--weights", "3"], "cannot have 0 filters"),
    "a clock in a deterministic run": ([*HEX, "--deterministic", "--minutes", "1"], "the clock"),
    "no assignment": ([*HEX, "--set", "learning"], "not of the form name=value"),
    "unknown setting": ([*HEX, "--set", "learning.rate=1"], "there is no setting learning.rate"),
    "unknown branch": ([*HEX, "--set", "teaching.rate=1"], "there is no setting teaching"),
    "impossible value": ([*HEX, "--set", "learning.batch_size=0"], "learning.batch_size is 0"),
    "a word for a branch": ([*HEX, "--set", "selfplay=descent"], "selfplay is 'descent'"),
    "a branch for a number": ([*HEX, "--set", "seed.x=1"], "seed is "),
    "an odd multiple": ([*HEX, "--set", "round_widths_to=big"], "round_widths_to"),
    "a policy": ([*HEX, "--set", "network.policy=true"], "a network has a policy to learn it"),
    "a search without values": (
        [*HEX, "--set", "selfplay.search=mcts:iterations=9"],
        "by a network is needed",
    ),
    "a search without end": ([*HEX, "--set", "selfplay.search=ubfm"], "ubfm:expansions=50"),
    "a terminal evaluation at the wrong place": (
        [*HEX, "--set", "selfplay.search=ubfm:expansions=9,terminal=classic"],
        "selfplay.terminal",
    ),
    "no such terminal evaluation": ([*HEX, "--set", "selfplay.terminal=score"], "accepted is one"),
    "unknown selection": ([*HEX, "--set", "selfplay.selection=best"], "best"),
    "half precision on a CPU": (
        [*HEX, "--device", "cpu", "--set", "hardware.precision=float16"],
        "precision is float32 with",
    ),
    "unknown opponent": (
        [*HEX, "--set", "evaluation.every_matches=1", "--set", "evaluation.opponent=nobody"],
        "there is no player 'nobody'",
    ),
    "an evaluation without values": (
        [*HEX, "--set", "evaluation.every_matches=1", "--set", "evaluation.search=mcts:seconds=1"],
        "evaluation.search",
    ),
    "no memory": ([*HEX, "--set", "learning.replay.size=100000000"], "GB of memory"),
    "no memory for trees": (
        ["hex:size=11", "--set", "selfplay.search=descent:expansions=100000000"],
        "lower selfplay.matches",
    ),
    "a board too small": (
        ["tic_tac_toe", "--set", "network.margin=valid", "--set", "network.convolutions=2"],
        "a board of 3×3 cells is too small",
    ),
}


@pytest.mark.parametrize(("arguments", "reason"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_gets_one_sentence_and_leaves_nothing(
    arguments: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reason in complaint_of(capsys, "train", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_broken_settings_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.toml").write_text("game = \n")
    assert "x.toml is not a TOML file" in complaint_of(capsys, "train", "--preset", "x.toml")
    Path("x.toml").write_text('base = "nothing"\n')
    assert "no preset 'nothing'" in complaint_of(capsys, "train", "--preset", "x.toml")
    Path("x.toml").write_bytes(b"\xff\xfe")
    assert "x.toml is not a TOML file" in complaint_of(capsys, "train", "--preset", "x.toml")


def test_an_existing_directory_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(tmp_path / "run", small_config({"stop": {"matches": 1}}))
    before = sorted(tmp_path.rglob("*"))
    sentence = complaint_of(capsys, "train", *HEX, "--run", "run")
    assert "go on with it by: athenan resume run" in sentence
    assert sorted(tmp_path.rglob("*")) == before
    Path("file").write_text("")
    Path("folder/inner").mkdir(parents=True)
    for taken in ("file", "folder"):
        assert f"{taken} exists already" in complaint_of(capsys, "train", *HEX, "--run", taken)
    assert "file" in complaint_of(capsys, "train", *HEX, "--run", "file/run")


@pytest.mark.parametrize(
    "arguments",
    [
        ["hex:size=3"],
        ["othello", "--preset", "large", "--weights", "1e5", "--hours", "2"],
        ["--preset", "fast-hex11", "--set", "learning.replay.size=5"],
        ["othello", "--preset", "paper-protocol", "--set", "learning.replay.size=1000"],
        ["connect_four", "--deterministic", "--matches", "300"],
    ],
    ids=" ".join,
)
def test_a_dry_run_prints_settings_that_give_the_same_again(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = output_of(capsys, "train", *arguments, "--dry-run", "--seed", "7", "--device", "cpu")
    assert list(tmp_path.iterdir()) == []
    Path("x.toml").write_text(text)
    assert output_of(capsys, "train", "--preset", "x.toml", "--dry-run") == text
    assert "seed = 7 " in text
    assert 'device = "cpu"' in text


def test_flags_come_before_the_preset_and_settings_before_flags(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("x.toml").write_text('game = "hex:size=3"\nseed = 9\n[stop]\nmatches = 50\n')
    text = output_of(capsys, "train", "--preset", "x.toml", "--dry-run", "--minutes", "2")
    assert 'game = "hex:size=3,swap=true" #' in text
    assert "seed = 9 #" in text
    assert "minutes = 2.0 #" in text
    assert "matches = 0 # matches to learn" in text
    text = output_of(
        capsys, "train", "hex:size=4", "--dry-run", "--hours", "2", "--set", "stop.minutes=5"
    )
    assert "minutes = 5.0 # minutes of training" in text


def test_a_deterministic_run_fixes_the_number_of_threads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = output_of(capsys, "train", *HEX, "--dry-run", "--deterministic")
    assert int(re.findall(r"^threads = (\d+)", text, re.MULTILINE)[0]) > 0
    assert "deterministic = true" in text
    assert "every_minutes = 0.0 # minutes of training between checkpoints" in text
    text = output_of(capsys, "train", *HEX, "--dry-run")
    assert "threads = 0 " in text


def trained(capsys: pytest.CaptureFixture[str], *changes: dict[str, Any]) -> str:
    """Train a small run in the directory "run" and return what was printed."""
    return output_of(capsys, "train", *small_flags(*changes), "--run", "run")


def assert_it_learned_and_plays(capsys: pytest.CaptureFixture[str], matches: int) -> None:
    lines = list(read_metrics(Path("run/metrics.jsonl")))
    assert lines[-1]["matches"] == matches
    assert all(math.isfinite(line["loss"]) for line in lines)
    assert lines[-1]["learned"] > 0
    model = load_model("run/model.safetensors")
    assert model.info["matches"] == str(matches)
    facts = json.loads(
        output_of(capsys, "match", "run", "random", "--matches", "2", "--expansions", "2", "--json")
    )
    assert facts["matches"] == 2
    assert facts["a"]["evaluations_per_move"] > 0


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


def leaves(settings: BaseModel, path: str = "") -> Iterator[tuple[str, Any, str]]:
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            yield from leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value, field.description or ""


def test_the_page_lists_every_setting_with_its_default() -> None:
    page = (ROOT / "docs" / "training.md").read_text()
    rows = re.findall(r"^\| `([\w.]+)` \| (?:`(.*?)`)? ?\| (.+) \|$", page, re.MULTILINE)
    listed = {name: (default, meaning) for name, default, meaning in rows if "." in name}
    for name, value, meaning in leaves(Config(game="hex")):
        if "." not in name:
            continue
        default, written = listed.pop(name)
        assert written == meaning
        assert tomllib.loads(f"value = {default}")["value"] == (
            list(value) if isinstance(value, tuple) else value
        ), name
    assert not listed


# athenan train --from


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


def test_the_preset_follows_the_device_wherever_it_is_given(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("athenan.devices.cuda_devices", lambda: ["cuda:0"])
    for flags in (["--device", "cpu"], ["--set", "hardware.device=cpu"]):
        assert "filters = 32 " in output_of(capsys, "train", *HEX, "--dry-run", *flags)
    text = output_of(capsys, "train", *HEX, "--dry-run", "--preset", "large", "--device", "cpu")
    assert "filters = 96 " in text


# The end of the time.


def test_a_run_ends_with_its_time() -> None:
    """Although its first match would take minutes; what is not finished is played anew."""
    slow = {"game": "othello", "selfplay": {"search": "descent:seconds=20", "matches": 1}}
    process = athenan(
        "train", *small_flags(slow, {"stop": {"matches": 0, "minutes": 0.03}}), "--run", "run"
    )
    assert process.stdout is not None
    process.stdout.readline()
    begun = time.monotonic()
    told, complaints = process.communicate(timeout=60)
    assert time.monotonic() - begun < 20  # one move alone would take as long
    assert (process.returncode, complaints) == (0, "")
    assert "0 matches learned" in told
    _, _, values = latest_readable(Run("run").checkpoints)
    assert 1.8 <= values["counters"]["seconds"] < 4
    assert values["counters"]["unfinished"] == [0]


# athenan export-run, import-run, export-model


def test_a_run_travels(capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, {"stop": {"matches": 3}})
    assert "light: run at match 3, " in output_of(capsys, "export-run", "run", "light")
    text = output_of(capsys, "import-run", "light", "other")
    assert "other is at match 3; its replay memory starts empty" in text
    assert "5 matches learned" in output_of(capsys, "resume", "other", "--matches", "5")
    output_of(capsys, "export-model", "run", "half.safetensors", "--half")
    whole, half = Path("run/model.safetensors").stat(), Path("half.safetensors").stat()
    assert half.st_size < 0.7 * whole.st_size
    assert load_model("half.safetensors").game == "tic_tac_toe"
    assert "nothing is not a run" in complaint_of(capsys, "export-run", "nothing", "x")
    assert "no model 'nothing'" in complaint_of(capsys, "export-model", "nothing", "x")
    output_of(capsys, "export-model", "hex-5", "named.safetensors", "--half")
    assert load_model("named.safetensors").game == "hex:size=5,swap=true"
    assert "there is no file nothing" in complaint_of(capsys, "import-run", "nothing", "x")
    assert "is a run already" in complaint_of(capsys, "import-run", "light", "run")
    assert "nowhere" in complaint_of(capsys, "export-run", "run", "nowhere/light")


# athenan resume


def test_resuming_what_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    for name in ("folder", "nothing"):
        assert f"{name} is not a run" in complaint_of(capsys, "resume", name)
    Path("folder/config.toml").write_text('game = "hex:size=3"\nsize = 3\n')
    assert "there is no setting size" in complaint_of(capsys, "resume", "folder")
    assert [path.name for path in tmp_path.rglob("*")] == ["folder", "config.toml"]


def test_resuming_a_finished_run_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, {"stop": {"matches": 3}})
    before = {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()}
    text = output_of(capsys, "resume", "run")
    assert "run has reached its limit of 3 matches; train it further with: " in text
    assert "athenan resume run --matches NUMBER" in text
    assert "3 matches learned" in text
    assert {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()} == before
    text = output_of(capsys, "resume", "run", "--matches", "5")
    assert "resuming run at match 3" in text
    assert "at its end" not in text
    assert "5 matches learned" in text
    assert Run("run").config().stop.matches == 5
    assert "stop.matches is -1" in complaint_of(capsys, "resume", "run", "--matches", "-1")
    assert Run("run").config().stop.matches == 5


def test_a_run_of_a_gpu_goes_on_on_a_cpu(capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, {"stop": {"matches": 3}})
    settings = Path("run/config.toml")
    settings.write_text(settings.read_text().replace('device = "cpu"', 'device = "cuda"'))
    if not torch.cuda.is_available():
        sentence = complaint_of(capsys, "resume", "run", "--matches", "5")
        assert "needs a CUDA device, and torch finds none" in sentence
    text = output_of(capsys, "resume", "run", "--device", "cpu", "--matches", "5")
    assert "5 matches learned" in text
    assert Run("run").config().hardware.device == "cpu"


def test_resuming_with_other_settings(capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, {"stop": {"matches": 3}})
    changes = ["--set", "learning.adam.learning_rate=0.25", "--set", "stop.matches=4"]
    assert "4 matches learned" in output_of(capsys, "resume", "run", *changes)
    config = Run("run").config()
    assert config.learning.adam.learning_rate == 0.25
    assert config.stop.matches == 4


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("network.filters=5", "a run cannot change its network"),
        ("game=hex:size=4", "a run cannot change its game"),
        ("seed=7", "a run cannot change its seed"),
        ("weights=1e4", "a run cannot change its network"),
        ("learning.batch=7", "there is no setting learning.batch"),
        ("learning.replay.kind=stratified", "does not fit the settings"),
        ("hardware.device=tpu", "hardware.device is 'tpu': accepted are auto, cpu"),
    ],
)
def test_what_a_resumed_run_may_not_change(
    change: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trained(capsys, {"stop": {"matches": 3}, "learning": {"replay": {"kind": "experience"}}})
    before = {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()}
    arguments = ("resume", "run", "--matches", "5", "--set", change)
    assert complaint in complaint_of(capsys, *arguments)
    assert {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()} == before


def test_a_new_end_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    run = tmp_path / "run"
    settings = ("--set", "selfplay.search=descent:expansions=5", "--set", "selfplay.matches=4")
    assert main(["train", "tic_tac_toe", "--matches", "4", "--run", str(run), *settings]) == 0
    assert main(["resume", str(run), "--hours", "0.00001"]) == 0  # the limit of matches is gone
    stop = tomllib.loads((run / "config.toml").read_text())["stop"]
    assert (stop["minutes"], stop["matches"]) == (pytest.approx(0.0006), 0)
    assert main(["resume", str(run), "--matches", "12"]) == 0  # and so is that of time
    stop = tomllib.loads((run / "config.toml").read_text())["stop"]
    assert (stop["minutes"], stop["matches"]) == (0, 12)


def test_hours_and_minutes_exclude_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.toml").write_text('game = "tic_tac_toe"')
    arguments = ("resume", str(tmp_path), "--hours", "1", "--minutes", "1")
    assert "give --minutes or --hours, not both" in complaint_of(capsys, *arguments)
