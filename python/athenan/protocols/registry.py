"""The protocols that athenan speaks as an engine. A new one is one file, and one entry here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from athenan._core import Game, ParameterError
from athenan.protocols.gtp import Gtp
from athenan.protocols.protocol import Protocol, serve
from athenan.protocols.settings import Settings
from athenan.protocols.ugi import Ugi


class ProtocolEntry(NamedTuple):
    """A protocol, and the game that is played where none is named."""

    protocol: type[Protocol]
    description: str
    default_game: str | None = None


PROTOCOLS = {
    each.protocol.name: each
    for each in (
        ProtocolEntry(Gtp, "Go: the Go Text Protocol, version 2", "go"),
        ProtocolEntry(Ugi, "every game, in its own notation: UCI's shape"),
    )
}
"""By name."""


def protocol_entry(name: str) -> ProtocolEntry:
    """Return a protocol by its name."""
    if name not in PROTOCOLS:
        raise ParameterError(f"there is no protocol {name!r}; there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


def converse(
    protocol: str, game: Game, lines: Sequence[str], settings: Settings | None = None
) -> list[str]:
    """Return the lines that an engine answers to some lines.

    >>> from athenan.games import make_game
    >>> converse("gtp", make_game("go:size=5"), ["play b C3", "12 known_command undo", "quit"])
    ['=', '', '=12 true', '', '=', '']
    """
    heard: list[str] = []
    serve(protocol_entry(protocol).protocol(game, settings or Settings(), heard.append), lines)
    return [line for text in heard for line in text.split("\n")]
