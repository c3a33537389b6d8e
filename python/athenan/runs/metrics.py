"""The metrics of a run: means over short intervals, as JSON lines and for TensorBoard."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from athenan.files import fsync_path, write_text
from athenan.learning.events import MatchLearned, Standing

Line = dict[str, Any]
MAX_LINE = 10**5  # characters
MAX_WORKERS = 64  # that are told of one by one
FORMER_NAMES: dict[str, str] = {"trees_cut": "memory_full", "matches_at_a_time": "concurrency"}


@dataclass
class Period:
    """The matches learned since the last line, and where the process stood then."""

    start: Standing
    matches: list[MatchLearned] = field(default_factory=list)

    def line(self) -> Line:
        """Return the means over the period, which ends with its last match.

        All but the two speeds is about the matches that ended. Self-play is measured by the states
        that it evaluated meanwhile, in whichever matches: these end in bursts.
        """
        end = self.matches[-1].at
        elapsed = max(end.seconds - self.start.seconds, 1e-3)
        evaluated = end.work.evaluations - self.start.work.evaluations
        count = len(self.matches)
        learned = sum(m.learned for m in self.matches)
        losses = {"loss": [m.loss * m.learned for m in self.matches]}
        if any(m.move_loss is not None for m in self.matches):
            losses["move_loss"] = [(m.move_loss or 0) * m.learned for m in self.matches]
        return {
            "kind": "training",
            "seconds": round(end.seconds, 3),
            "matches": end.matches,
            **{name: _mean(summed, learned) for name, summed in losses.items()},
            "length": _mean((m.length for m in self.matches), count),
            "first_player_wins": _mean(((m.outcome + 1) / 2 for m in self.matches), count),
            "start_value": _mean((m.start_value for m in self.matches), count),
            "generated": sum(m.generated for m in self.matches),
            "learned": learned,
            "expansions": sum(m.expansions for m in self.matches),
            "evaluations": sum(m.evaluations for m in self.matches),
            "memory_full": sum(m.memory_full for m in self.matches),
            "states_per_second": round(evaluated / elapsed, 1),
            "learned_per_second": round(learned / elapsed, 1),
            "matches_per_hour": round(3600 * count / elapsed, 1),
            "concurrency": end.playing,
            **_of_workers(self.start, end, elapsed),
        }


def _of_workers(start: Standing, end: Standing, elapsed: float) -> Line:
    """Return how the workers of self-play beyond this process fare, if there are any."""
    if not end.workers:
        return {}
    before = {worker.name: worker.evaluations for worker in start.workers}
    line = {
        "workers_alive": sum(worker.alive for worker in end.workers),
        "workers_lost": sum(worker.lost for worker in end.workers),
        "staleness": max(worker.staleness for worker in end.workers),
        "waiting": end.waiting,
    }
    each = [
        {
            "name": worker.name,
            "place": worker.place,
            "alive": worker.alive,
            "states_per_second": round(
                (worker.evaluations - before.get(worker.name, 0)) / elapsed, 1
            ),
            "staleness": worker.staleness,
            "playing": worker.playing,
            "orders": worker.calls,
            "lost": worker.lost,
        }
        for worker in end.workers[:MAX_WORKERS]
    ]
    return line | {"workers": each} | ({"dashboard": end.dashboard} if end.dashboard else {})


class MetricsFile:
    """metrics.jsonl: one JSON object per line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, line: Line) -> None:
        """Add a line."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(as_text([line]))

    def sync(self) -> None:
        """Wait until all lines would survive a loss of power."""
        if self.path.exists():
            fsync_path(self.path)

    def forget_after(self, matches: int) -> list[Line]:
        """Drop the lines of work that a resumed run will do again; return the others."""
        kept = [line for line in read_metrics(self.path) if line["matches"] <= matches]
        write_text(self.path, as_text(kept))
        return kept


def as_text(lines: Iterable[Line]) -> str:
    """Return lines as a metrics file has them."""
    return "".join(json.dumps(line) + "\n" for line in lines)


def read_metrics(path: Path) -> Iterator[Line]:
    """Yield the lines of a metrics file; one cut by a crash, or of anything else, is left out."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        while text := file.readline(MAX_LINE):
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(line, dict) and _is_metrics(line):
                yield {FORMER_NAMES.get(name, str(name)): line[name] for name in line}


def _is_metrics(line: Line) -> bool:
    """Tell whether a line says what it is about, and when it was."""
    matches, seconds = line.get("matches"), line.get("seconds", 0)
    times = isinstance(matches, int) and isinstance(seconds, int | float)
    return times and line.get("kind") in ("training", "evaluation")


class TensorBoard:
    """Writes the numbers of each line for TensorBoard; does nothing where it is not installed.

    What it writes is a copy of metrics.jsonl: a failure of it stops nothing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: Any = None
        self._hidden_from: int | None = None
        self._installed = importlib.util.find_spec("tensorboard") is not None

    def hide_after(self, matches: int) -> None:
        """Hide what an earlier session wrote of later matches."""
        self._hidden_from = matches + 1

    def append(self, line: Line) -> None:
        """Add the numbers of a line."""
        if not self._installed:
            return
        with suppress(Exception):  # versions of it and of what it needs may not fit together
            if self._writer is None:
                from torch.utils.tensorboard import SummaryWriter

                self._writer = SummaryWriter(str(self._folder), purge_step=self._hidden_from)
            for name, value in line.items():
                if isinstance(value, int | float) and name not in ("matches", "seconds"):
                    self._writer.add_scalar(f"{line['kind']}/{name}", value, line["matches"])
            for worker in line.get("workers", ()):
                for name in ("states_per_second", "staleness", "playing", "orders"):
                    tag = f"{worker['name']}/{name}"
                    self._writer.add_scalar(tag, worker[name], line["matches"])

    def close(self) -> None:
        """Write what is left."""
        if self._writer is not None:
            with suppress(Exception):
                self._writer.close()


def _mean(values: Iterable[float], count: float) -> float:
    return round(sum(values) / count, 6) if count else 0.0
