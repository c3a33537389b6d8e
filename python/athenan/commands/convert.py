"""`athenan convert`: records of matches from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from athenan.commands.arguments import game_of_file
from athenan.games.words import counted
from athenan.records import FORMATS, read_records, write_records
from athenan.terminal.page import say
from athenan.terminal.waiting import shown

KNOWN = ", ".join(f"{suffix} ({each.description})" for suffix, each in FORMATS.items())


def convert(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help=f"A file of records, by its end: {KNOWN}.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write, likewise.")],
    game: Annotated[
        str | None,
        typer.Option(help="The game, if the file does not say it, or a Python file."),
    ] = None,
) -> None:
    """Convert records of matches: SGF, GGF, PDN, Arimaa's notation, plain moves, JSON lines.

    Every match is replayed by our rules: a move that they refuse is told with its line.
    """
    made = game_of_file(game)
    with shown(lambda: f"replaying the matches of {source}"):
        matches = read_records(source, made)
        write_records(target, matches, made)
    say(f"{counted(len(matches), 'match')} written to {target}")
