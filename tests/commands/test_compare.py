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


def test_runs_that_won_everything_may_lose_as_often_as_their_matches_say(
    tmp_path: Path, output_of: Callable[..., str]
) -> None:
    """The way up is closed, and takes nothing from the way down."""
    runs = [make_run(tmp_path / f"a{n}", n, [1.0]) for n in range(4)]
    for run in runs:
        file = Path(run) / "metrics.jsonl"
        file.write_text(file.read_text().replace('"high": 1.05', '"high": 1.0'))
    (group,) = json.loads(output_of("compare", *runs, "--json"))
    assert (group["low"], group["high"]) == (pytest.approx(1 - 0.05 / 2, abs=1e-4), 1)


def test_one_run_in_a_game_for_one_has_no_interval(
    tmp_path: Path, output_of: Callable[..., str]
) -> None:
    runs = [make_run(tmp_path / f"a{n}", n, [0.5]) for n in range(2)]
    for run, score in zip(runs, (60.0, 64.0), strict=True):
        line = {"kind": "evaluation", "matches": 1, "seconds": 1, "played": 4, "mean_score": score}
        (Path(run) / "metrics.jsonl").write_text(json.dumps(line) + "\n")
    assert output_of("compare", runs[0]).startswith("1. 60.00 mean score, ")
    (group,) = json.loads(output_of("compare", runs[0], "--json"))
    assert (group["result"], group["low"], group["high"]) == (60, None, None)
    (group,) = json.loads(output_of("compare", *runs, "--json"))
    assert group["high"] - 62 == pytest.approx(12.706 * 2, abs=0.01)


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
