"""Nothing is lost with a terminal, a pipe or a directory that goes away during a training."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from athenan.runs import Run
from athenan.runs.checkpoint import checkpoints_in
from athenan.runs.metrics import read_metrics
from athenan.signals import on_interrupt
from processes import ENVIRONMENT, athenan
from small_runs import Watcher, learned, saved_matches, small_config, small_flags, train

ENDLESS = {"stop": {"matches": 0}}
PATIENCE = 60.0


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_under_way(path: Path) -> bool:
    return len(checkpoints_in(path / "checkpoints")) == 2


# A pipe whose reader leaves.


@pytest.mark.parametrize("lines_read", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_a_training_goes_on_without_the_reader_of_its_pipe(lines_read: int, tmp_path: Path) -> None:
    process = athenan("train", *small_flags(), "--run", str(tmp_path / "run"))
    assert process.stdout is not None
    assert process.stderr is not None
    for _ in range(lines_read):
        assert process.stdout.readline().startswith("tic_tac_toe: a network of ")
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=PATIENCE) == 0
    assert saved_matches(tmp_path / "run") == 12
    assert [*read_metrics(tmp_path / "run" / "metrics.jsonl")][-1]["matches"] == 12


def test_a_mistake_without_a_reader_is_no_traceback(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "athenan", "resume", str(tmp_path)]
    process = subprocess.Popen(command, stderr=writing, env=ENVIRONMENT)
    os.close(writing)
    assert process.wait(timeout=PATIENCE) == 2


# A terminal that is closed.


def in_terminal(path: Path, *before: str) -> tuple[subprocess.Popen[bytes], int]:
    """Train without end in a terminal of its own; return the process and the terminal."""
    terminal, theirs = pty.openpty()
    command = [*before, sys.executable, "-m", "athenan", "train", *small_flags(ENDLESS)]
    process = subprocess.Popen(
        [*command, "--run", str(path)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=ENVIRONMENT,
        start_new_session=True,
        preexec_fn=_take_terminal,
    )
    os.close(theirs)
    os.set_blocking(terminal, False)

    def read_and_ask() -> bool:
        _drain(terminal)
        return is_under_way(path)

    wait_until(read_and_ask)
    return process, terminal


def _take_terminal() -> None:
    """Become the program that hears of the end of the terminal on standard input."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _drain(terminal: int) -> None:
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return


def test_the_end_of_its_terminal_ends_a_training_with_a_checkpoint(tmp_path: Path) -> None:
    process, terminal = in_terminal(tmp_path / "run")
    before = saved_matches(tmp_path / "run")
    os.close(terminal)
    assert process.wait(timeout=PATIENCE) == 130
    after = saved_matches(tmp_path / "run")
    assert after >= before
    lines = [*read_metrics(tmp_path / "run" / "metrics.jsonl")]
    assert lines[-1]["matches"] == after


def test_nohup_lets_a_training_outlive_its_terminal(tmp_path: Path) -> None:
    process, terminal = in_terminal(tmp_path / "run", "env", "--ignore-signal=HUP")
    before = saved_matches(tmp_path / "run")
    os.close(terminal)
    try:
        wait_until(lambda: saved_matches(tmp_path / "run") > before + 8)
        assert process.poll() is None
    finally:
        process.terminate()
    assert process.wait(timeout=PATIENCE) == 130


def test_a_terminal_may_end_twice() -> None:
    asked = []
    with on_interrupt(lambda: asked.append(1)):
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGHUP)
        assert asked == [1]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


# A directory that is removed.


def test_a_removed_run_ends_and_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "run"
    process = athenan("train", *small_flags(ENDLESS), "--run", str(path))
    try:
        wait_until(lambda: is_under_way(path))
        path.rename(tmp_path / "gone")
        shutil.rmtree(tmp_path / "gone")
        _, complaint = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert complaint == f"athenan: the run {path} was removed while it was trained\n"
    assert process.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_to_a_run_in_the_place_of_another(tmp_path: Path) -> None:
    path, config = tmp_path / "run", small_config()

    def replace(event: object) -> bool:
        if learned(6)(event) and not (tmp_path / "moved").exists():  # type: ignore[arg-type]
            path.rename(tmp_path / "moved")
            Run(path).create(config)
        return False

    with pytest.raises(Exception, match="was removed while it was trained"):
        train(path, config, Watcher(replace))
    assert [file.name for file in path.iterdir()] == ["config.toml"]
    assert saved_matches(tmp_path / "moved") >= 4


# Metrics reach the disk.


def test_metrics_are_on_the_disk_before_a_checkpoint_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        done.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).name)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    train(tmp_path / "run", small_config({"hardware": {"deterministic": True}}))
    names = [name for name in done if name == "metrics.jsonl" or "0000" in name]
    checkpoints = [place for place, name in enumerate(names) if "0000" in name]
    assert len(checkpoints) == 4
    assert all(names[place - 1] == "metrics.jsonl" for place in checkpoints[1:])
    lines = [*read_metrics(tmp_path / "run" / "metrics.jsonl")]
    assert [line["matches"] for line in lines] == [4, 8, 12]
