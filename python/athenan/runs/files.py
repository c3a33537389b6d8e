"""Files that are whole or absent, whatever happens while they are written."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Replace a file by one with this text; a failure leaves the old one as it was."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        bring_to_disk(temporary)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    bring_to_disk(path.parent)


def bring_to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, would survive a loss of power."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of writes that were killed."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)
