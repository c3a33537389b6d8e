"""Checkpoints: everything that a resumed run needs, in one safetensors file.

A checkpoint is written to a temporary name, brought to the disk and renamed; the previous ones stay
until the new one is whole. Its arrays are sealed by a checksum, its plain values are JSON: reading
one never executes code.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from athenan._core import Error
from athenan.runs.files import bring_to_disk

VERSION = 1
Arrays = dict[str, NDArray[Any]]


def write_checkpoint(folder: Path, number: int, arrays: Arrays, values: dict[str, Any]) -> Path:
    """Write checkpoint `number`; a failure leaves the earlier ones as they were."""
    target = folder / f"{number:09d}.safetensors"
    temporary = target.with_suffix(".tmp")
    whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    text = json.dumps({"version": VERSION, "checksum": _checksum(whole, values), "values": values})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_file(whole, temporary, {"athenan-checkpoint": text})
        bring_to_disk(temporary)
        temporary.replace(target)
        bring_to_disk(folder)
    except (OSError, safetensors.SafetensorError) as problem:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise Error(
            f"checkpoint {target} could not be written ({problem}); "
            "the previous checkpoint is intact"
        ) from None
    return target


def read_checkpoint(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Read a checkpoint; anything but a whole one is refused in one sentence."""
    try:
        arrays = load_file(path)
        with safetensors.safe_open(path, "numpy") as file:
            text = (file.metadata() or {}).get("athenan-checkpoint")
    except (OSError, safetensors.SafetensorError, ValueError) as problem:
        raise Error(f"the checkpoint {path} cannot be read: {problem}") from None
    if text is None:
        raise Error(f"the file {path} is not a checkpoint of athenan")
    header = _header(path, text)
    if header["checksum"] != _checksum(arrays, header["values"]):
        raise Error(f"the checkpoint {path} is damaged: its checksum does not match")
    return arrays, dict(header["values"])


def _header(path: Path, text: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
        version, _, _ = header["version"], header["checksum"], header["values"]
    except (ValueError, LookupError, TypeError):
        raise Error(f"the checkpoint {path} is damaged: its header cannot be read") from None
    if version != VERSION:
        raise Error(
            f"the checkpoint {path} has the format {version}, and this athenan reads {VERSION}"
        )
    return dict(header)


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


def set_aside_after(path: Path) -> list[Path]:
    """Rename the checkpoints newer than the one taken, so that none is taken for the latest."""
    newer = [each for each in checkpoints_in(path.parent) if each.name > path.name]
    return [each.rename(each.with_suffix(".damaged")) for each in newer]


def prune(folder: Path, keep: int) -> None:
    """Remove all but the newest checkpoints, and what an interrupted write has left."""
    for path in [*checkpoints_in(folder)[:-keep], *folder.glob("*.tmp")]:
        path.unlink(missing_ok=True)


def _checksum(arrays: Mapping[str, NDArray[Any]], values: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
