"""Snapshots at fractions of a training, and limits other than time and matches."""

from __future__ import annotations

from pathlib import Path

import pytest
from athenan import ParameterError
from athenan.learning.events import MatchLearned
from athenan.networks import load_model
from athenan.runs import Run
from athenan.runs.session import Session
from athenan.runs.snapshots import snapshots_in
from small_runs import DETERMINISTIC, Watcher, go_on, learned, small_config, train

SNAPSHOTS = {"checkpoints": {"snapshots": [0.5, 1.0, 0.25]}}


def test_models_are_kept_at_their_fractions(tmp_path: Path) -> None:
    train(tmp_path / "run", small_config(DETERMINISTIC, SNAPSHOTS))
    kept = snapshots_in(Run(tmp_path / "run").snapshots)
    assert list(kept) == [0.25, 0.5, 1.0]
    matches = [int(load_model(file).info["matches"]) for file in kept.values()]
    assert matches == sorted(matches)
    assert matches[-1] == 12
    assert matches[0] < 12


def test_snapshots_of_work_that_is_done_again_are_taken_again(tmp_path: Path) -> None:
    config = small_config(DETERMINISTIC, SNAPSHOTS)
    train(tmp_path / "once", config)
    train(tmp_path / "run", config, Watcher(learned(7)))  # back to the checkpoint of match 4
    snapshots = Run(tmp_path / "run").snapshots
    early = set(snapshots_in(snapshots))
    go_on(tmp_path / "run")
    assert early < {0.25, 0.5, 1.0}
    for part, file in snapshots_in(Run(tmp_path / "once").snapshots).items():
        assert file.read_bytes() == snapshots_in(snapshots)[part].read_bytes()


def test_snapshots_need_an_end() -> None:
    with pytest.raises(ParameterError, match=r"checkpoints\.snapshots is \(.*no effect"):
        small_config(SNAPSHOTS, {"stop": {"matches": 0}})


@pytest.mark.parametrize("limit", ["expansions", "evaluations"])
@pytest.mark.parametrize("deterministic", [False, True])
def test_a_training_ends_when_its_work_is_spent(
    limit: str, deterministic: bool, tmp_path: Path
) -> None:
    wanted = 1500
    config = small_config(
        DETERMINISTIC if deterministic else {}, {"stop": {"matches": 0, limit: wanted}}
    )
    session = Session(Run(tmp_path / "run"), config, [watcher := Watcher()])
    session.begin()
    session.train()
    session.close()
    assert session.finished
    per_match = [
        getattr(event, limit) for event in watcher.events if isinstance(event, MatchLearned)
    ]
    spent = getattr(session.training.counters, limit)
    assert spent == sum(per_match) >= wanted
    in_progress = 4 if deterministic else 1  # at rest none is left unfinished
    assert spent - sum(per_match[-in_progress:]) < wanted
    assert watcher.events[-1].at.progress == 1
