"""One training of an experiment, in a process of its own: python -m athenan.experiments.trainee RUN

It goes on with the run from wherever it stands, and prints how far it has come as JSON lines. It
ends with a checkpoint as soon as its standard input ends, as it does when the parent is killed.
"""

from __future__ import annotations

import json
import sys
import threading
from time import monotonic, sleep

from athenan._core import Error
from athenan.files import locked
from athenan.learning.events import Event
from athenan.runs import Run
from athenan.runs.metrics import Line
from athenan.runs.session import Session

PERIOD = 1.0  # seconds between two reports
PATIENCE = 90.0  # seconds to wait for a process that is about to end


class Reporter:
    """Prints how far the training has come."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self._due = 0.0

    def on_event(self, event: Event) -> None:
        """Report now and then."""
        if self.session is not None and monotonic() >= self._due:
            self._due = monotonic() + PERIOD
            print(json.dumps({"done": self.session.done, "matches": event.at.matches}), flush=True)

    def on_line(self, line: Line) -> None:
        """Leave metrics to the file of the run."""

    def say(self, sentence: str) -> None:
        """Leave sentences to the log."""
        print(sentence, file=sys.stderr, flush=True)


def main(path: str) -> int:
    """Train a run to its end; return the exit code."""
    run, reporter = Run.open(path), Reporter()
    _wait_until_free(run)
    session = Session(run, run.config(), [reporter])
    reporter.session = session

    def watch() -> None:
        sys.stdin.read()
        session.interrupt()

    threading.Thread(target=watch, daemon=True).start()
    try:
        session.resume()
        session.train()
    except KeyboardInterrupt:
        session.interrupt()
    finally:
        session.close()
    return 0 if session.finished else 1


def _wait_until_free(run: Run) -> None:
    """Wait for the process of an experiment that was killed: it saves itself before it ends."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        with locked(run.path / ".lock") as free:
            if free:
                return
        sleep(PERIOD)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except Error as mistake:
        sys.exit(str(mistake))
