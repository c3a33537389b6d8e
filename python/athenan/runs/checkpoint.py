"""Checkpoints: everything that a resumed run needs, in one sealed file.

The previous ones stay until a new one is whole.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from athenan._core import Error
from athenan.files import Arrays, read_sealed, remove_leftovers, write_sealed

KIND, VERSION = "checkpoint", 1


def write_checkpoint(folder: Path, number: int, arrays: Arrays, values: dict[str, Any]) -> Path:
    """Write checkpoint `number`; a failure leaves the earlier ones as they were."""
    target = folder / f"{number:09d}.safetensors"
    try:
        folder.mkdir(exist_ok=True)
        write_sealed(target, KIND, VERSION, arrays, values)
    except OSError as problem:
        raise Error(
            f"checkpoint {target} could not be written ({problem}); "
            "the previous checkpoint is intact"
        ) from None
    return target


def read_checkpoint(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Read a checkpoint; anything but a whole one is refused in one sentence."""
    arrays, values = read_sealed(path, KIND, VERSION)
    return arrays, dict(values)


def checkpoints_in(folder: Path) -> list[Path]:
    """Return the checkpoints of a folder, oldest first."""
    return sorted(folder.glob("[0-9]*.safetensors"))


def latest_readable(folder: Path) -> tuple[Path, Arrays, dict[str, Any]]:
    """Return the newest checkpoint that can be read."""
    problems = []
    for path in reversed(checkpoints_in(folder)):
        try:
            return path, *read_checkpoint(path)
        except Error as problem:
            problems.append(str(problem))
    raise Error(problems[0] if problems else f"there is no checkpoint in {folder}")


def moments_of(model: Path) -> Arrays:
    """Return the moments of Adam of the run whose latest model this is."""
    folder = model.parent / "checkpoints"
    if not folder.is_dir():
        raise Error(f"{model} is not the model of a run: its optimiser is not known")
    _, arrays, _ = latest_readable(folder)
    adam = "adam."
    return {name.removeprefix(adam): a for name, a in arrays.items() if name.startswith(adam)}


def set_aside_after(path: Path) -> list[Path]:
    """Rename the checkpoints newer than the one taken, so that none is taken for the latest."""
    newer = [each for each in checkpoints_in(path.parent) if each.name > path.name]
    return [each.rename(each.with_suffix(".damaged")) for each in newer]


def prune(folder: Path, keep: int) -> None:
    """Remove all but the newest checkpoints, and what an interrupted write has left."""
    for path in checkpoints_in(folder)[:-keep]:
        path.unlink(missing_ok=True)
    remove_leftovers(folder)
