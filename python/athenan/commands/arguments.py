"""The arguments that several commands take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from athenan import Error, Game, State, game_names, make_game
from athenan.arena.players import Draft

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


def game_for(given: str | None, players: Iterable[Draft]) -> Game:
    """Make the game that was asked for; without one, the game of the first player's model."""
    if given is not None:
        return make_game(given)
    for draft in players:
        if draft.game is not None:
            return make_game(draft.game)
    names = ", ".join(game_names())
    raise Error(f"no player is a model that would name the game: name one of {names}")


def budget_of(seconds: float | None, expansions: int | None, default: str) -> str:
    """Return the limit of the players that name none, as an option of a search."""
    if seconds is not None and expansions is not None:
        raise Error("--seconds and --expansions exclude each other: give one of them")
    if seconds is not None:
        return f"seconds={seconds:g}"
    return default if expansions is None else f"expansions={expansions}"
