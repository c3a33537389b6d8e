"""Trainings: the runs of one directory, seen live, and processes that train them.

A run is named by the name of its directory and never by a path. A training is a process of its own,
started as anybody starts it in a terminal, so it goes on when the page is closed and ends in good
order when it is stopped.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from athenan._core import Error
from athenan.runs.metrics import read_metrics
from athenan.runs.run import Run, free_name
from athenan.runs.watching import read_match

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
MAX_RUNNING = 2
MAX_LINES = 2_000
"""Of metrics in one answer; of a longer file every n-th line is taken."""
EVALUATIONS = 10  # of a training, and not more than one a minute
PATIENCE = 20.0  # seconds for a training to save what it has
MAX_SAID = 2_000  # bytes from the end of what a process has written


@dataclass(eq=False)
class Launched:
    """A training that was started here: a process of its own."""

    name: str
    game: str
    process: subprocess.Popen[bytes]
    said: IO[bytes]
    """What it wrote on its standard error."""
    stopped: bool = False
    """Whether it was asked to end."""

    @classmethod
    def of(cls, name: str, game: str, arguments: tuple[str, ...]) -> Launched:
        """Start a training."""
        said = tempfile.TemporaryFile()  # noqa: SIM115 (it is read after the process has ended)
        process = subprocess.Popen(
            [sys.executable, "-m", "athenan", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        return cls(name, game, process, said)

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    @property
    def problem(self) -> str | None:
        """Why it ended, if it did so by itself and not in good order."""
        if self.stopped or self.is_running or self.process.returncode == 0:
            return None
        file = self.said.fileno()
        end = os.pread(file, MAX_SAID, max(0, os.fstat(file).st_size - MAX_SAID))
        lines = end.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return last or f"the training ended with status {self.process.returncode}"

    def stop(self) -> None:
        """Ask it to save and end.

        Not by SIGINT: a server that a script began in the background ignores it, and so do its
        children.
        """
        self.stopped = True
        self.process.terminate()

    def as_json(self) -> dict[str, Any]:
        """Return what is known of it while there are no files of its run."""
        return {
            "name": self.name,
            "game": self.game,
            "changed": 0.0,
            "running": self.is_running,
            "elsewhere": False,
            "has_model": False,
            "beginning": True,
            "problem": self.problem,
        }


class Trainings:
    """The runs of a directory and the processes that train them. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._launched: dict[str, Launched] = {}

    def run(self, name: object) -> Run:
        """Return a run by its name."""
        if not isinstance(name, str) or not NAME.fullmatch(name) or ".." in name:
            raise Error("a run is named by letters, digits, dots, underscores and hyphens")
        run = Run(self._folder / name)
        if not run.config_file.is_file():
            raise Error(f"there is no run {name!r} here")
        return run

    def listed(self) -> list[dict[str, Any]]:
        """Return every run, the latest first, and whether it is being trained, from here or not."""
        found = self._folder.iterdir() if self._folder.is_dir() else ()
        runs = [
            run
            for run in map(Run, found)
            if NAME.fullmatch(run.path.name) and run.config_file.is_file()
        ]
        runs.sort(key=_changed, reverse=True)
        there = {run.path.name for run in runs}
        return [
            *(each.as_json() for name, each in self._beginning().items() if name not in there),
            *map(self._as_json, runs),
        ]

    def _beginning(self) -> dict[str, Launched]:
        """Return the trainings that were started here and have not begun, or failed to, by name."""
        with self._lock:
            for name, each in list(self._launched.items()):
                if each.stopped and not each.is_running:
                    del self._launched[name]
            return dict(reversed(self._launched.items()))

    def _as_json(self, run: Run) -> dict[str, Any]:
        name = run.path.name
        launched = self._launched.get(name)
        return {
            "name": name,
            "game": _game(run),
            "changed": _changed(run),
            "running": self._is_running(name),
            "elsewhere": not self._is_running(name) and _is_trained(run),
            "has_model": run.model.is_file(),
            "beginning": False,
            "problem": launched.problem if launched else None,
        }

    def metrics(self, name: object) -> list[dict[str, Any]]:
        """Return the metrics of a run, thinned if there are very many."""
        lines = list(read_metrics(self.run(name).metrics))
        step = max(1, -(-len(lines) // MAX_LINES))
        return [
            {field: _shown(value) for field, value in line.items()}
            for n, line in enumerate(lines)
            if n % step == 0 or line["kind"] == "evaluation" or n == len(lines) - 1
        ]

    def settings(self, name: object) -> dict[str, Any]:
        """Return the settings of a run, as in {"network.blocks": 2}; none of a damaged file."""
        try:
            return dict(_flat(tomllib.loads(self.run(name).config_file.read_text("utf-8"))))
        except (OSError, ValueError):  # a text that is no TOML is a ValueError
            return {}

    def match(self, name: object) -> dict[str, Any] | None:
        """Return the match that a training plays now, wherever it was started from."""
        return read_match(self.run(name).match)

    def start(self, game: str, minutes: float) -> str:
        """Begin a new run of a game; return its name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = free_name(self._folder, game)
        words = ("train", game, "--run", str(path), "--minutes", f"{minutes:g}")
        evaluations = f"evaluation.every_minutes={max(1.0, minutes / EVALUATIONS):g}"
        self._launch(path.name, game, *words, "--set", evaluations)
        return path.name

    def resume(self, name: object, minutes: float) -> None:
        """Go on with a run for so many minutes more."""
        run = self.run(name)
        if not self._is_running(run.path.name) and _is_trained(run):
            raise Error(f"the run {run.path.name!r} is being trained by another process")
        spent = max((line.get("seconds", 0) for line in read_metrics(run.metrics)), default=0)
        total = f"{minutes + spent / 60:g}"
        self._launch(run.path.name, _game(run), "resume", str(run.path), "--minutes", total)

    def stop(self, name: object) -> None:
        """Ask a training that was started here to save and end."""
        launched = self._launched.get(name) if isinstance(name, str) else None
        if launched is None or not launched.is_running:
            self.run(name)
            raise Error("this run is not being trained from here")
        launched.stop()

    def close(self) -> None:
        """Stop all trainings that were started here, and wait until they have saved."""
        alive = [each for each in self._launched.values() if each.is_running]
        for each in alive:
            each.stop()
        for each in alive:
            try:
                each.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                each.process.kill()
                each.process.wait()

    def _is_running(self, name: str) -> bool:
        launched = self._launched.get(name)
        return launched is not None and launched.is_running

    def _launch(self, name: str, game: str, *arguments: str) -> None:
        with self._lock:
            if self._is_running(name):
                raise Error(f"the run {name!r} is being trained already")
            if sum(map(self._is_running, self._launched)) >= MAX_RUNNING:
                raise Error(f"{MAX_RUNNING} trainings are under way: stop one of them first")
            self._launched[name] = Launched.of(name, game, arguments)


def _is_trained(run: Run) -> bool:
    """Tell whether a process trains a run; only of one whose match is there is the lock tried."""
    return run.match.is_file() and run.is_in_use


def _flat(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", _shown(value)


def _shown(value: object) -> object:
    """Return what JSON can hold: no NaN, which a training that goes wrong may have as its loss."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list | tuple):
        return [_shown(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _shown(each) for name, each in value.items()}
    return value if value is None or isinstance(value, int | str) else str(value)


def _changed(run: Run) -> float:
    for file in (run.metrics, run.config_file):
        with suppress(OSError):
            return file.stat().st_mtime
    return 0.0


def _game(run: Run) -> str:
    """Return the game of a run as its settings state it, without reading the rest of them."""
    with suppress(OSError), run.config_file.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if found := re.match(r'game = "([^"\\]*)"', line):
                return found[1]
    return ""
