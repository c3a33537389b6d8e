"""A run goes on as if it had never stopped: after Ctrl-C, after kill -9, after a full disk."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from athenan import Error
from athenan.commands import main
from athenan.learning.events import Event, MatchLearned, Pretrained
from athenan.runs import Run, session
from athenan.runs.checkpoint import checkpoints_in, latest_readable, read_checkpoint
from athenan.runs.metrics import read_metrics
from athenan.runs.session import Session
from athenan.signals import on_interrupt
from processes import ENVIRONMENT, athenan
from small_runs import (
    DETERMINISTIC,
    Watcher,
    assert_same_end,
    at_rest,
    go_on,
    learned,
    saved_matches,
    small_config,
    small_flags,
    train,
)

SLOW = pytest.mark.slow
VARIANTS: dict[str, dict[str, Any]] = {
    "one match at a time": {"selfplay": {"matches": 1}},
    "many matches at a time": {},
    "more at a time than between checkpoints": {"selfplay": {"matches": 9}},
    "one thread": {"hardware": {"threads": 1}},
    "memory of resolved states": {"selfplay": {"resolved_memory": True}},
    "forgetting": {"selfplay": {"resolved_memory": True, "forget_matches": 3}},
    "experience replay of pairs": {
        "learning": {"replay": {"kind": "experience", "unit": "pairs", "size": 300}}
    },
    "experience replay of matches": {
        "learning": {"replay": {"kind": "experience", "sampling": 0.3}}
    },
    "no symmetry": {"learning": {"symmetry": False}},
    "annealed selection": {"selfplay": {"selection": "epsilon-greedy:schedule=annealed"}},
    "falling learning rate": {"learning": {"adam": {"final_share": 0.1}}},
    "pre-training": {"learning": {"pretraining": 100}},
    "averaged weights": {"learning": {"averaging": 300}, "selfplay": {"averaged": True}},
    "random first moves": {"selfplay": {"random_moves": 3}},
    "another game": {"game": "hex:size=3", "selfplay": {"search": "ubfm:expansions=5"}},
}


@pytest.mark.parametrize("change", VARIANTS.values(), ids=VARIANTS)
def test_a_resumed_run_ends_with_the_bits_of_an_uninterrupted_one(
    change: dict[str, Any], tmp_path: Path
) -> None:
    config = small_config(DETERMINISTIC, change)
    train(tmp_path / "once", config)
    stopped = train(tmp_path / "resumed", config, Watcher(at_rest(4)))
    assert saved_matches(tmp_path / "resumed") == stopped.events[-1].at.matches == 4
    go_on(tmp_path / "resumed")
    assert_same_end(tmp_path / "once", tmp_path / "resumed")


@pytest.mark.parametrize("slots", [1, 4])
def test_the_same_seed_gives_the_same_bits(slots: int, tmp_path: Path) -> None:
    config = small_config(DETERMINISTIC, {"selfplay": {"matches": slots}})
    train(tmp_path / "once", config)
    train(tmp_path / "again", config)
    assert_same_end(tmp_path / "once", tmp_path / "again")


def test_a_deterministic_run_stopped_between_checkpoints_goes_back_to_the_last(
    tmp_path: Path,
) -> None:
    config = small_config(DETERMINISTIC)
    train(tmp_path / "once", config)
    train(tmp_path / "resumed", config, Watcher(learned(6)))
    assert saved_matches(tmp_path / "resumed") == 4
    go_on(tmp_path / "resumed", Watcher(learned(9)))
    assert saved_matches(tmp_path / "resumed") == 8
    go_on(tmp_path / "resumed")
    assert_same_end(tmp_path / "once", tmp_path / "resumed")


def test_another_seed_gives_other_bits(tmp_path: Path) -> None:
    train(tmp_path / "one", small_config(DETERMINISTIC, {"seed": 1}))
    train(tmp_path / "other", small_config(DETERMINISTIC, {"seed": 2}))
    with pytest.raises(AssertionError):
        assert_same_end(tmp_path / "one", tmp_path / "other")


@pytest.mark.parametrize("slots", [1, 4, 9])
def test_matches_in_progress_are_begun_anew_and_none_is_lost(slots: int, tmp_path: Path) -> None:
    config = small_config(
        {
            "selfplay": {"matches": slots},
            "checkpoints": {"every_matches": 0},
            "stop": {"matches": 60},
        }
    )
    stopped = train(tmp_path / "run", config, Watcher(learned(5)))
    counters = read_checkpoint(checkpoints_in(tmp_path / "run" / "checkpoints")[-1])[1]["counters"]
    assert 5 <= counters["matches"] < 60
    assert counters["matches"] == sum(isinstance(event, MatchLearned) for event in stopped.events)
    assert counters["started"] == counters["matches"] + len(counters["unfinished"])
    resumed = go_on(tmp_path / "run")
    counters = read_checkpoint(checkpoints_in(tmp_path / "run" / "checkpoints")[-1])[1]["counters"]
    assert (counters["matches"], counters["started"], counters["unfinished"]) == (60, 60, [])
    numbers = [e.at.matches for e in stopped.events + resumed.events if isinstance(e, MatchLearned)]
    assert numbers == list(range(1, 61))


def test_pretraining_is_saved_and_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("athenan.learning.training.PRETRAINING_CHUNK", 50)
    config = small_config(DETERMINISTIC, {"learning": {"pretraining": 200}})
    train(tmp_path / "once", config)
    stopped = train(
        tmp_path / "resumed",
        config,
        Watcher(lambda e: isinstance(e, Pretrained) and e.learned == 100),
    )
    pretrained = [e.learned for e in stopped.events if isinstance(e, Pretrained)]
    assert pretrained == [50, 100]
    assert not any(isinstance(e, MatchLearned) for e in stopped.events)
    resumed = go_on(tmp_path / "resumed")
    assert [e.learned for e in resumed.events if isinstance(e, Pretrained)] == [150, 200]
    assert_same_end(tmp_path / "once", tmp_path / "resumed")


# kill -9.


WATCHED: dict[str, Any] = {
    "checkpoints": {"every_matches": 5},
    "evaluation": {
        "opponent": "random",
        "search": "ubfm-safe:expansions=2",
        "matches": 2,
        "every_matches": 10,
    },
}


def killed_and_resumed(path: Path, kills: int, matches: int) -> int:
    """Kill a run so often at random moments, resume it each time; return how often it hit.

    Checkpoints, evaluation, metrics and TensorBoard are under way meanwhile. Most moments come a
    little after so many lines of metrics, however fast the machine is; at some it is starting.
    """
    moments = random.Random(3)
    flags = small_flags(DETERMINISTIC, WATCHED, {"stop": {"matches": matches}})
    arguments = ["train", *flags, "--run", str(path)]
    saved = hits = 0
    for _ in range(kills):
        process = athenan(*arguments)
        if moments.random() < 0.9:
            _wait_for_lines(path / "metrics.jsonl", moments.randint(1, 3), process)
        time.sleep(moments.uniform(0, 0.1))
        process.kill()
        _, complaints = process.communicate()
        assert "Traceback" not in complaints
        assert process.returncode in (-signal.SIGKILL, 0), complaints
        hits += process.returncode == -signal.SIGKILL
        for checkpoint in checkpoints_in(path / "checkpoints"):
            read_checkpoint(checkpoint)
        if checkpoints_in(path / "checkpoints"):
            assert saved_matches(path) >= saved
            saved = saved_matches(path)
        if (path / "config.toml").exists():
            arguments = ["resume", str(path)]
    assert saved > 0
    return hits


def _wait_for_lines(file: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until a process has written so many lines to a file since it took it up, or ended."""
    before = file.stat().st_ino if file.exists() else 0
    while process.poll() is None:
        taken_up = file.exists() and (not before or file.stat().st_ino != before)
        if taken_up:
            break
        time.sleep(0.005)
    start = file.read_bytes().count(b"\n") if file.exists() else 0
    while process.poll() is None and file.read_bytes().count(b"\n") < start + count:
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("kills", "matches"),
    [(2, 40), pytest.param(20, 400, marks=SLOW), pytest.param(100, 600, marks=SLOW)],
)
def test_killing_a_run_changes_nothing(kills: int, matches: int, tmp_path: Path) -> None:
    killed, once = tmp_path / "killed", tmp_path / "once"
    hits = killed_and_resumed(killed, kills, matches)
    assert hits >= kills / 2
    assert main(["resume", str(killed)]) == 0
    train(once, Run(killed).config())
    assert saved_matches(killed) == matches
    assert_same_end(once, killed)
    assert not [*killed.glob(".*.tmp"), *(killed / "checkpoints").glob("*.tmp")]
    assert_same_metrics(once, killed)
    assert [*killed.glob("tensorboard/*")]


