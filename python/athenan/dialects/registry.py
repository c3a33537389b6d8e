"""Which dialects there are: for each protocol the games that it plays, and how they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from athenan._core import Error, Game
from athenan.dialects.arimaa import ArimaaDialect
from athenan.dialects.ataxx import UaiDialect
from athenan.dialects.dialect import Dialect
from athenan.dialects.draughts import HubDialect
from athenan.dialects.gomoku import GomocupDialect
from athenan.dialects.othello import OthelloDialect
from athenan.dialects.stones import (
    CastroDialect,
    GoDialect,
    HavannahDialect,
    HexDialect,
    MoratDialect,
)
from athenan.dialects.uci_variants import VARIANTS
from athenan.dialects.xiangqi import UcciDialect


@dataclass(frozen=True)
class DialectEntry:
    """One dialect."""

    protocol: str
    games: tuple[str, ...]
    """Their names; of no names, every game."""
    make: Callable[[Game], Dialect]
    name: str = ""
    """Of one that must be asked for; the first one without a name is usual."""

    def speaks(self, protocol: str, game: Game) -> bool:
        """Tell whether it is a dialect of a game in a protocol."""
        return protocol == self.protocol and (not self.games or game.name in self.games)


DIALECTS = [
    DialectEntry("ugi", (), Dialect),
    DialectEntry("gtp", ("go",), GoDialect),
    DialectEntry("htp", ("hex",), HexDialect),
    DialectEntry("htp", ("havannah",), HavannahDialect),
    DialectEntry("htp", ("havannah",), CastroDialect, "castro"),
    DialectEntry("htp", ("hex", "havannah"), MoratDialect, "morat"),
    *(DialectEntry("uci", (game,), made) for game, made in VARIANTS.items()),
    DialectEntry("ucci", ("xiangqi",), UcciDialect),
    DialectEntry("uai", ("ataxx",), UaiDialect),
    DialectEntry("nboard", ("othello",), OthelloDialect),
    DialectEntry("aei", ("arimaa",), ArimaaDialect),
    DialectEntry("gomocup", ("outer_open_gomoku",), GomocupDialect),
    DialectEntry(
        "hub", ("international_draughts", "brazilian_draughts", "canadian_draughts"), HubDialect
    ),
]
"""A new dialect is one class, and one entry here."""


def dialect_for(protocol: str, game: Game, name: str = "") -> Dialect:
    """Return the dialect of a game in a protocol; a name chooses another than the usual one.

    >>> from athenan.games import make_game
    >>> dialect_for("ugi", make_game("hex")).colours
    ('black', 'white')
    """
    found = [each for each in DIALECTS if each.speaks(protocol, game)]
    for entry in found:
        if entry.name == name:
            return entry.make(game)
    if found:
        names = ", ".join(each.name or "the usual one" for each in found)
        raise Error(f"{protocol} has no dialect {name!r} of {game.name}; it has {names}")
    games = ", ".join(sorted(games_of(protocol))) or "no game yet"
    raise Error(f"{protocol} does not play {game.name}: it plays {games}; ugi plays every game")


def games_of(protocol: str) -> set[str]:
    """Return the names of the games that a protocol plays; none where it plays every game."""
    return {name for each in DIALECTS if each.protocol == protocol for name in each.games}
