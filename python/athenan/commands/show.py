"""`athenan show`: draw the board after some moves, as text or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from athenan import ParameterError, State, make_game
from athenan.commands.arguments import GameArgument, MovesArgument, PositionOption, states_after
from athenan.games.turns import last_turn
from athenan.games.words import status
from athenan.pictures import svg_of
from athenan.records import game_of, is_record, read_records, states_of
from athenan.terminal.page import say

STANDARD_OUTPUT = "-"


def show(
    game: GameArgument,
    moves: MovesArgument = None,
    position: PositionOption = None,
    svg: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Instead write a picture, with the last turn marked, to this file; - is standard "
            "output.",
        ),
    ] = None,
    match: Annotated[
        int | None,
        typer.Option(min=1, help="For a file of records: the number of the match; 1 by default."),
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option(
            min=0, help="For a file of records: the number of plies played; all by default."
        ),
    ] = None,
    letters: Annotated[
        bool,
        typer.Option(help="Draw the pieces of Arimaa and Xiangqi as letters in the picture."),
    ] = False,
) -> None:
    """Draw the board after MOVES, or of a match in a file of records (sgf, jsonl, ...)."""
    if svg is not None:
        _check_name(svg)
    elif letters:
        raise ParameterError("--letters is about pictures: it needs --svg FILE")
    if is_record(Path(game)):
        if moves or position:
            raise ParameterError("a record has its own moves: give --match and --ply instead")
        states, moves = _of_record(Path(game), match, ply)
    else:
        if match is not None or ply is not None:
            raise ParameterError(f"--match and --ply are for files of records, not for {game!r}")
        states = states_after(make_game(game), position, moves or [])
    if svg is None:
        _print_board(states[-1])
    else:
        turn = last_turn(states, moves or [])
        _write_picture(svg_of(states[-1], last_turn=turn, letters=letters), svg)


def _of_record(file: Path, number: int | None, ply: int | None) -> tuple[list[State], list[str]]:
    """Return the states and the moves of a match up to a ply; without one, to its end."""
    matches, number = read_records(file), number or 1
    if number > len(matches):
        raise ParameterError(f"there is no match {number}: {file} holds {len(matches)}")
    found = matches[number - 1]
    if ply is not None and ply > len(found.moves):
        raise ParameterError(f"there is no ply {ply}: the match has {len(found.moves)}")
    end = len(found.moves) if ply is None else ply
    return states_of(found, game_of(found, None))[: end + 1], list(found.moves[:end])


def _print_board(state: State) -> None:
    typer.echo(str(state).rstrip("\n"))
    say(f"ply {state.ply}: {status(state)}")
    say(f"position: {state.position}")


def _check_name(file: str) -> None:
    """Refuse what is rather a move than a file, as in `--svg f6`."""
    if file != STANDARD_OUTPUT and Path(file).suffix.lower() != ".svg":
        raise ParameterError(
            f"--svg takes a file that ends in .svg, or - for standard output, not {file!r}"
        )


def _write_picture(picture: str, file: str) -> None:
    if file == STANDARD_OUTPUT:
        typer.echo(picture, nl=False)
    else:
        Path(file).write_text(picture, encoding="utf-8")
