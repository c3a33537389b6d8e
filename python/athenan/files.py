"""Files that are whole or absent, whatever happens while they are written.

A file is written to a temporary name in its folder, brought to the disk, and only then renamed. A
sealed file is a safetensors file of arrays and plain values under a checksum: anything but a whole
and genuine one is refused in one sentence, and reading it executes nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from athenan._core import Error
from athenan.machine import available_memory

Arrays = dict[str, NDArray[Any]]


@contextmanager
def replacing(path: str | os.PathLike[str], *, lasting: bool = True) -> Iterator[Path]:
    """Give a temporary name to write to; the file takes its place at the end.

    A failure leaves everything as it was. What need not last is not waited for: a loss of power may
    lose it.
    """
    target = Path(path)
    temporary = target.parent / f".{target.name}.{secrets.token_hex(4)}.tmp"
    try:
        yield temporary
        if lasting:
            fsync_path(temporary)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    if lasting:
        fsync_path(target.parent)


def write_bytes(
    path: str | os.PathLike[str], data: bytes | bytearray, *, lasting: bool = True
) -> None:
    """Replace a file by one with these bytes."""
    with replacing(path, lasting=lasting) as temporary:
        temporary.write_bytes(data)


def write_text(path: str | os.PathLike[str], text: str, *, lasting: bool = True) -> None:
    """Replace a file by one with this text."""
    write_bytes(path, text.encode(), lasting=lasting)


def fsync_path(path: Path) -> None:
    """Wait until a file, or the names in a folder, would survive a loss of power."""
    if sys.platform == "win32" and path.is_dir():
        return  # Windows opens no folders
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refuse_if_too_large(path: Path, kind: str) -> None:
    """Refuse a file that this machine has no memory for, before any of it is read."""
    size, available = path.stat().st_size, available_memory()
    if available and size > available:
        raise Error(
            f"the {kind} {path} cannot be read: it has {size / 1e9:,.1f} GB, and "
            f"{available / 1e9:,.1f} GB of memory are free"
        )


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of writes that were killed."""
    for path in folder.glob("*.tmp"):
        path.unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold a lock file; false if another process holds it. A process that dies gives it up."""
    with path.open("a") as file:
        yield _lock(file)


def _lock(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# Sealed files.


def write_sealed(path: Path, kind: str, version: int, arrays: Arrays, values: Any) -> None:
    """Write arrays and plain values."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    header = {"version": version, "checksum": checksum(whole, values), "values": values}
    with replacing(path) as temporary:
        try:
            save_file(whole, temporary, {f"athenan-{kind}": json.dumps(header)})
        except SafetensorError as problem:
            raise OSError(str(problem)) from None


def read_sealed(path: Path, kind: str, *versions: int) -> tuple[Arrays, Any]:
    """Read what `write_sealed` wrote in one of these versions."""
    from safetensors import SafetensorError, safe_open

    try:
        refuse_if_too_large(path, kind)
        with safe_open(path, "numpy") as file:
            text = (file.metadata() or {}).get(f"athenan-{kind}")
            arrays = {name: file.get_tensor(name) for name in file.keys()} if text else {}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError) as problem:
        raise Error(f"the {kind} {path} cannot be read: {problem}") from None
    if text is None:
        raise Error(f"the file {path} is not a {kind} of athenan")
    try:
        header = json.loads(text)
        found, seal, values = header["version"], header["checksum"], header["values"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise Error(f"the {kind} {path} is damaged: its header cannot be read") from None
    if found not in versions:
        known = " and ".join(map(str, versions))
        raise Error(f"the {kind} {path} has the format {found}, and this athenan reads {known}")
    if seal != checksum(arrays, values):
        raise Error(f"the {kind} {path} is damaged: its checksum does not match")
    return arrays, values


def checksum(arrays: Mapping[str, NDArray[Any]], values: Any) -> str:
    """Return the digits that seal a file."""
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
