"""`athenan replay`: step through the matches of a file in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from athenan.commands.arguments import given_game
from athenan.records import read_records
from athenan.terminal.stepping import Stepping


def replay(
    record: Annotated[
        Path,
        typer.Argument(metavar="RECORD", help="A file of records: .jsonl, .sgf, .ggf, .pdn, ..."),
    ],
    match: Annotated[int, typer.Option(min=1, help="The number of the match to begin with.")] = 1,
    game: Annotated[
        str | None,
        typer.Option(help="The game, if the file does not name it, or its Python file."),
    ] = None,
) -> None:
    """Step through a match in the terminal: Enter plays the next turn, help lists the commands."""
    made = given_game(game)
    Stepping(read_records(record, made), match, made).run()
