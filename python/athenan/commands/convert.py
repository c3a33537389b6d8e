"""`athenan convert`: records of matches, from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from athenan.commands.arguments import given_game
from athenan.games.words import counted
from athenan.records import FORMATS, read_records, refuse_illegal, write_records
from athenan.terminal.page import say
from athenan.terminal.waiting import shown

KNOWN = ", ".join(f"{suffix} ({each.description})" for suffix, each in FORMATS.items())


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", help=f"A file of records. Its suffix says the format: {KNOWN}."
        ),
    ],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write, with one of these suffixes.")
    ],
    game: Annotated[
        str | None,
        typer.Option(help="The game, if the file does not name it, or its Python file."),
    ] = None,
) -> None:
    """Convert records of matches: SGF, GGF, PDN, Arimaa's notation, plain moves, JSON lines.

    Every match is replayed by athenan's rules; an illegal move is reported with its line or match.
    """
    made = given_game(game)
    with shown(lambda: f"replaying the matches of {source}"):
        matches = read_records(source, made)
        if source.suffix.lower() == ".jsonl":  # other formats are replayed as they are read
            refuse_illegal(matches, source, made)
        write_records(target, matches, made)
    say(f"{counted(len(matches), 'match')} written to {target}")
