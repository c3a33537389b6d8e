"""The protocols that athenan speaks as an engine. A new one is one file, and one entry here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from athenan._core import Game, ParameterError
from athenan.dialects import games_of
from athenan.protocols.aei import Aei
from athenan.protocols.gomocup import Gomocup
from athenan.protocols.gtp import Gtp
from athenan.protocols.htp import Htp
from athenan.protocols.hub import Hub
from athenan.protocols.json_lines import JsonLines
from athenan.protocols.nboard import NBoard
from athenan.protocols.protocol import Conversation, serve
from athenan.protocols.settings import Settings
from athenan.protocols.uai import Uai
from athenan.protocols.ucci import Ucci
from athenan.protocols.uci import Uci
from athenan.protocols.ugi import Ugi


class ProtocolEntry(NamedTuple):
    """A protocol, and whom it serves."""

    protocol: type[Conversation]
    description: str

    @property
    def only_game(self) -> str | None:
        """The game that need not be named, of a protocol for one game."""
        games = games_of(self.protocol.name)
        return next(iter(games)) if len(games) == 1 else None


PROTOCOLS = {
    each.protocol.name: each
    for each in (
        ProtocolEntry(Gtp, "Go: the Go Text Protocol, version 2"),
        ProtocolEntry(Htp, "Hex and Havannah: GTP in the Hex world's form"),
        ProtocolEntry(Uci, "the variants of Fairy-Stockfish that are games of ours"),
        ProtocolEntry(Ucci, "Xiangqi"),
        ProtocolEntry(Uai, "Ataxx"),
        ProtocolEntry(NBoard, "Othello: NBoard, versions 1 and 2"),
        ProtocolEntry(Aei, "Arimaa: the Arimaa Engine Interface"),
        ProtocolEntry(Gomocup, "Gomoku: the protocol of Gomocup"),
        ProtocolEntry(Hub, "draughts: Hub, version 2"),
        ProtocolEntry(Ugi, "every game, in its own notation: UCI's shape"),
        ProtocolEntry(JsonLines, "every game: many positions analysed at once, as JSON lines"),
    )
}
"""By name."""


def protocol_entry(name: str) -> ProtocolEntry:
    """Return a protocol by its name."""
    if name not in PROTOCOLS:
        raise ParameterError(f"there is no protocol {name!r}; there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


def converse(
    protocol: str, game: Game, lines: Iterable[str], settings: Settings | None = None
) -> list[str]:
    """Return the lines that an engine answers to some lines.

    >>> from athenan.games import make_game
    >>> converse("gtp", make_game("go:size=5"), ["play b C3", "12 known_command undo", "quit"])
    ['=', '', '=12 true', '', '=', '']
    """
    heard: list[str] = []
    serve(protocol_entry(protocol).protocol(game, settings or Settings(), heard.append), lines)
    return [line for text in heard for line in text.split("\n")]
