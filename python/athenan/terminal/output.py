"""Standard output that may end before the program does: a closed pipe, a terminal that is gone."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TextIO


def discard(stream: TextIO) -> None:
    """Let a stream write to nowhere from now on: nobody reads it any more."""
    with suppress(OSError, ValueError):  # it may have no file below it
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
