"""`athenan train`: settings that it takes, prints, lists in the docs, or refuses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from athenan.learning import Config
from commands.complaints import complaint_of
from commands.small_trainings import HEX, output_of
from pydantic import BaseModel
from small_runs import small_config, train

pytestmark = pytest.mark.usefixtures("empty_folder")


ROOT = Path(__file__).parents[2]


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


def test_the_preset_follows_the_device_wherever_it_is_given(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("athenan.devices.cuda_devices", lambda: ["cuda:0"])
    for flags in (["--device", "cpu"], ["--set", "hardware.device=cpu"]):
        assert "filters = 32 " in output_of(capsys, "train", *HEX, "--dry-run", *flags)
    text = output_of(capsys, "train", *HEX, "--dry-run", "--preset", "large", "--device", "cpu")
    assert "filters = 96 " in text
