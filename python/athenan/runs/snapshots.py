"""Snapshots: the models of a run after fractions of its training."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

SUFFIX = ".safetensors"


def snapshot_file(folder: Path, part: float) -> Path:
    """Return the file of the model after this fraction of the training.

    >>> snapshot_file(Path("snapshots"), 0.25).name
    '0.25.safetensors'
    """
    return folder / f"{part:g}{SUFFIX}"


def snapshots_in(folder: Path) -> dict[float, Path]:
    """Return the snapshots of a folder by their fractions, in order."""
    found = {}
    for file in folder.glob(f"*{SUFFIX}"):
        with suppress(ValueError):
            found[float(file.name.removesuffix(SUFFIX))] = file
    return dict(sorted(found.items()))


def drop_snapshots(folder: Path, done: float) -> None:
    """Remove those of work that a run resumed when so much was done will do again."""
    for part, file in snapshots_in(folder).items():
        if part > done:
            file.unlink(missing_ok=True)
