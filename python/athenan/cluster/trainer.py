"""A training on another machine: the files of its run travel there, and back when it saves them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from athenan.cluster.reasons import refuse_another_version
from athenan.files import remove_leftovers, write_bytes
from athenan.learning.events import Event
from athenan.runs import Run
from athenan.runs.checkpoint import checkpoints_in
from athenan.runs.metrics import Line
from athenan.runs.session import Session

LOG = "log.txt"
Files = Mapping[str, bytes]
"""What the files of a run hold, by their paths in it."""


@dataclass(frozen=True)
class Trained:
    """A training that has ended."""

    files: Files
    is_finished: bool
    """Whether it came to the end that its settings name."""


class Trainer:
    """An actor of Ray that trains one run; its methods may be called at the same time."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._is_asked_to_end = False

    def train(self, version: str, files: Files) -> Trained:
        """Go on with a run from wherever it stands, to its end."""
        refuse_another_version(version)
        with tempfile.TemporaryDirectory(prefix="athenan-run-") as folder:
            run = Run(folder)
            write_files(run, files)
            session = Session(run, run.config(), [_Log(run.path / LOG)])
            self._session = session
            if self._is_asked_to_end:
                session.interrupt()
            try:
                session.resume()
                session.train()
                return Trained(files_of(run), session.finished)
            finally:
                session.close()

    def done(self) -> float:
        """Return the part of the training that is over."""
        return self._session.done if self._session is not None else 0.0

    def saved(self, known: str) -> Files:
        """Return the files of the run, if its last checkpoint is another one than that."""
        if self._session is None:
            return {}
        run = self._session.run
        try:
            return files_of(run) if newest_checkpoint(run) != known else {}
        except FileNotFoundError:  # replaced meanwhile: the next time will do
            return {}

    def interrupt(self) -> None:
        """Let the training save itself and end."""
        self._is_asked_to_end = True
        if self._session is not None:
            self._session.interrupt()


class _Log:
    """Keeps what the session says in a file of the run."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def on_event(self, event: Event) -> None:
        """Leave events to whoever asks how far it has come."""

    def on_line(self, line: Line) -> None:
        """Leave metrics to the file of the run."""

    def say(self, sentence: str) -> None:
        """Write a sentence down."""
        with self._path.open("a", encoding="utf-8") as log:
            log.write(f"{sentence}\n")


def newest_checkpoint(run: Run) -> str:
    """Return the name of the newest checkpoint, empty if there is none."""
    found = checkpoints_in(run.checkpoints) if run.checkpoints.is_dir() else []
    return found[-1].name if found else ""


def files_of(run: Run) -> dict[str, bytes]:
    """Return everything that a run needs to go on somewhere else, its newest checkpoint last."""
    single = [run.config_file, run.metrics, run.model, run.path / LOG]
    kept = [path for path in single if path.is_file()]
    if run.snapshots.is_dir():
        kept += sorted(run.snapshots.glob("[0-9]*.safetensors"))
    if newest := newest_checkpoint(run):
        kept.append(run.checkpoints / newest)
    return {path.relative_to(run.path).as_posix(): path.read_bytes() for path in kept}


def write_files(run: Run, files: Files) -> None:
    """Let the files of a run be these, in their order; older checkpoints are removed at the end."""
    for name, data in files.items():
        path = run.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, data)
    checkpoints = [Path(name).name for name in files if Path(name).parent.name == "checkpoints"]
    if checkpoints:
        for path in checkpoints_in(run.checkpoints):
            if path.name not in checkpoints:
                path.unlink(missing_ok=True)
        remove_leftovers(run.checkpoints)
