"""Standard streams as they may be: closed, without a reader, or poor in characters."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

PLAIN = "athenan-plain"
"""The name of how characters are written that a stream does not have."""
SUBSTITUTES = {
    "–": "-",
    "−": "-",
    "—": "-",
    "×": "x",
    "∞": "inf",
    "…": "...",
    "±": "+-",
    "≤": "<=",
    "≥": ">=",
    "·": ".",
    "é": "e",
    "ç": "c",
    "ã": "a",
    "█": "#",
    "━": "-",
    "╸": "-",
    "╺": "-",
    "’": "'",
    **dict.fromkeys("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "*"),  # what turns while somebody thinks
}


def open_streams() -> None:
    """See that standard streams exist, and that they take every character."""
    codecs.register_error(PLAIN, _in_plain_characters)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (as long as the process)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors=PLAIN)


def discard(stream: TextIO) -> None:
    """Let a stream write to nowhere from now on, because its reader is gone."""
    with suppress(OSError, ValueError):  # it may have no file below it
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _in_plain_characters(problem: UnicodeError) -> tuple[str, int]:
    """Write what a stream cannot: by something like it, or by a question mark."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    missing = problem.object[problem.start : problem.end]
    plain = "".join(SUBSTITUTES.get(character, "?") for character in missing)
    return plain, problem.end
