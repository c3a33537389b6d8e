"""`athenan resume`, `export-run` and `import-run`: how a training ends, travels and goes on."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import pytest
import torch
from athenan import load_model
from athenan.commands import main
from athenan.runs import Run
from athenan.runs.checkpoint import latest_readable
from commands.complaints import complaint_of
from commands.small_trainings import output_of, trained
from processes import athenan
from small_runs import small_flags

pytestmark = pytest.mark.usefixtures("empty_folder")


def test_a_run_ends_with_its_time() -> None:
    """Although its first match would take minutes; what is not finished is played anew."""
    slow = {"game": "othello", "selfplay": {"search": "descent:seconds=100", "matches": 1}}
    process = athenan(
        "train", *small_flags(slow, {"stop": {"matches": 0, "minutes": 0.03}}), "--run", "run"
    )
    assert process.stdout is not None
    process.stdout.readline()
    begun = time.monotonic()
    told, complaints = process.communicate(timeout=90)
    assert time.monotonic() - begun < 80  # one move alone would take longer
    assert (process.returncode, complaints) == (0, "")
    assert "0 matches learned" in told
    _, _, values = latest_readable(Run("run").checkpoints)
    assert 1.8 <= values["counters"]["seconds"] < 4
    assert values["counters"]["unfinished"] == [0]


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
