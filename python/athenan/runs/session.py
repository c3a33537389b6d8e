"""A session: one process training a run, from its start or its last checkpoint until it ends.

The session listens to the events of the training and decides when to save, to evaluate and to stop.
What it has to tell, it tells its listeners as metrics lines and as sentences.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Protocol

from athenan._core import Error
from athenan.learning.events import AtRest, Event, MatchLearned
from athenan.learning.settings import Config
from athenan.learning.training import Training
from athenan.networks import save_model
from athenan.runs.checkpoint import latest_readable, prune, write_checkpoint
from athenan.runs.evaluation import Examiner
from athenan.runs.metrics import Interval, Line, MetricsFile, TensorBoard
from athenan.runs.run import Run

LINE_SECONDS = 2.0  # the least time between two metrics lines


class Listener(Protocol):
    """Who is told what happens."""

    def on_event(self, event: Event, training: Training) -> None:
        """Hear an event of the training."""

    def on_line(self, line: Line) -> None:
        """Hear a metrics line."""

    def say(self, sentence: str) -> None:
        """Hear something for people."""


class Session:
    """Trains a run; `train` returns when the limit is reached or the session is interrupted."""

    def __init__(self, run: Run, listeners: Sequence[Listener]) -> None:
        self.run = run
        self.config: Config = run.config()
        self.listeners = listeners
        self.training = Training(self.config)
        self.metrics = MetricsFile(run.metrics)
        self.tensorboard = TensorBoard(run.tensorboard)
        self.examiner = self._make_examiner()
        self.interrupted = False
        self._saved_matches = -1
        self._saved_at = 0.0
        self._examined_at = -1.0
        self._examined_matches = -1

    def _make_examiner(self) -> Examiner | None:
        """Return who plays the evaluation matches; a game for one has no opponent."""
        settings, game = self.config.evaluation, self.training.game
        if not settings.opponent or game.datasheet.players == 1:
            return None
        return Examiner(game, settings, self.config.selfplay.terminal)

    def resume(self) -> None:
        """Take up the last checkpoint."""
        path, arrays, values = latest_readable(self.run.checkpoints)
        self.training.restore(arrays, values)
        self.metrics.forget_after(self.training.counters.matches)
        prune(self.run.checkpoints, self.config.checkpoints.keep)
        self._saved_matches = self.training.counters.matches
        self._saved_at = self._examined_at = self.training.seconds()
        self._examined_matches = self.training.counters.matches
        self._say(
            f"resuming {self.run.path} at match {self.training.counters.matches} ({path.name})"
        )

    def train(self) -> None:
        """Train until the end, saving and evaluating on the way."""
        with self.run.in_use(), _interrupts(self._interrupt):
            interval = Interval(self.training.seconds())
            if self._saved_matches < 0:
                self._save()
                self._examine_if_due(first=True)
            for event in self.training.events():
                self._tell(event)
                if isinstance(event, MatchLearned):
                    interval.matches.append(event)
                    interval = self._write_line_if_due(interval)
                    if not self.config.hardware.deterministic:
                        self._save_if_due()
                    self._examine_if_due()
                elif isinstance(event, AtRest):
                    self._save_if_due()
            if interval.matches:
                self._write_line(interval)
            self._finish()

    def close(self) -> None:
        """Give everything back."""
        self.training.close()
        self.tensorboard.close()

    def _interrupt(self) -> None:
        self.interrupted = True
        self.training.stop_soon()
        self._say("stopping: writing a checkpoint (once more to stop at once)")

    def _finish(self) -> None:
        matches = self.training.counters.matches
        exact = self.config.hardware.deterministic and not self.training.rounds.at_rest
        if matches != self._saved_matches and not exact:
            self._save()
        if not self.interrupted:
            self._examine_if_due(last=True)

    def _save_if_due(self) -> None:
        every = self.config.checkpoints
        matches = self.training.counters.matches
        timely = 0 < every.every_minutes * 60 <= self.training.seconds() - self._saved_at
        counted = 0 < every.every_matches <= matches - self._saved_matches
        if matches != self._saved_matches and (timely or counted):
            self._save()

    def _save(self) -> None:
        counters = self.training.counters
        arrays, values = self.training.state()
        write_checkpoint(self.run.checkpoints, counters.matches, arrays, values)
        save_model(self.run.model, self.training.model)
        prune(self.run.checkpoints, self.config.checkpoints.keep)
        self._saved_matches = counters.matches
        self._saved_at = self.training.seconds()

    def _examine_if_due(self, *, first: bool = False, last: bool = False) -> None:
        settings = self.config.evaluation
        if self.examiner is None or not (settings.every_minutes or settings.every_matches):
            return
        matches, seconds = self.training.counters.matches, self.training.seconds()
        timely = 0 < settings.every_minutes * 60 <= seconds - self._examined_at
        counted = 0 < settings.every_matches <= matches - self._examined_matches
        if matches != self._examined_matches and (first or last or timely or counted):
            with self.training.paused():
                line = self.examiner.examine(self.training.evaluator, matches, seconds)
            self._append(line)
            self._examined_at, self._examined_matches = self.training.seconds(), matches

    def _write_line_if_due(self, interval: Interval) -> Interval:
        if self.training.seconds() - interval.started < LINE_SECONDS:
            return interval
        return self._write_line(interval)

    def _write_line(self, interval: Interval) -> Interval:
        seconds = self.training.seconds()
        self._append(interval.line(seconds))
        return Interval(seconds)

    def _append(self, line: Line) -> None:
        try:
            self.metrics.append(line)
            self.tensorboard.append(line)
        except OSError as problem:
            raise Error(
                f"the metrics of {self.run.path} could not be written ({problem}); "
                "the last checkpoint is intact"
            ) from None
        for listener in self.listeners:
            listener.on_line(line)

    def _tell(self, event: Event) -> None:
        for listener in self.listeners:
            listener.on_event(event, self.training)

    def _say(self, sentence: str) -> None:
        for listener in self.listeners:
            listener.say(sentence)


@contextmanager
def _interrupts(first: Callable[[], None]) -> Iterator[None]:
    """Call `first` at the first Ctrl-C or SIGTERM; the second one stops the program."""
    asked_at: list[float] = []

    def handle(_signal: int, _frame: FrameType | None) -> None:
        if asked_at:
            raise KeyboardInterrupt
        asked_at.append(monotonic())
        first()

    previous = {each: signal.signal(each, handle) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in previous.items():
            signal.signal(each, handler)
