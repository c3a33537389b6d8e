"""Sentences and tables for people: at any width no word is broken and nothing is cut off.

In a terminal lines end at words. Elsewhere, in a pipe or a file, a sentence is one line and so is a
row, for programs that search them.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TextIO

import typer

GAP = "  "
INDENT = "    "
RIGHT = ">"
LEAST = 16
"""Columns that the last cells of a table need at least to go on below themselves."""
Row = Sequence[str] | str
"""The cells of a row, or a remark below the one before it."""


def say(sentence: str = "", err: bool = False) -> None:
    """Print a sentence, or several lines of them."""
    width = width_of(sys.stderr if err else sys.stdout)
    for line in sentence.split("\n"):
        typer.echo(wrapped(line, width), err=err)


def print_table(columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Print a table; if it is wider than the terminal, a paragraph for each of its rows.

    Words of the last column go on in the next line before it comes to that.

    A column whose name begins with `RIGHT` is aligned on the right.
    """
    typer.echo("\n".join(table(columns, rows, width_of(sys.stdout))))


def table(columns: Sequence[str], rows: Sequence[Row], width: int | None) -> Iterator[str]:
    """Return the lines of a table that may be so wide; None: as wide as it is."""
    names = [name.removeprefix(RIGHT) for name in columns]
    cells = [names, *(row for row in rows if not isinstance(row, str))]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    before = sum(widths[:-1]) + len(GAP) * (len(widths) - 1)
    room = None if width is None else width - before
    words_wrap = not columns[-1].startswith(RIGHT)
    if room is not None and room < (min(LEAST, widths[-1]) if words_wrap else widths[-1]):
        yield from _paragraphs(names, rows, width or 0)
        return
    sides = [">" if name.startswith(RIGHT) else "<" for name in columns]
    for row in [names, *rows]:
        if isinstance(row, str):
            yield wrapped(f"{INDENT}{row}", width, INDENT + GAP)
            continue
        first, *others = wrapped(row[-1], room, "").split("\n")
        padded = zip([*row[:-1], first], sides, widths, strict=True)
        yield GAP.join(f"{cell:{side}{w}}" for cell, side, w in padded).rstrip()
        yield from (" " * before + line for line in others)


def wrapped(text: str, width: int | None, indent: str = GAP) -> str:
    """Return a line as several that are so wide at most, those after the first one indented."""
    if width is None or len(text) <= width:
        return text
    lines = textwrap.wrap(
        text,
        width,
        subsequent_indent=indent,
        break_long_words=False,  # a position or a path is one word, to be copied
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def width_of(stream: TextIO) -> int | None:
    """Return how wide the lines of a stream may be; None if it is no terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def _paragraphs(names: Sequence[str], rows: Sequence[Row], width: int) -> Iterator[str]:
    for row in rows:
        if isinstance(row, str):
            yield wrapped(f"{INDENT}{row}", width, INDENT + GAP)
            continue
        yield wrapped(row[0], width)
        said = [f"{name}: {cell}" if name else cell for name, cell in zip(names, row, strict=True)]
        facts = [fact for fact, cell in zip(said[1:], row[1:], strict=True) if cell]
        if facts:
            yield wrapped(INDENT + "; ".join(facts), width, INDENT)
