"""The formats of records, by the ends of file names, and how files are read and written in them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from athenan._core import Error, Game
from athenan.arena.record import Match
from athenan.arena.record_file import read_matches
from athenan.expected import expect_path
from athenan.files import refuse_if_too_large, write_text
from athenan.records.arimaa import read_arimaa, write_arimaa
from athenan.records.ggf import read_ggf, write_ggf
from athenan.records.pdn import read_pdn, write_pdn
from athenan.records.plain import read_plain, write_plain
from athenan.records.sgf_games import read_sgf, write_sgf


class Format(NamedTuple):
    """One format of text files."""

    description: str
    read: Callable[[str, Game | None], list[Match]]
    """Reads matches of the game that is given, or that the text names."""
    write: Callable[[Iterable[Match], Game | None], str]


def _no_reader(_text: str, _game: Game | None) -> list[Match]:
    raise AssertionError("files of JSON lines are read by read_matches")


def _write_lines(matches: Iterable[Match], _game: Game | None) -> str:
    return "".join(json.dumps(match.as_json()) + "\n" for match in matches)


FORMATS = {
    ".jsonl": Format("JSON lines, for every game, with nothing left out", _no_reader, _write_lines),
    ".txt": Format("plain move lists, for every game", read_plain, write_plain),
    ".sgf": Format("SGF: Go, Hex, Havannah", read_sgf, write_sgf),
    ".ggf": Format("GGF: Othello", read_ggf, write_ggf),
    ".pdn": Format("PDN: draughts", read_pdn, write_pdn),
    ".arimaa": Format("Arimaa's notation", read_arimaa, write_arimaa),
}
"""A new format is one file, and one entry here."""


def is_record(path: Path) -> bool:
    """Tell whether a file with such a name exists."""
    try:
        return path.suffix.lower() in FORMATS and path.is_file()
    except (OSError, ValueError):
        return False


def read_records(path: str | os.PathLike[str], game: Game | None = None) -> list[Match]:
    """Read all matches of a file, in the format that its name ends in.

    `game` is for files that do not say which game they hold, and for games written in Python.
    """
    path = expect_path(path, "a file of records")
    form = _format_of(path)
    if not path.is_file():
        raise Error(f"there is no file {path}")
    if path.suffix.lower() == ".jsonl":
        return read_matches(path)
    refuse_if_too_large(path, "record")
    try:
        return form.read(_decoded(path.read_bytes()), game)
    except Error as problem:
        raise Error(f"{path}, {problem}") from None


def write_records(
    path: str | os.PathLike[str], matches: Sequence[Match], game: Game | None = None
) -> None:
    """Write matches to a file, in the format that its name ends in."""
    path = expect_path(path, "a file of records")
    write_text(path, _format_of(path).write(matches, game))


def _format_of(path: Path) -> Format:
    form = FORMATS.get(path.suffix.lower())
    if form is None:
        known = ", ".join(f"{suffix} ({each.description})" for suffix, each in FORMATS.items())
        raise Error(f"the name of a file of records ends in one of {known}; not {path.name!r}")
    return form


def _decoded(data: bytes) -> str:
    """Return the text of a file; old ones are often in Latin-1."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
