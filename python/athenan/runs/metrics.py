"""The metrics of a run: means over short intervals, as JSON lines and for TensorBoard."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from athenan.learning.events import MatchLearned

Line = dict[str, Any]


@dataclass
class Interval:
    """The matches since the last line."""

    started: float
    matches: list[MatchLearned] = field(default_factory=list)

    def line(self, seconds: float) -> Line:
        """Return the means over the interval that ends now."""
        elapsed = max(seconds - self.started, 1e-9)
        count = len(self.matches)
        learned = sum(m.learned for m in self.matches)
        return {
            "kind": "training",
            "seconds": round(seconds, 3),
            "matches": self.matches[-1].matches,
            "loss": _mean((m.loss * m.learned for m in self.matches), learned),
            "length": _mean((m.length for m in self.matches), count),
            "first_player_wins": _mean(((m.outcome + 1) / 2 for m in self.matches), count),
            "start_value": _mean((m.start_value for m in self.matches), count),
            "generated": sum(m.generated for m in self.matches),
            "learned": learned,
            "expansions": sum(m.expansions for m in self.matches),
            "evaluations": sum(m.evaluations for m in self.matches),
            "trees_cut": sum(m.trees_cut for m in self.matches),
            "states_per_second": round(sum(m.evaluations for m in self.matches) / elapsed, 1),
            "learned_per_second": round(learned / elapsed, 1),
            "matches_per_hour": round(3600 * count / elapsed, 1),
        }


class MetricsFile:
    """metrics.jsonl: one JSON object per line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, line: Line) -> None:
        """Add a line."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def forget_after(self, matches: int) -> None:
        """Drop the lines of work that a resumed run will do again."""
        kept = [line for line in read_metrics(self.path) if line["matches"] <= matches]
        text = "".join(json.dumps(line) + "\n" for line in kept)
        temporary = self.path.with_suffix(".tmp")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(self.path)


def read_metrics(path: Path) -> Iterator[Line]:
    """Yield the whole lines of a metrics file; a last line cut by a crash is left out."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict) and "kind" in line and "matches" in line:
                yield line


class TensorBoard:
    """Writes the numbers of each line for TensorBoard; does nothing where it is not installed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: Any = None
        self._installed = importlib.util.find_spec("tensorboard") is not None

    def append(self, line: Line) -> None:
        """Add the numbers of a line."""
        if not self._installed:
            return
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(self._folder))
        for name, value in line.items():
            if isinstance(value, int | float) and name not in ("matches", "seconds"):
                self._writer.add_scalar(f"{line['kind']}/{name}", value, line["matches"])

    def close(self) -> None:
        """Write what is left."""
        if self._writer is not None:
            self._writer.close()


def _mean(values: Iterator[float], count: float) -> float:
    return round(sum(values) / count, 6) if count else 0.0
