"""Players from texts.

    runs/hex5                          a run directory: its latest model, the search it plays best
    model.safetensors                  a model file, likewise
    runs/hex5@seconds=0.2              the same with options of that search
    runs/hex5@alphabeta:depth=2        the same with another search
    mcts:seconds=1                     a search without a network
    random                             any legal move, all equally probable

A new kind of player is one file with its `Kind`, and its name in `KINDS`.
"""

from __future__ import annotations

from athenan._core import Game, ParameterError
from athenan.arena.player import Draft, PlayerSpec
from athenan.arena.search_player import MODEL, SEARCH

KINDS = (SEARCH, MODEL)
"""A text is of the first kind that can read it."""


def player(text: str, game: Game, budget: str = "") -> PlayerSpec:
    """Return the player that a text describes.

    `budget`, as in "seconds=1", limits a player whose text names no limit. A player whose text
    and model name none and that gets none searches until the outcome is proven.
    """
    return read_player(text).spec(game, budget)


def read_player(text: str) -> Draft:
    """Return what a text says of a player; whose model it names tells the game."""
    for kind in KINDS:
        if (found := kind.read(text)) is not None:
            return found
    kinds = ", or ".join(kind.description for kind in reversed(KINDS))
    raise ParameterError(f"there is no player {text!r}; a player is {kinds}")
