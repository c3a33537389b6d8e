"""Files with absurd numbers are refused in moments, in one sentence, before they take memory."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import athenan
import numpy as np
import pytest
from athenan import Error, load_model
from athenan.files import read_sealed, write_sealed
from athenan.learning import complete_config, preset
from athenan.learning.settings import parse_assignments, read_toml
from athenan.networks import Architecture, Model, input_shape, save_model
from athenan.networks.network import new_network
from athenan.runs import Run
from athenan.runs.checkpoint import latest_readable, read_checkpoint, write_checkpoint
from athenan.runs.export import KIND, VERSION, export_run, import_run
from athenan.runs.metrics import read_metrics
from small_runs import go_on, small_config, train

MOMENTS = 1.0
"""Seconds of the processor that a refusal may take: it is some milliseconds."""
DEEP = 100_000
GIGABYTE = 1 << 30


def refusal(wanted: Callable[..., object], *arguments: Any) -> str:
    """What is said of something absurd, at once: one sentence."""
    started = time.process_time()
    with pytest.raises(Error) as refused:
        wanted(*arguments)
    assert time.process_time() - started < MOMENTS
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert len(sentence) < 500
    return sentence


# Settings.


@pytest.mark.parametrize(
    "changes",
    [
        {"network": {"dense": [100] * 20_000}},
        {"network": {"filters": 10**9}},
        {"network": {"filters": 10**400}},
        {"network": {"blocks": 10**6}},
        {"weights": 1e300},
        {"selfplay": {"matches": 10**9}},
        {"selfplay": {"search": "descent:expansions=" + "9" * 5000}},
        {"game": "hex:size=" + "9" * 5000},
        {"game": "x" * 900_000},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_absurd_settings_are_refused(changes: dict[str, Any]) -> None:
    refusal(complete_config, {"game": "tic_tac_toe", **changes})


def test_absurd_settings_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    for text in ("x = " + "[" * 40_000, "x = " + "{a=" * 10_000, "[" + "a." * DEEP + "b]\nx = 1\n"):
        file.write_text(text)
        assert "x.toml" in refusal(read_toml, file)
    file.write_text("x = " + "9" * 40_000)
    assert "its values are nested too deeply or too large" in refusal(read_toml, file)
    with file.open("wb") as sparse:
        sparse.truncate(GIGABYTE)
    assert "is not a settings file: it has over 50,000 characters" in refusal(read_toml, file)
    assert parse_assignments(["x=" + "[" * DEEP]) == {"x": "[" * DEEP}


def test_a_preset_that_is_its_own_base_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text('base = "a.toml"\n')
    assert "'a.toml' is its own base" in refusal(preset, "a.toml")
    Path("a.toml").write_text('base = "./b.toml"\n')
    Path("b.toml").write_text('base = "small"\nseed = 1\n')
    assert preset("a.toml")["seed"] == 1
    Path("b.toml").write_text('base = "a.toml"\n')
    assert "'a.toml' is its own base" in refusal(preset, "a.toml")


# Models.


@pytest.fixture
def model(tmp_path: Path) -> Path:
    game = athenan.make_game("tic_tac_toe")
    network = new_network(Architecture(filters=2, blocks=0, dense=(2,)), input_shape(game), 0, 1)
    save_model(tmp_path / "model", Model(network, game.id, "ubfm"))
    return tmp_path / "model"


def rewritten(file: Path, change: Callable[[dict[str, Any]], object], length: int = 0) -> None:
    """Change the metadata of a model file, and make it so long: nothing is read before that."""
    data = file.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    fields = json.loads(header["__metadata__"]["athenan"])
    change(fields)
    header["__metadata__"]["athenan"] = json.dumps(fields, separators=(",", ":"))
    start = json.dumps(header).encode()
    with file.open("wb") as changed:
        changed.write(len(start).to_bytes(8, "little") + start + data[8 + size :])
        changed.truncate(length or None)


def test_absurd_models_are_refused(model: Path) -> None:
    good = model.read_bytes()
    rewritten(model, lambda _: None, length=20 * GIGABYTE)
    assert "21,474,836,480 bytes are too many for" in refusal(load_model, model)
    wide = {"filters": 16384, "blocks": 64, "dense": [16384] * 64}
    model.write_bytes(good)
    rewritten(model, lambda f: f["architecture"].update(wide), length=20 * GIGABYTE)
    assert "bytes are too many for" in refusal(load_model, model)
    model.write_bytes(good)
    rewritten(model, lambda f: f["architecture"].update(dense=[2] * 20_000))
    assert "no valid architecture.dense" in refusal(load_model, model)
    model.write_bytes(good)
    rewritten(model, lambda f: f["architecture"].update(filters=10**9))
    assert "no valid architecture.filters" in refusal(load_model, model)


# Sealed files.


def sparse_checkpoint(file: Path, shape: list[int], size: int) -> None:
    """A checkpoint of one array of bytes, all of them zero, that takes no room on the disk."""
    header = {
        "__metadata__": {"athenan-checkpoint": "{}"},
        "a": {"dtype": "U8", "shape": shape, "data_offsets": [0, size]},
    }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with file.open("wb") as sparse:
        sparse.write(len(text).to_bytes(8, "little") + text)
        sparse.truncate(8 + len(text) + size)


def test_absurd_checkpoints_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "000000001.safetensors"
    size = 4096 * GIGABYTE
    sparse_checkpoint(file, [size], size)
    assert "GB of memory are free" in refusal(read_checkpoint, file)
    for shape in ([2**40, 2**40], [2**62, 4], [0, 2**62]):
        sparse_checkpoint(file, shape, 100)
        assert "cannot be read" in refusal(read_checkpoint, file)
    with file.open("wb") as sparse:
        sparse.truncate(20 * GIGABYTE)
    assert "cannot be read" in refusal(read_checkpoint, file)


def test_headers_nested_without_end_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "000000001.safetensors"
    text = json.dumps({"__metadata__": {"athenan-checkpoint": "[" * DEEP}}).encode()
    file.write_bytes(len(text).to_bytes(8, "little") + text)
    assert "its header cannot be read" in refusal(read_sealed, file, "checkpoint", 1)


# Runs.


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("absurd") / "run"
    train(folder, small_config({"stop": {"matches": 4}}))
    return Run(folder)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("replay.sizes", np.array([2**50, 1], np.int64)),
        ("replay.next", np.array([2**50] * 4, np.int64)),
        ("replay.orders", np.array([2**30], np.int32)),
        ("replay.states", np.zeros((3, 10**6), np.uint8)),
        ("network.output.bias", np.zeros((7, 7), np.float32)),
        ("nothing", np.zeros(3, np.float32)),
    ],
)
def test_a_sealed_checkpoint_with_absurd_arrays_is_refused(
    run: Run, name: str, value: np.ndarray[Any, Any]
) -> None:
    path, arrays, values = latest_readable(run.checkpoints)
    whole = path.read_bytes()
    write_checkpoint(run.checkpoints, 4, arrays | {name: value}, values)
    try:
        with pytest.raises(Error, match="does not fit the settings") as refused:
            go_on(run.path)
        assert "\n" not in str(refused.value)
    finally:
        path.write_bytes(whole)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("counters", "matches", "four"),
        ("counters", "seconds", float("nan")),
        ("counters", "unfinished", [-1]),
        ("counters", "nothing", 1),
        ("random", "uinteger", 2**70),
    ],
)
def test_a_sealed_checkpoint_with_absurd_values_is_refused(
    run: Run, part: str, name: str, value: Any
) -> None:
    path, arrays, values = latest_readable(run.checkpoints)
    whole = path.read_bytes()
    write_checkpoint(run.checkpoints, 4, arrays, values | {part: values[part] | {name: value}})
    try:
        with pytest.raises(Error, match="does not fit the settings"):
            go_on(run.path)
    finally:
        path.write_bytes(whole)


@pytest.mark.parametrize("config", [7, None, [], {}])
def test_an_exported_run_without_settings_is_refused(run: Run, tmp_path: Path, config: Any) -> None:
    export_run(run, tmp_path / "light")
    arrays, values = read_sealed(tmp_path / "light", KIND, VERSION)
    write_sealed(tmp_path / "light", KIND, VERSION, arrays, values | {"config": config})
    assert "light" in refusal(import_run, tmp_path / "light", Run(tmp_path / "other"))
    assert not (tmp_path / "other").exists()


def test_metrics_that_unpack_without_end_are_refused(run: Run, tmp_path: Path) -> None:
    export_run(run, tmp_path / "light")
    arrays, values = read_sealed(tmp_path / "light", KIND, VERSION)
    arrays["metrics"] = np.frombuffer(zlib.compress(bytes(1 << 28), 9), np.uint8)
    write_sealed(tmp_path / "light", KIND, VERSION, arrays, values)
    assert "do not fit" in refusal(import_run, tmp_path / "light", Run(tmp_path / "other"))
    assert not (tmp_path / "other").exists()


def test_garbage_in_metrics_is_passed_over(tmp_path: Path) -> None:
    good = '{"kind": "training", "matches": 3, "seconds": 1.5}\n'
    garbage = [
        *("[" * DEEP, "\x00" * 500_000, "nonsense", "3", '{"kind": "training"}'),
        *('{"kind": "training", "matches": "3"}', '{"kind": ["x"], "matches": 3}'),
        *('{"kind": "evaluation", "matches": 3, "seconds": "now"}', "9" * 10_000),
    ]
    file = tmp_path / "metrics.jsonl"
    file.write_text(good + "\n".join(garbage) + "\n" + good)
    assert [line["matches"] for line in read_metrics(file)] == [3, 3]