def assert_same_metrics(one: Path, other: Path) -> None:
    """No match is missing from the metrics of either run or is there twice; nor an evaluation."""
    for path in (one, other):
        lines = [m for m in read_metrics(path / "metrics.jsonl") if m["kind"] == "training"]
        numbers = [line["matches"] for line in lines]
        assert numbers == sorted(set(numbers))
        counters = latest_readable(Run(path).checkpoints)[2]["counters"]
        for name in ("learned", "generated", "evaluations"):
            assert sum(line[name] for line in lines) == counters[name]
    timeless = [
        [m | {"seconds": 0} for m in read_metrics(path / "metrics.jsonl") if "win_rate" in m]
        for path in (one, other)
    ]
    assert timeless[0] == timeless[1] != []


def test_a_run_killed_before_its_first_checkpoint_starts(tmp_path: Path) -> None:
    config = small_config(DETERMINISTIC)
    train(tmp_path / "once", config)
    Run(tmp_path / "run").create(config)
    assert "from the beginning" in go_on(tmp_path / "run").said[0]
    assert_same_end(tmp_path / "once", tmp_path / "run")


# Ctrl-C, SIGTERM.


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_with_a_checkpoint(
    how: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run"
    process = athenan("train", *small_flags({"stop": {"matches": 0}}), "--run", str(path))
    try:
        while process.poll() is None and len(checkpoints_in(path / "checkpoints")) < 2:
            time.sleep(0.02)
        assert main(["resume", str(path)]) == 2
        assert "being trained by another process" in capsys.readouterr().err
        process.send_signal(how)
        told, complaints = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, complaints
    assert complaints == ""
    assert "stopping: writing a checkpoint" in told
    assert f"go on with: athenan resume {path}\n" in told
    count = re.search(r"^([\d,]+) matches learned", told, re.MULTILINE)
    assert count is not None
    assert saved_matches(path) == int(count[1].replace(",", "")) >= 4


def test_a_second_signal_stops_at_once() -> None:
    asked = []
    with on_interrupt(lambda: asked.append(1)):
        signal.raise_signal(signal.SIGTERM)
        assert asked == [1]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert asked == [1]


def test_an_interrupted_deterministic_run_says_where_it_will_go_on(tmp_path: Path) -> None:
    watcher = Watcher()
    training = Session(Run(tmp_path / "run"), small_config(DETERMINISTIC), [watcher])

    def interrupt(event: Event) -> bool:
        if learned(6)(event):
            os.kill(os.getpid(), signal.SIGINT)
        return False

    watcher.stop_when = interrupt
    try:
        training.begin()
        training.train()
    finally:
        training.close()
    assert training.interrupted
    assert watcher.said == ["stopping: the last checkpoint is that of match 4"]


# Other processes, other disks.


def test_a_second_session_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    config = small_config()
    train(tmp_path / "run", config, Watcher(learned(5)))
    run = Run.open(tmp_path / "run")
    with (run.path / "metrics.jsonl").open("a") as file:
        file.write('{"kind": "training", "matches": 99}\n')
    half = run.checkpoints / ".000000099.safetensors.0123.tmp"
    half.write_bytes(b"being written")
    before = {file: file.read_bytes() for file in run.path.rglob("*") if file.is_file()}
    other = Session(run, small_config({"stop": {"matches": 40}}))
    try:
        with run.in_use(), pytest.raises(Error, match="being trained by another process"):
            other.resume()
    finally:
        other.close()
    assert {f: f.read_bytes() for f in run.path.rglob("*") if f.is_file()} == before


FULL_DISK = """
import resource, sys
from athenan.commands import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.exit(main(sys.argv[2:]))
"""


def test_a_full_disk_stops_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    config = small_config(DETERMINISTIC)
    train(tmp_path / "once", config)
    path = tmp_path / "run"
    train(path, config, Watcher(at_rest(4)))
    (checkpoint,) = checkpoints_in(path / "checkpoints")[-1:]
    before = checkpoint.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(len(before) + 100), "resume", str(path)],
        capture_output=True,
        text=True,
        timeout=100,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("athenan: checkpoint ")
    assert done.stderr.count("\n") == 1
    assert "the previous checkpoint is intact" in done.stderr
    assert checkpoints_in(path / "checkpoints")[-1] == checkpoint
    assert checkpoint.read_bytes() == before
    go_on(path)
    assert_same_end(tmp_path / "once", path)


