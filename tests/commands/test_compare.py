"""`athenan compare` and `export-model --onnx`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import athenan
import numpy as np
import pytest
from athenan.commands import main
from commands.complaints import complaint_of
from small_models import write_model


def make_run(folder: Path, seed: int, rates: list[float], rate: float = 0.001) -> str:
    folder.mkdir()
    (folder / "config.toml").write_text(
        f'game = "hex:size=3"\nseed = {seed}\n[learning.adam]\nlearning_rate = {rate}\n'
    )
    lines = [
        {
            "kind": "evaluation",
            "matches": 10 * number,
            "seconds": number,
            "opponent": "random",
            "played": 40,
            "wins": round(40 * share),
            "draws": 0,
            "losses": 40 - round(40 * share),
            "win_rate": share,
            "low": share - 0.05,
            "high": share + 0.05,
        }
        for number, share in enumerate(rates)
    ]
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(folder)


def test_seeds_are_taken_together_and_the_best_comes_first(
    tmp_path: Path, output_of: Callable[..., str]
) -> None:
    runs = [
        make_run(tmp_path / "a1", 1, [0.1, 0.5]),
        make_run(tmp_path / "a2", 2, [0.1, 0.7]),
        make_run(tmp_path / "b", 1, [0.5, 0.9], rate=0.01),
    ]
    best, other = json.loads(output_of("compare", *runs, "--json"))
    assert best["runs"] == [runs[2]]
    assert best["result"] == 0.9
    assert best["low"] < 0.9 < best["high"] < 1
    assert other["runs"] == runs[:2]
    assert other["result"] == pytest.approx(0.6)
    assert (other["low"], other["high"]) == (0, 1), "two seeds say little: 0.6 ± 12.7 · 0.1"
    smooth = json.loads(output_of("compare", *runs, "--json", "--last", "2"))
    assert [group["result"] for group in smooth] == [0.7, pytest.approx(0.35)]
    assert output_of("compare", *runs).startswith("1. 90.0% (95 % ")


def test_the_interval_is_students_and_at_least_that_of_the_matches(
    tmp_path: Path, output_of: Callable[..., str]
) -> None:
    shares = [0.5, 0.6, 0.4, 0.5, 0.5]
    runs = [make_run(tmp_path / f"a{n}", n, [share]) for n, share in enumerate(shares)]
    (group,) = json.loads(output_of("compare", *runs, "--json"))
    spread = np.std(shares, ddof=1) / np.sqrt(5)
    assert group["high"] - 0.5 == pytest.approx(2.776 * spread, abs=1e-4)
    alike = [make_run(tmp_path / f"b{n}", n, [0.5]) for n in range(4)]
    (group,) = json.loads(output_of("compare", *alike, "--json"))
    assert group["high"] - 0.5 == pytest.approx(0.05 / 2, abs=1e-4)  # four runs of ± 0.05


def test_a_run_without_evaluations_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run(tmp_path / "run", 1, [])
    assert "has no evaluation" in complaint_of(capsys, "compare", run)


def test_a_network_as_onnx_gives_the_same_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    model, file = tmp_path / "model.safetensors", tmp_path / "model.onnx"
    write_model(model, "hex:size=3", "ubfm-safe")
    assert main(["export-model", str(model), str(file), "--onnx"]) == 0
    capsys.readouterr()
    state = athenan.make_game("hex:size=3").initial_state()
    planes = state.game.encode(state.children())
    session = onnxruntime.InferenceSession(str(file))
    assert session.get_modelmeta().custom_metadata_map["game"] == "hex:size=3,swap=true"
    (values,) = session.run(["values"], {"planes": planes})
    with athenan.network_evaluator(athenan.load(model).network, device="cpu") as evaluator:
        assert np.allclose(values, evaluator(planes), atol=1e-5)
    both = ("export-model", str(model), str(file), "--onnx", "--half")
    assert "give --half or --onnx, not both" in complaint_of(capsys, *both)
