"""What the fuzzers of files begin with: one small run, made once per process, and its files."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from athenan import Error
from athenan.runs import Run
from small_runs import small_config, train


@cache
def folder() -> Path:
    """Return a folder that is removed at the end; in memory where it can be, for writing waits."""
    memory = Path("/dev/shm")
    place = memory if memory.is_dir() else None
    path = Path(tempfile.mkdtemp(prefix="athenan-fuzz-", dir=place))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


@cache
def run() -> Run:
    """Train for a few matches."""
    settings = {"selfplay": {"resolved_memory": True}, "stop": {"matches": 4}}
    train(folder() / "run", small_config(settings, {"hardware": {"backend": "torch"}}))
    return Run(folder() / "run")


def check_sentence(refusal: Error) -> None:
    """Whatever is refused, is refused in one line."""
    assert str(refusal)
    assert "\n" not in str(refusal)