def test_a_damaged_checkpoint_is_set_aside_and_the_one_before_taken(tmp_path: Path) -> None:
    config = small_config(DETERMINISTIC)
    train(tmp_path / "once", config)
    path = tmp_path / "run"
    train(path, config, Watcher(at_rest(8)))
    config_file = Run(path).config_file
    config_file.write_text(config_file.read_text().replace("keep = 2", "keep = 1"))
    newest = checkpoints_in(path / "checkpoints")[-1]
    newest.write_bytes(newest.read_bytes()[:-1])
    resumed = go_on(path, Watcher(at_rest(4)))
    assert "could not be read" in resumed.said[0]
    assert "resuming" in resumed.said[1]
    assert "at match 4" in resumed.said[1]
    assert newest.with_suffix(".damaged").exists()
    go_on(path)
    assert_same_end(tmp_path / "once", path)


def test_a_new_end_may_come_before_all_matches_in_progress_are_over(tmp_path: Path) -> None:
    path = tmp_path / "run"
    many = {"selfplay": {"matches": 16}, "hardware": {"threads": 1}, "stop": {"matches": 40}}
    train(path, small_config(many), Watcher(learned(1)))
    start = saved_matches(path)
    for goal in (start + 1, start + 3):
        Run(path).write_config(small_config(many, {"stop": {"matches": goal}}))
        go_on(path)
        assert saved_matches(path) == goal
    Run(path).write_config(small_config(many))
    go_on(path)
    assert saved_matches(path) == 40


