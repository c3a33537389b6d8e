"""What the commands that take players share: their arguments, their game and their budget."""

from __future__ import annotations

from collections.abc import Iterable

from athenan import Error, Game, game_names, make_game
from athenan.arena import game_of


def game_for(given: str | None, players: Iterable[str]) -> Game:
    """Make the game that was asked for; without one, the game of the first player's model."""
    if given is not None:
        return make_game(given)
    for text in players:
        if (found := game_of(text)) is not None:
            return make_game(found)
    names = ", ".join(game_names())
    raise Error(f"no player is a model that would name the game: name one of {names}")


def budget_of(seconds: float | None, expansions: int | None, default: str) -> str:
    """Return the limit of the players that name none, as an option of a search."""
    if seconds is not None and expansions is not None:
        raise Error("--seconds and --expansions exclude each other: give one of them")
    if seconds is not None:
        return f"seconds={seconds:g}"
    return default if expansions is None else f"expansions={expansions}"
