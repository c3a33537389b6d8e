"""Training by a plan: stretch after stretch, some side by side, each where the last one stopped.

Beside the plan lie its ledger, a table made from it, and a light checkpoint per item: with these a
plan goes on on another machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from athenan._core import Error, Stop
from athenan.experiments.results import append_line, end_the_last_line
from athenan.experiments.training_plan import (
    Stretch,
    TrainingPlan,
    minutes_of_next,
    next_item,
    read_ledger,
    report,
)
from athenan.experiments.trainings import PERIOD, TrainingProcess, end_all
from athenan.files import write_text
from athenan.learning.schedule import Counters
from athenan.learning.settings import Config
from athenan.runs import Run
from athenan.runs.checkpoint import checkpoints_in, latest_readable
from athenan.runs.export import export_run, exported_counters, import_run
from athenan.runs.metrics import read_metrics

MIN_STRETCH = 0.02  # minutes: less is not worth starting a process
SLACK = 0.01  # minutes: what is written down is rounded
KEPT = ("game", "game_sha256", "seed", "network", "origin", "keep_optimiser")
"""Settings that a run keeps, whatever the plan says later."""


@dataclass(frozen=True)
class Workshop:
    """A plan and where its things lie."""

    plan: TrainingPlan
    folder: Path
    """Of the plan: the ledger, its table and light checkpoints are kept there."""
    runs: Path
    hardware: str = ""

    @property
    def ledger(self) -> Path:
        """All stretches, one line of JSON each."""
        return self.folder / "spent.jsonl"

    @property
    def page(self) -> Path:
        """The table."""
        return self.folder / "spent.md"

    def run(self, name: str) -> Run:
        """Return where an item is trained."""
        return Run(self.runs / name)

    def light(self, name: str) -> Path:
        """Return its checkpoint without the replay memory."""
        return self.folder / "light" / f"{name}.run"

    def prepare(self, name: str, minutes: float) -> Counters:
        """Make a run ready for so many minutes more; return what it has done."""
        run, item, light = self.run(name), self.plan.items[name], self.light(name)
        had = counters_of(run)
        if light.is_file() and exported_counters(light).seconds > had.seconds:
            _set_aside(run)
            run.path.parent.mkdir(parents=True, exist_ok=True)
            import_run(light, run)
            had = counters_of(run)
        config = item.config(had.seconds / 60 + minutes)
        if run.config_file.is_file():
            run.write_config(_going_on(config, run, name))
        else:
            run.create(config)
        return had

    def settle(self, name: str, had: Counters) -> Stretch:
        """Write down what a stretch brought, and keep its light checkpoint."""
        run = self.run(name)
        counters = counters_of(run)
        run_minutes = counters.seconds / 60
        # A run may have begun with a model: what that one was given is in the ledger, too. And it
        # may have got more than is written down, in a stretch that was killed.
        known = [each for each in read_ledger(self.ledger) if each.item == name]
        before_minutes, before_matches = had.seconds / 60, had.matches
        if known and 0 < known[-1].run_minutes <= before_minutes + SLACK:
            before_minutes, before_matches = known[-1].run_minutes, known[-1].run_matches
        minutes = max(0.0, run_minutes - before_minutes)
        matches = max(0, counters.matches - before_matches)
        found = Stretch(
            item=name,
            hardware=self.hardware,
            minutes=round(minutes, 2),
            minutes_in_all=round(known[-1].minutes_in_all + minutes if known else run_minutes, 2),
            matches=known[-1].matches + matches if known else counters.matches,
            run_minutes=round(run_minutes, 2),
            run_matches=counters.matches,
            **_evaluated(run, counters.matches),
        )
        end_the_last_line(self.ledger)
        append_line(self.ledger, found.model_dump(exclude_defaults=True))
        self.light(name).parent.mkdir(parents=True, exist_ok=True)
        export_run(run, self.light(name))
        self.write_page()
        return found

    def write_page(self) -> None:
        """Make the table from the ledger."""
        write_text(self.page, report(self.plan, read_ledger(self.ledger)))


def counters_of(run: Run) -> Counters:
    """Return what a run has done; nothing, if it has no checkpoint."""
    if not run.checkpoints.is_dir() or not checkpoints_in(run.checkpoints):
        return Counters()
    _, _, values = latest_readable(run.checkpoints)
    return Counters(**values["counters"])


def _set_aside(run: Run) -> None:
    """Rename a run that is behind its light checkpoint: it went on on another machine."""
    number = 1
    while (behind := run.path.with_name(f"{run.path.name}-behind-{number}")).exists():
        number += 1
    if run.path.exists():
        run.path.rename(behind)


def _going_on(config: Config, run: Run, name: str) -> Config:
    """Return the settings of the plan for a run that is there, but for those that it keeps."""
    here = run.config()
    for setting in ("game", "network"):
        if getattr(here, setting) != getattr(config, setting):
            raise Error(
                f"the run {run.path} has another {setting} than {name} in the plan: change the "
                "plan back, or give the item another name"
            )
    return config.model_copy(update={kept: getattr(here, kept) for kept in KEPT})


def _evaluated(run: Run, matches: int) -> dict[str, Any]:
    """Return the evaluation of the network as it is now, if there was one."""
    lines = [line for line in read_metrics(run.metrics) if line["kind"] == "evaluation"]
    if not lines or lines[-1]["matches"] != matches:
        return {}
    last = lines[-1]
    found = {name: last[name] for name in ("opponent", "played", "low", "high") if name in last}
    return found | {"score": last.get("win_rate", last.get("mean_score"))}


def train_by_plan(
    workshop: Workshop,
    minutes: float,
    *,
    tell: Callable[[str], None] = lambda _sentence: None,
    hear: Callable[[dict[str, float]], None] = lambda _under_way: None,
    stop: Stop | None = None,
) -> list[Stretch]:
    """Give stretches to items for so many minutes in all; return what each brought.

    Items that train at the same time share the machine. A request to stop ends all of them with a
    checkpoint, and what they had is written down. `hear` is told now and then how far those under
    way are.
    """
    ends, plan = time.monotonic() + 60 * minutes, workshop.plan
    active: dict[str, tuple[TrainingProcess, Counters]] = {}
    done: list[Stretch] = []
    try:
        while True:
            left = (ends - time.monotonic()) / 60
            stopped = stop is not None and stop.requested
            while not stopped and left > MIN_STRETCH and len(active) < plan.side_by_side:
                name = next_item(plan, read_ledger(workshop.ledger), active)
                if name is None:
                    break
                stretch = min(minutes_of_next(plan, name, read_ledger(workshop.ledger)), left)
                had = workshop.prepare(name, stretch)
                tell(f"{name}: {stretch:.3g} minutes, after {had.seconds / 60:.1f}")
                active[name] = TrainingProcess(workshop.run(name)), had
            if not active or stopped:
                return done
            next(iter(active.values()))[0].wait(PERIOD)
            hear({name: process.done for name, (process, _) in active.items()})
            for name in [each for each in active if active[each][0].has_ended]:
                process, had = active.pop(name)
                process.check()
                done.append(workshop.settle(name, had))
                tell(f"{name}: {_in_words(done[-1])}")
    finally:
        end_all([process for process, _ in active.values()])
        for name, (_, had) in active.items():
            if counters_of(workshop.run(name)).seconds > had.seconds:
                done.append(workshop.settle(name, had))
                tell(f"{name}: ended early; {_in_words(done[-1])}")


def _in_words(stretch: Stretch) -> str:
    words = f"{stretch.minutes_in_all:.1f} minutes in all, {stretch.matches:,} matches"
    if stretch.score is None:
        return words
    against = f" against {stretch.opponent}" if stretch.opponent else ""
    return f"{words}; {stretch.score:.3g}{against}"
