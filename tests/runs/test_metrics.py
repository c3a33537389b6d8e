"""Metrics files: lines of athenan, and whatever else may have come into them."""

import json
import sys
from pathlib import Path

import pytest
from athenan.runs.metrics import MetricsFile, TensorBoard, read_metrics

GOOD = {"kind": "training", "matches": 3, "seconds": 1.5, "loss": 0.25}


@pytest.mark.parametrize(
    "foreign",
    [
        "",
        "{",
        "7",
        "[" * 100_000,
        json.dumps(GOOD | {"matches": "3"}),
        json.dumps(GOOD | {"seconds": None}),
        json.dumps({"kind": "training"}),
    ],
    ids=["empty", "cut", "a number", "nested", "a text", "no time", "no numbers"],
)
def test_a_foreign_line_is_left_out(foreign: str, tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{foreign}\n{json.dumps(GOOD)}\n")
    assert list(read_metrics(path)) == [GOOD, GOOD]
    assert MetricsFile(path).forget_after(3) == [GOOD, GOOD]
    assert MetricsFile(path).forget_after(2) == []


def test_a_tensorboard_that_cannot_be_imported_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    board = TensorBoard(tmp_path)
    board.append(GOOD)
    board.close()
