"""What the matches of an experiment gave, and the files that keep it: one JSON line each.

A line names the models that played, by the beginning of their SHA-256: what models gave that are no
longer there, because their training was begun anew, does not count.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from athenan._core import Error
from athenan.files import locked

DIGITS = 16  # of a digest
T = TypeVar("T")


@dataclass(frozen=True, order=True)
class Entrant:
    """A model of a training, or an opponent."""

    variant: str
    repetition: int = 0
    """From 1 on; 0 of an opponent, which plays a series of its own against each training. In a
    game for one it has one for each repetition."""


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
    models: tuple[str, ...] = ()
    """The digests of the models of both; those of opponents are empty."""
    alone: bool = False
    """Whether each played for itself: then a match is compared with those of several others."""

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
    models: tuple[str, ...] = ()
    """Likewise: of the one."""

    @property
    def key(self) -> tuple[str, float, Entrant]:
        """What makes it this series and no other."""
        return self.game, self.fraction, self.entrant


def seed_of(key: tuple[Any, ...]) -> int:
    """Return a seed that only this series has, on any machine."""
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:4], "big")


def digest_of(file: Path | None) -> str:
    """Return what tells a model file from others; nothing if there is none."""
    if file is None or not file.is_file():
        return ""
    stat = file.stat()
    return _digest(file, stat.st_mtime_ns, stat.st_size)


@cache
def _digest(file: Path, _changed: int, _size: int) -> str:
    """Read a file once: a model meets many others."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:DIGITS]


def are_same(models: Sequence[str], now: Sequence[str]) -> bool:
    """Whether models that played are those that there are, as far as both are known."""
    return all("" in both or both[0] == both[1] for both in zip(models, now, strict=False))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes from working in a folder at the same time."""
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / ".lock") as free:
        if not free:
            raise Error(f"another process works in {folder}: wait for its end, or end it")
        yield


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
    text_of_file = file.read_text(encoding="utf-8", errors="replace")
    for number, text in enumerate(text_of_file.splitlines(), 1):
        try:
            yield number, json.loads(text)
        except ValueError:
            continue


def read_series(file: Path) -> list[SeriesResult]:
    """Return the series of a file."""

    def of(data: dict[str, Any]) -> SeriesResult:
        entrants = Entrant(**data["a"]), Entrant(**data["b"])
        pairs = tuple(map(float, data["pairs"]))
        return SeriesResult(data["game"], float(data["fraction"]), *entrants, pairs, *_basis(data))

    return list(_read(file, of, "a series"))


def read_scores(file: Path) -> list[SoloResult]:
    """Return the scores of a file."""

    def of(data: dict[str, Any]) -> SoloResult:
        entrant, scores = Entrant(**data["entrant"]), tuple(map(float, data["scores"]))
        return SoloResult(data["game"], float(data["fraction"]), entrant, scores, *_basis(data))

    return list(_read(file, of, "a game for one"))


def _basis(data: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    return str(data.get("terms", "")), tuple(map(str, data.get("models", ())))


def _read(file: Path, of: Callable[[dict[str, Any]], T], what: str) -> Iterator[T]:
    for number, data in lines_of(file):
        try:
            yield of(data)
        except (AttributeError, LookupError, TypeError, ValueError):
            raise Error(f"{file}, line {number}: this is no result of {what}") from None
