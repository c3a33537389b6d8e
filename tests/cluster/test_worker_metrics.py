"""How workers fare, in the lines of metrics, in TensorBoard and in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from athenan.runs.metrics import MAX_WORKERS, TensorBoard
from athenan.terminal.training_display import training_sentence, worker_rows
from worker_lines import line_of


def test_a_line_says_how_each_worker_fares() -> None:
    line = line_of()
    assert (line["workers_alive"], line["workers_lost"], line["staleness"]) == (1, 1, 4)
    assert line["waiting"] == 5
    workers = line["workers"]
    assert isinstance(workers, list)
    assert [each["states_per_second"] for each in workers] == [300.0, 600.0]
    assert line["dashboard"] == "http://127.0.0.1:8265"


def test_a_thousand_workers_are_summed_up() -> None:
    line = line_of(1000)
    assert line["workers_alive"] == 999
    assert isinstance(line["workers"], list)
    assert len(line["workers"]) == MAX_WORKERS


def test_the_terminal_shows_them() -> None:
    assert "1 worker" in training_sentence(line_of())
    rows = dict(worker_rows(line_of()))
    assert rows["workers"] == "1, 1 lost; at most 4 matches behind; 5 matches waiting to be learned"
    assert rows["worker 1"] == "300 states/s, 4 matches, 3 behind, 2 orders"
    assert rows["worker 2"] == "away"
    assert rows["dashboard"].startswith("http")
    assert worker_rows({"kind": "training"}) == []


def test_tensorboard_has_a_curve_for_each(tmp_path: Path) -> None:
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    board = TensorBoard(tmp_path)
    board.append(line_of())
    board.close()
    seen = events.EventAccumulator(str(tmp_path))
    seen.Reload()
    tags = set(seen.Tags()["scalars"])
    assert {"worker 1/states_per_second", "worker 2/staleness", "training/waiting"} <= tags
