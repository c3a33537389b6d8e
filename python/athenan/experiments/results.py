"""What the matches of an experiment gave, and the files that keep it: one JSON line each."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, order=True)
class Entrant:
    """A model of a training, or an opponent, whose repetition is 0."""

    variant: str
    repetition: int = 0
    """From 1 on."""


@dataclass(frozen=True)
class SeriesResult:
    """A series: the points of its pairs of matches, from 0 to 2, for the first entrant."""

    game: str
    fraction: float
    a: Entrant
    b: Entrant
    pairs: tuple[float, ...]
    terms: str = ""
    """With what budget, openings and seed it was played; empty in the oldest files."""

    @property
    def key(self) -> tuple[str, float, Entrant, Entrant]:
        """What makes it this series and no other."""
        return self.game, self.fraction, self.a, self.b


@dataclass(frozen=True)
class SoloResult:
    """The scores of one entrant in a game for one, from one opening each."""

    game: str
    fraction: float
    entrant: Entrant
    scores: tuple[float, ...]
    terms: str = ""
    """As in a series."""

    @property
    def key(self) -> tuple[str, float, Entrant]:
        """What makes it this series and no other."""
        return self.game, self.fraction, self.entrant


def seed_of(key: tuple[Any, ...]) -> int:
    """Return a seed that only this series has, on any machine."""
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:4], "big")


def append_line(file: Path, data: dict[str, Any]) -> None:
    """Write a line that no crash can take back."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(data) + "\n")
        lines.flush()
        os.fsync(lines.fileno())


def end_the_last_line(file: Path) -> None:
    """Let what follows begin on a line of its own, after a line that a crash has cut."""
    if file.exists() and (text := file.read_bytes()) and not text.endswith(b"\n"):
        with file.open("ab") as lines:
            lines.write(b"\n")


def lines_of(file: Path) -> Iterator[tuple[int, Any]]:
    """Yield each line with its number, but one that a crash has cut."""
    if not file.exists():
        return
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield number, json.loads(text)
        except ValueError:
            continue