def test_settings_changed_under_a_checkpoint_are_told(tmp_path: Path) -> None:
    plain = {"learning": {"replay": {"kind": "experience"}}}
    train(tmp_path / "run", small_config(plain), Watcher(learned(5)))
    config_file = Run(tmp_path / "run").config_file
    text = config_file.read_text()
    for old, new in (("filters = 8", "filters = 9"), ('"experience"', '"stratified"')):
        assert old in text
        config_file.write_text(text.replace(old, new, 1))
        with pytest.raises(Error, match=r"does not fit the settings in .*config\.toml"):
            go_on(tmp_path / "run")
    config_file.write_text(text)
    go_on(tmp_path / "run")


# Metrics.


def test_metrics_are_neither_lost_nor_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LINE_SECONDS", 0.0)
    path = tmp_path / "run"
    train(path, small_config(DETERMINISTIC), Watcher(learned(6)))
    numbers = [line["matches"] for line in read_metrics(path / "metrics.jsonl")]
    assert numbers == list(range(1, numbers[-1] + 1))
    assert numbers[-1] >= 6
    with (path / "metrics.jsonl").open("a") as file:
        file.write('{"kind": "training", "matc')
    go_on(path)
    lines = [json.loads(text) for text in (path / "metrics.jsonl").read_text().splitlines()]
    assert [line["matches"] for line in lines] == list(range(1, 13))
    times = [line["seconds"] for line in lines]
    assert times == sorted(times)
    assert all(0 <= line["states_per_second"] < 1e7 for line in lines)
    assert all(0 < line["learned_per_second"] < 1e7 for line in lines)
