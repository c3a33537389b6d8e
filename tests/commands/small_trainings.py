"""Small trainings by the command, in the directory "run"."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from athenan import load_model
from athenan.commands import main
from athenan.runs.metrics import read_metrics
from small_runs import small_flags

HEX = ["hex:size=3"]


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = main(arguments)
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    return captured.out


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
