"""A session: one process training a run, from its start or its last checkpoint until it ends.

The session listens to the events of the training and decides when to save, to evaluate and to stop.
What it has to tell, it tells its listeners as metrics lines and as sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from athenan._core import Error, Stop
from athenan.arena.series import PlaySeries
from athenan.files import remove_leftovers
from athenan.learning.concurrency import Plan
from athenan.learning.events import AtRest, Evaluating, Event, MatchLearned, Pretrained
from athenan.learning.settings import Checkpoints, Config, Evaluation
from athenan.learning.training import Training
from athenan.networks import build_network, load_model, save_model
from athenan.networks.transfer import transfer
from athenan.runs.checkpoint import (
    checkpoints_in,
    latest_readable,
    moments_of,
    prune,
    set_aside_after,
    write_checkpoint,
)
from athenan.runs.evaluation import make_examiner
from athenan.runs.metrics import Line, MetricsFile, Period, TensorBoard
from athenan.runs.run import Run
from athenan.runs.snapshots import drop_snapshots, snapshot_file
from athenan.runs.watching import Window
from athenan.selfplay.source import Source
from athenan.signals import on_interrupt

LINE_SECONDS = 2.0  # the least time between two metrics lines
WORTH_SAVING = 1.0  # seconds of training at the end, even if no match was learned in them


class Listener(Protocol):
    """Who is told what happens."""

    def on_event(self, event: Event) -> None:
        """Hear an event of the training."""

    def on_line(self, line: Line) -> None:
        """Hear a metrics line."""

    def say(self, sentence: str) -> None:
        """Hear something for people."""


class Session:
    """Trains a run: `begin` or `resume` it, `train`, and in any case `close` at the end.

    Everything that settings can have wrong is found when the session is made; until it begins or
    resumes, nothing on the disk changes, and from then on the run is held against other processes.
    """

    def __init__(
        self,
        run: Run,
        config: Config,
        listeners: Sequence[Listener] = (),
        plan: Plan | None = None,
        source: Source | None = None,
        play: PlaySeries | None = None,
    ) -> None:
        self.run = run
        self.config = config
        self.listeners = listeners
        # First: it may refuse the settings, and a training begins threads and processes.
        self.examiner = make_examiner(config, play)
        self.training = Training(config, plan=plan, source=source)
        self.metrics = MetricsFile(run.metrics)
        self.tensorboard = TensorBoard(run.tensorboard)
        self.window = Window(run.match, self.training.game)
        self._interrupted = Stop()
        self._held = ExitStack()
        self._check_run: Callable[[], None] = lambda: None
        self._period = Period(self.training.standing)
        self._saved = (-1, -1)
        self._saved_at = 0.0
        self._examined_matches = -1
        self._examined_at = 0.0

    def begin(self) -> None:
        """Make the directory of a new run, with a checkpoint of its start."""
        self._take_origin()
        self.run.create(self.config)
        self._hold()
        self._save()

    def _hold(self) -> None:
        self._check_run = self._held.enter_context(self.run.in_use())

    def _take_origin(self) -> None:
        """Begin with what a model has learned where the settings name one."""
        config = self.config
        if not config.origin:
            return
        old = load_model(config.origin).network
        network = build_network(config.network, self.training.game, config.seed)
        taken = transfer(old, network, config.seed)
        moments = moments_of(Path(config.origin)) if config.keep_optimiser else None
        try:
            self.training.start_from(network, moments)
        except (LookupError, ValueError):
            raise Error(
                "the optimiser can be kept only if the network keeps its shape: "
                "the moments of Adam belong to its weights"
            ) from None
        if old.architecture != network.architecture or taken.fresh:
            layers = dict.fromkeys(name.rpartition(".")[0] for name in taken.fresh)
            words = f"; begun anew: {', '.join(layers)}" if layers else ""
            self._say(f"{len(taken.kept)} parameters taken from {config.origin}{words}")

    def resume(self) -> None:
        """Take up the last checkpoint; a run that was stopped before its first one starts."""
        self._hold()
        remove_leftovers(self.run.path)
        if not checkpoints_in(self.run.checkpoints):
            self._say(f"{self.run.path} has no checkpoint yet: starting from the beginning")
            self._take_origin()
            self._keep_settings()
            self._save()
            return
        path = self._restore()
        self._keep_settings()
        matches = self.training.counters.matches
        lines = self.metrics.forget_after(matches)
        self.tensorboard.hide_after(matches)
        prune(self.run.checkpoints, self.config.checkpoints.keep)
        drop_snapshots(self.run.snapshots, self.done)
        self._saved = self._position()
        self._saved_at = self.training.clock.seconds()
        for line in lines:
            if line["kind"] == "evaluation":
                self._examined_matches = line["matches"]
                self._examined_at = line.get("seconds", 0.0)
        self._say(f"resuming {self.run.path} at match {matches:,} ({path.name})")

    def _keep_settings(self) -> None:
        """Write the settings of this session, which fit the run, if they are not those before."""
        if self.run.config(self.training.game) != self.config:
            self.run.write_config(self.config)

    def _restore(self) -> Path:
        """Read the newest checkpoint that can be read."""
        path, arrays, values = latest_readable(self.run.checkpoints)
        try:
            self.training.restore(arrays, values)
        except (RuntimeError, LookupError, TypeError, ValueError, OverflowError):
            raise Error(
                f"the checkpoint {path} does not fit the settings in {self.run.config_file} or "
                "those given: have they been changed?"
            ) from None
        for damaged in set_aside_after(path):
            self._say(f"a newer checkpoint could not be read and is now {damaged}")
        return path

    @property
    def done(self) -> float:
        """The part of the training that is over: the largest of its limits; 0 without any."""
        counters = self.training.counters
        spent = {
            "minutes": self.training.clock.seconds() / 60,
            "matches": counters.matches,
            "expansions": counters.expansions,
            "evaluations": counters.evaluations,
            "cpu_minutes": self.training.clock.cpu_seconds() / 60,
        }
        limits = self.config.stop.limits.items()
        return max((spent[name] / limit for name, limit in limits), default=0.0)

    @property
    def finished(self) -> bool:
        """Whether one of the limits is reached."""
        return self.done >= 1

    @property
    def interrupted(self) -> bool:
        """Whether somebody asked it to end before its limit."""
        return self._interrupted.requested

    def interrupt(self) -> None:
        """End soon, whatever is going on; any thread may call it, and a signal's handler."""
        self._interrupted.request()
        self.training.stop.request()

    def train(self) -> None:
        """Train until the end, saving and evaluating on the way."""
        with on_interrupt(self.interrupt):
            if self._examined_matches < 0 and self.training.counters.matches == 0:
                self._examine()
            self._period = Period(self.training.standing)
            for event in self.training.events():
                self._tell(event)
                self._show_match()
                if isinstance(event, MatchLearned):
                    self._period.matches.append(event)
                    if event.at.seconds - self._period.start.seconds >= LINE_SECONDS:
                        self._end_period()
                    self._examine_if_due()
                    self._keep_snapshots()
                self._save_if_due(event)
            self._end_period()
            self._finish()

    def _show_match(self) -> None:
        """Let others watch a match, about once a second."""
        if self.training.source is not None and self.window.is_due:
            self._check_run()
            self.window.look(self.training.source.glimpse)

    def close(self) -> None:
        """Give everything back."""
        self.training.close()
        self.window.close()
        self.tensorboard.close()
        self._held.close()

    def _finish(self) -> None:
        half = self.training.study.was_cut or self.training.counters.unfinished
        inexact = self.config.hardware.deterministic and half
        if self.interrupted and inexact:
            self._say(f"stopping: the last checkpoint is that of match {self._saved[1]:,}")
        elif self.interrupted:
            self._say("stopping: writing a checkpoint")
        unsaved = self.training.clock.seconds() - self._saved_at
        if (self._position() != self._saved or unsaved > WORTH_SAVING) and not inexact:
            self._save()
        self._keep_snapshots()
        if self.training.failure:
            raise Error(
                f"{self.training.failure}; the training was saved at match {self._saved[1]:,}, "
                f"and goes on with: athenan resume {self.run.path}"
            )
        if not self.interrupted and self._examined_matches != self.training.counters.matches:
            self._examine()

    def _due(self, every: Checkpoints | Evaluation, matches: int, seconds: float) -> bool:
        """Whether something is due that was last done after these matches and seconds."""
        matches = self.training.counters.matches - matches
        seconds = self.training.clock.seconds() - seconds
        return 0 < every.every_minutes * 60 <= seconds or 0 < every.every_matches <= matches

    # Checkpoints.

    def _position(self) -> tuple[int, int]:
        """Return how far the training has come: final states, then matches."""
        return self.training.counters.pretrained, self.training.counters.matches

    def _save_if_due(self, event: Event) -> None:
        """Save after a match; a deterministic process when it is at rest, so as to lose nothing."""
        position = self._position()
        allowed = isinstance(event, AtRest | Pretrained) or not self.config.hardware.deterministic
        pretrained = isinstance(event, Pretrained) and event.learned == event.total
        due = pretrained or self._due(self.config.checkpoints, self._saved[1], self._saved_at)
        if allowed and due and position != self._saved:
            self._save()

    def _save(self) -> None:
        self._end_period()
        self.metrics.sync()
        self._check_run()
        arrays, values = self.training.state()
        counters = values["counters"]
        try:
            write_checkpoint(self.run.checkpoints, counters["matches"], arrays, values)
            save_model(self.run.model, self.training.model)
            prune(self.run.checkpoints, self.config.checkpoints.keep)
        except Error:
            self._check_run()  # it may have been removed meanwhile
            raise
        self._saved = counters["pretrained"], counters["matches"]
        self._saved_at = self.training.clock.seconds()

    def _keep_snapshots(self) -> None:
        """Keep the model for the fractions of the training that are over."""
        for part in self.config.checkpoints.snapshots:
            file = snapshot_file(self.run.snapshots, part)
            if part <= self.done and not file.exists():
                self._check_run()
                self.run.snapshots.mkdir(exist_ok=True)
                save_model(file, self.training.model)

    # Evaluation.

    def _examine_if_due(self) -> None:
        last = self._examined_matches
        due = self._due(self.config.evaluation, last, self._examined_at)
        if due and self.training.counters.matches != last:
            self._examine()

    def _examine(self) -> None:
        if self.examiner is None or self.interrupted:
            return
        with self.training.paused():
            line = self.examiner.examine(self.training, self._interrupted, self._evaluated)
            if self.training.best_network is not self.training.selfplay_network:
                self.training.hand_over_weights()  # the matches were played with the other ones
        if line is not None:
            self._append(line)
            self._examined_matches, self._examined_at = line["matches"], line["seconds"]

    def _evaluated(self, played: int, total: int) -> None:
        self._tell(Evaluating(self.training.standing, played, total))

    # Metrics.

    def _end_period(self) -> None:
        """Write the line of the matches since the last one."""
        if matches := self._period.matches:
            self._append(self._period.line())
            self._period = Period(matches[-1].at)

    def _append(self, line: Line) -> None:
        self._check_run()
        try:
            self.metrics.append(line)
        except OSError as problem:
            self._check_run()
            raise Error(
                f"the metrics of {self.run.path} could not be written ({problem}); "
                "the last checkpoint is intact"
            ) from None
        self.tensorboard.append(line)
        for listener in self.listeners:
            listener.on_line(line)

    def _tell(self, event: Event) -> None:
        for listener in self.listeners:
            listener.on_event(event)

    def _say(self, sentence: str) -> None:
        for listener in self.listeners:
            listener.say(sentence)
