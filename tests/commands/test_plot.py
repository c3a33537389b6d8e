"""`athenan plot`: the curves of runs as a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from athenan.runs.metrics import as_text, read_metrics
from commands.complaints import complaint_of
from small_runs import EVALUATION, small_config, train


@pytest.fixture(autouse=True)
def run_with_curves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    train(Path("run"), small_config({"evaluation": EVALUATION}))


def is_png(path: Path) -> bool:
    return path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and path.stat().st_size > 10_000


def test_plot_draws_a_picture(output_of: Callable[..., str]) -> None:
    assert output_of("plot", "run").strip() == "run/curves.png"
    assert is_png(Path("run/curves.png"))
    output_of("plot", "run", "run", "--against", "matches", "-o", "both.png")
    assert is_png(Path("both.png"))


def test_plot_draws_the_scores_of_games_for_one(output_of: Callable[..., str]) -> None:
    metrics = Path("run/metrics.jsonl")
    played = [line for line in read_metrics(metrics) if line["kind"] == "training"]
    at = {"kind": "evaluation", "seconds": 1.0, "matches": 1, "played": 4}
    scored = at | {"mean_score": 60.5, "best_score": 70}
    won = at | {"win_rate": 0.5, "low": 0.4, "high": 0.6}
    pictures = []
    for evaluated in ([scored], [scored, won]):  # the latter as of two runs
        metrics.write_text(as_text([*played, *evaluated]), encoding="utf-8")
        output_of("plot", "run")
        pictures.append(Path("run/curves.png").read_bytes())
    assert pictures[0] != pictures[1]


def test_plot_refuses_nonsense(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing is not a run" in complaint_of(capsys, "plot", "run", "nothing")
    assert "seconds or matches" in complaint_of(capsys, "plot", "run", "--against", "days")
    assert "x.picture" in complaint_of(capsys, "plot", "run", "-o", "x.picture")
    assert "nowhere" in complaint_of(capsys, "plot", "run", "-o", "nowhere/x.png")
    Path("run/metrics.jsonl").write_text("nonsense\n[1, 2]\n3\n")
    assert "the run run has no metrics yet" in complaint_of(capsys, "plot", "run")
    Path("run/metrics.jsonl").write_text('{"kind": "training", "matches": 3}\n')
    assert "run/metrics.jsonl" in complaint_of(capsys, "plot", "run")


def test_a_picture_names_the_run_and_its_opponent(output_of: Callable[..., str]) -> None:
    output_of("plot", "run", "-o", "one.svg")  # texts are comments there
    one = Path("one.svg").read_text()
    assert "<!-- run -->" in one
    assert "<!-- win rate against random -->" in one
    other = {"evaluation": {**EVALUATION, "opponent": "mcts:iterations=5"}}
    train(Path("other"), small_config(other))
    output_of("plot", "run", "other", "-o", "both.svg")
    both = Path("both.svg").read_text()
    assert "random (run)" in both
    assert "mcts:iterations=5 (other)" in both
