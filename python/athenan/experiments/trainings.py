"""The trainings of an experiment: processes side by side, each with a run of its own.

Runs make it resumable: what was trained is found again, what was begun goes on from its last
checkpoint.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Protocol

from pydantic import BaseModel

from athenan._core import Error, Stop, Stopped
from athenan.devices import resolve_device
from athenan.experiments.plan import ExperimentPlan, Job
from athenan.files import remove_leftovers
from athenan.learning.settings import Config
from athenan.machine import available_cores
from athenan.runs import Run
from athenan.runs.snapshots import snapshot_file

PERIOD = 0.2  # seconds between two looks at the processes
PATIENCE = 60.0  # seconds that a training has to save itself


@dataclass(frozen=True)
class Progress:
    """How far the trainings have come."""

    finished: int
    total: int
    under_way: dict[str, float]
    """The part that is done of each training under way, by its name."""


class TrainingUnderWay(Protocol):
    """A training under way: from wherever its run stands to the end that its settings name."""

    @property
    def done(self) -> float:
        """The part of it that is over."""

    def wait(self, seconds: float) -> None:
        """Wait for its end, but not for long."""

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, well or not."""

    def check(self, is_whole: bool = True) -> None:
        """Complain if it ended before its training did."""

    def ask_to_end(self) -> None:
        """Let it save itself and end."""

    def end(self) -> None:
        """Wait until it has ended."""


class Trainers(Protocol):
    """Who trains runs, several side by side."""

    @property
    def room(self) -> int:
        """How many there is room for now."""

    @property
    def threads(self) -> int:
        """Of each training."""

    def begin(self, run: Run) -> TrainingUnderWay:
        """Begin to train a run."""


@dataclass(frozen=True)
class LocalTrainers:
    """Processes on this machine, which share its cores."""

    room: int

    @property
    def threads(self) -> int:
        """Of each training."""
        return max(1, available_cores() // self.room)

    def begin(self, run: Run) -> TrainingProcess:
        """Begin to train a run."""
        return TrainingProcess(run)


def train_all(
    plan: ExperimentPlan,
    folder: Path,
    *,
    report: Callable[[Progress], None] = lambda _progress: None,
    stop: Stop | None = None,
    trainers: Trainers | None = None,
) -> None:
    """Train whatever is not trained yet; a request to stop saves everything and raises Stopped."""
    jobs = list(plan.jobs(folder))
    configs = {job: plan.config(job) for job in jobs}
    usual = min(len(jobs), _as_many_as_fit(configs[jobs[0]]))
    trainers = trainers or LocalTrainers(plan.at_a_time or usual)
    for job in jobs:
        _prepare(job, _with_threads(configs[job], trainers.threads))
    waiting = deque(job for job in jobs if not is_trained(plan, job))
    finished = len(jobs) - len(waiting)
    active: dict[Job, TrainingUnderWay] = {}
    try:
        while waiting or active:
            if stop and stop.requested:
                raise Stopped("the experiment was stopped")
            room = min(plan.at_a_time or trainers.room, trainers.room)
            while waiting and len(active) < room:
                job = waiting.popleft()
                active[job] = trainers.begin(job.run)
            next(iter(active.values())).wait(PERIOD)
            for job in [job for job, process in active.items() if process.has_ended]:
                active.pop(job).check(is_trained(plan, job))
                finished += 1
            done = {job.name: process.done for job, process in active.items()}
            report(Progress(finished, len(jobs), done))
    finally:
        end_all(active.values())


def is_trained(plan: ExperimentPlan, job: Job) -> bool:
    """Whether all models that the contest wants of a training are there."""
    return all(snapshot_file(job.run.snapshots, part).exists() for part in plan.contest.fractions)


def _as_many_as_fit(config: Config) -> int:
    return available_cores() if resolve_device(config.hardware.device) == "cpu" else 1


def _with_threads(config: Config, threads: int) -> Config:
    """Give a training its threads, unless the plan says how many each has."""
    if config.hardware.threads:
        return config
    hardware = config.hardware.model_copy(update={"threads": threads})
    return config.model_copy(update={"hardware": hardware})


def _prepare(job: Job, config: Config) -> None:
    """Make the directory of a training; one that is there must have the same settings."""
    run = job.run
    if not run.config_file.is_file():
        remove_leftovers(run.path)
        run.create(config)
        return
    here = run.config()
    if other := [name for name in differing(here, config) if not name.startswith("hardware")]:
        hint = "give new variants their place after the others, " if other == ["seed"] else ""
        raise Error(
            f"the run {run.path} has other settings than the plan ({', '.join(other)}): change the "
            f"plan back, {hint}name the variant anew, or choose another directory with --run"
        )
    files = [snapshot_file(run.snapshots, part) for part in config.checkpoints.snapshots]
    for earlier, later in pairwise(files):
        if later.exists() and not earlier.exists():
            raise Error(
                f"{earlier} is gone, and cannot be made of a later model: remove {run.path}, and "
                "it is trained anew"
            )


def differing(one: BaseModel, other: BaseModel) -> list[str]:
    """Return the names of the settings in which two trees differ."""
    names = []
    for name in type(one).model_fields:
        a, b = getattr(one, name), getattr(other, name)
        if isinstance(a, BaseModel) and type(a) is type(b):
            names += [f"{name}.{inner}" for inner in differing(a, b)]
        elif a != b:
            names.append(name)
    return names


class TrainingProcess:
    """A training under way in a process of this machine."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.done = 0.0
        self._log = run.path / "log.txt"
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "athenan.experiments.trainee", str(run.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # Ctrl-C reaches the parent alone, which asks it to end
            )
        assert self._process.stdout is not None
        self._reader = threading.Thread(
            target=self._read, args=(self._process.stdout,), daemon=True
        )
        self._reader.start()

    def _read(self, lines: IO[str]) -> None:
        for line in lines:
            try:
                self.done = float(json.loads(line)["done"])
            except (ValueError, TypeError, LookupError):
                continue  # printed by a game or a network of the user's

    def wait(self, seconds: float) -> None:
        """Wait for its end, but not for long."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, well or not."""
        return self._process.poll() is not None

    def check(self, is_whole: bool = True) -> None:
        """Complain if it ended before its training did."""
        self._reader.join(PATIENCE)
        if self._process.returncode != 0 or not is_whole:
            said = self._log.read_text(errors="replace").splitlines()
            last = said[-1] if said else f"exit code {self._process.returncode}"
            raise Error(f"the training {self.run.path} failed: {last}")

    def ask_to_end(self) -> None:
        """Let it save itself and end."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def end(self) -> None:
        """Wait until it has ended; one that does not end is killed, and loses little."""
        self.wait(PATIENCE)
        if not self.has_ended:
            self._process.kill()
            self._process.wait()


def end_all(trainings: Collection[TrainingUnderWay]) -> None:
    """Let trainings save themselves and end, all at the same time."""
    for training in trainings:
        training.ask_to_end()
    for training in trainings:
        training.end()
