"""Workers beside one learner on the same GPU, against one process: `cluster.py gpu`."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean

from athenan.cluster import Cluster, ClusterSource, connected
from athenan.learning import complete_config, merged, parse_assignments, preset
from athenan.learning.concurrency import Plan
from athenan.learning.events import Event, Preparing
from athenan.learning.settings import Config
from athenan.learning.training import Training
from rich.console import Console
from rich.table import Table
from selfplay import Progress, begun, with_concurrency
from watched import Middle

SETTLE = 2.0  # seconds of a turn before it counts: all matches are under way again by then
REST = 2.0  # seconds until what is under way has ended, about
ENDING = 8.0  # seconds to close everything, about
SHORTEST = 2.0  # seconds of a turn that say anything


class FromTheMiddle(ClusterSource):
    """Workers whose first matches begin in the middle, as those of the single process do."""

    def __init__(self, cluster: Cluster, config: Config, plan: Plan, workers: int) -> None:
        super().__init__(cluster, config, plan, workers)
        self._middle = Middle(plan.game, config.selfplay.matches)

    def add(self, index: int, seed: int, progress: float, opening: Sequence[int] = ()) -> None:
        super().add(index, seed, progress, opening or self._middle.opening(index))


@dataclass(frozen=True)
class Rates:
    """Of one turn."""

    states: float
    learned: float
    matches: float
    waiting: int
    """Matches that wait to be learned, at its end."""


class Kind:
    """A training that takes turns with another one."""

    def __init__(self, name: str, training: Training) -> None:
        self.name = name
        self.training = training
        self.events: Iterator[Event] = training.events()
        self.turns: list[Rates] = []

    def turn(self, seconds: float) -> Rates:
        """Go on for some seconds, then come to rest, which does not count."""
        start: float | None = None
        before: Progress | None = None
        for event in self.events:
            if isinstance(event, Preparing):
                continue
            now = time.perf_counter()
            start = start or now
            if before is None and now - start >= SETTLE:
                before = Progress.of(self.training)
            elif before is not None and now - before.elapsed >= seconds:
                break
        assert before is not None
        done = Progress.of(self.training) - before
        waiting = self.training.standing.waiting
        self.training.rest()
        return Rates(
            states=done.work.evaluations / done.elapsed,
            learned=done.learned / done.elapsed,
            matches=done.matches / done.elapsed,
            waiting=waiting,
        )

    def mean(self, name: str) -> float:
        return float(mean(getattr(turn, name) for turn in self.turns))


class Lines:
    """What is measured, line by line in a file: an end before its time leaves all until then."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._began = time.perf_counter()

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self._began

    def add(self, **what: object) -> None:
        line = json.dumps({"at": round(self.elapsed, 1)} | what)
        print(line, flush=True)
        if self._file is not None:
            with self._file.open("a") as file:
                file.write(line + "\n")


def pairs_of_turns(
    both: tuple[Kind, Kind], given: argparse.Namespace, lines: Lines
) -> Iterator[tuple[Rates, Rates]]:
    """Let both take turns; they are shorter, or fewer, where the time is limited."""
    for pair in range(given.repetitions):
        seconds = given.seconds
        if given.limit:
            left = (given.limit - ENDING - lines.elapsed) / (2 * (given.repetitions - pair))
            seconds = min(seconds, left - SETTLE - REST)
        if seconds < SHORTEST:
            lines.add(ended=f"no time for another turn of {SHORTEST:.0f} s each")
            return
        for kind in both:
            rates = kind.turn(seconds)
            kind.turns.append(rates)
            lines.add(turn=pair + 1, kind=kind.name, seconds=round(seconds, 1), **asdict(rates))
        yield both[0].turns[-1], both[1].turns[-1]


def main(given: argparse.Namespace) -> None:
    """Measure by turns, and print a table."""
    lines = Lines(given.lines)
    settings = merged(preset(given.preset), {"hardware": {"device": given.device}})
    config = complete_config(merged(settings, parse_assignments(given.settings)))
    config = with_concurrency(config.model_copy(update={"stop": type(config.stop)()}))
    many = given.factor * config.selfplay.matches
    more = config.model_copy(
        update={"selfplay": config.selfplay.model_copy(update={"matches": many})}
    )
    with connected(processes=given.workers) as cluster:
        lines.add(connected=True)
        source = FromTheMiddle(cluster, more, Plan.of(more), given.workers)
        source.crew.look_around()  # the workers begin while this process compiles its networks
        names = "one process", f"{given.workers} workers"
        both = Kind(names[0], begun(config)), Kind(names[1], Training(more, source=source))
        try:
            for kind in both:
                kind.turn(given.warm_up)
                lines.add(warm=kind.name)
            lines.add(places=[worker.place for worker in source.workers])
            for one, workers in pairs_of_turns(both, given, lines):
                lines.add(
                    states_ratio=round(workers.states / one.states, 3),
                    learned_ratio=round(workers.learned / max(one.learned, 1e-9), 3),
                )
        finally:
            for kind in both:
                kind.training.close()
    if both[0].turns:
        show(both, [config.selfplay.matches, many])
    lines.add(lost=source.crew.losses, ended="all turns done")


def show(both: tuple[Kind, Kind], matches: list[int]) -> None:
    one, workers = both
    table = Table(f"{len(one.turns)} turns", one.name, workers.name, "ratio")
    table.add_row("matches at a time", *map(str, matches))
    lines = {"states": "self-play, states/s", "learned": "learned, samples/s"}
    for name, text in (lines | {"matches": "learned, matches/s"}).items():
        rates = one.mean(name), workers.mean(name)
        digits = 2 if name == "matches" else 0
        each = (f"{rate:,.{digits}f}" for rate in rates)
        table.add_row(text, *each, f"{rates[1] / max(rates[0], 1e-9):.3f}")
    pairs = list(zip(one.turns, workers.turns, strict=True))
    for name, text in lines.items():
        ratios = (getattr(theirs, name) / max(getattr(own, name), 1e-9) for own, theirs in pairs)
        table.add_row(f"{text}: ratio of each", "", "", ", ".join(f"{r:.3f}" for r in ratios))
    waiting = (f"{kind.mean('waiting'):.1f}" for kind in both)
    table.add_row("matches waiting to be learned", *waiting)
    Console().print(table)
