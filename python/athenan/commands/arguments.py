"""The arguments that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

from athenan import Game, State

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game with its options, as in hex:size=5,swap=false, or a Python file.",
    ),
]
PositionOption = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Start from this position, not from the beginning."),
]


def state_of(game: Game, position: str | None) -> State:
    """Return the state of a position text; the start of the game without one."""
    return game.initial_state() if position is None else game.parse_position(position)
