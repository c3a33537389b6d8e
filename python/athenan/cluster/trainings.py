"""The trainings of an experiment on a cluster: each is an actor, and what it saves lands here."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from time import monotonic
from typing import Any

from athenan._core import Error
from athenan.cluster.connection import Cluster
from athenan.cluster.pieces import TRIES, failure_of
from athenan.cluster.reasons import own_version, reason
from athenan.cluster.shares import Share
from athenan.cluster.trainer import Trained, Trainer, files_of, newest_checkpoint, write_files
from athenan.runs import Run

ASKS = 2.0  # seconds between two questions how far a training has come
SAVES = 20.0  # seconds between two looks whether it has a new checkpoint
PATIENCE = 60.0  # seconds that a training has to save itself


class ClusterTrainers:
    """Who trains runs side by side: as many as the cluster has room for."""

    def __init__(self, cluster: Cluster, share: Share) -> None:
        self._cluster = cluster
        self._share = share

    @property
    def room(self) -> int:
        """How many trainings fit on the machines that there are now."""
        return max(1, self._cluster.room(self._share))

    @property
    def threads(self) -> int:
        """Of each training."""
        return self._share.cpus

    def begin(self, run: Run) -> ClusterTraining:
        """Begin to train a run."""
        return ClusterTraining(self._cluster, self._share, run)


class ClusterTraining:
    """A training under way on some machine; when that is lost, it goes on on another one.

    What it saves comes back to the run here, and is all that can be lost with a machine.
    """

    def __init__(self, cluster: Cluster, share: Share, run: Run) -> None:
        self.run = run
        self.done = 0.0
        self.deaths = 0
        """Since its last checkpoint came back."""
        self._cluster = cluster
        self._share = share
        self._problem = ""
        self._ended: Trained | None = None
        self._is_asked_to_end = False
        self._held = ExitStack()
        self._held.enter_context(run.in_use())
        self._begin()

    def wait(self, seconds: float) -> None:
        """Wait for its end, but not for long."""
        if self._actor is None:
            return
        if not self._is_ready(self._call, seconds):
            self._look()
            return
        try:
            ended: Trained = self._cluster.ray.get(self._call)
        except self._cluster.ray.exceptions.RayError as problem:
            self.deaths += 1
            if self._cluster.is_raised(problem):
                self._end(str(failure_of(problem)))
            elif self._is_asked_to_end:
                self._end("its machine was lost")
            elif self.deaths >= TRIES:
                self._end(f"{TRIES} workers died of it: {reason(problem)}")
            else:
                self._begin()
        else:
            write_files(self.run, ended.files)
            self._ended = ended
            self._end("" if ended.is_finished or self._is_asked_to_end else "it ended early")

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, well or not."""
        self.wait(0)
        return self._actor is None

    def check(self, is_whole: bool = True) -> None:
        """Complain if it ended before its training did."""
        if self._problem or not is_whole:
            raise Error(f"the training {self.run.path} failed: {self._problem or 'it ended early'}")

    def ask_to_end(self) -> None:
        """Let it save itself and end."""
        self._is_asked_to_end = True
        if self._actor is not None:
            self._actor.interrupt.remote()

    def end(self) -> None:
        """Wait until it has ended; one that does not end is killed, and loses little."""
        deadline = monotonic() + PATIENCE
        while not self.has_ended and monotonic() < deadline:
            self.wait(0.2)
        if self._actor is not None:
            self._end("it did not end in time")

    def _begin(self) -> None:
        kind = self._cluster.actor(Trainer, self._share, max_restarts=0, max_concurrency=4)
        self._actor: Any = kind.remote()
        self._call = self._actor.train.remote(own_version(), files_of(self.run))
        self._asked: Any = None
        self._saved: Any = None
        self._ask_at = monotonic() + ASKS
        self._save_at = monotonic() + SAVES

    def _end(self, problem: str) -> None:
        self._problem = problem
        self._cluster.ray.kill(self._actor)
        self._actor = None
        self._held.close()

    def _look(self) -> None:
        """Hear how far it has come, and keep what it has saved."""
        now = monotonic()
        if self._asked is None and now >= self._ask_at:
            self._asked = self._actor.done.remote()
        if self._saved is None and now >= self._save_at:
            self._saved = self._actor.saved.remote(newest_checkpoint(self.run))
        with suppress(self._cluster.ray.exceptions.RayError):  # the end of the call tells of it
            if self._asked is not None and self._is_ready(self._asked, 0):
                asked, self._asked, self._ask_at = self._asked, None, now + ASKS
                self.done = self._cluster.ray.get(asked)
            if self._saved is not None and self._is_ready(self._saved, 0):
                saved, self._saved, self._save_at = self._saved, None, now + SAVES
                if files := self._cluster.ray.get(saved):
                    write_files(self.run, files)
                    self.deaths = 0

    def _is_ready(self, reference: Any, seconds: float) -> bool:
        return bool(self._cluster.ray.wait([reference], num_returns=1, timeout=seconds)[0])
