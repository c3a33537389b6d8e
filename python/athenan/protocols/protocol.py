"""What every protocol shares: lines in, lines out, and an engine between them."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar, TextIO

from athenan._core import Game
from athenan.dialects import dialect_for
from athenan.protocols.engine import Engine
from athenan.protocols.settings import Settings

Write = Callable[[str], None]
"""Sends one line; any thread may call it."""


class Protocol(ABC):
    """One client's conversation with athenan."""

    name: ClassVar[str]
    """As the command and the dialects know it."""

    def __init__(self, game: Game, settings: Settings, write: Write, dialect: str = "") -> None:
        self.engine = Engine(game, dialect_for(self.name, game, dialect), settings)
        self._dialect_name = dialect
        self.send = write

    def change_game(self, game: Game) -> None:
        """Play another game in this protocol."""
        self.engine.change_game(game, dialect_for(self.name, game, self._dialect_name))

    @abstractmethod
    def hear(self, line: str) -> bool:
        """Take one line of the client; False ends the conversation."""

    def greet(self) -> None:  # noqa: B027 (most wait for the client)
        """Say what the client expects before its first line."""

    def finish(self) -> None:
        """End the conversation: the input has ended. What has a limit is still answered."""
        self.engine.wait()


def serve(protocol: Protocol, lines: Iterable[str]) -> None:
    """Converse until the client quits or its lines end."""
    try:
        protocol.greet()
        for line in lines:
            if not protocol.hear(line.rstrip("\r\n")):
                return
        protocol.finish()
    finally:
        protocol.engine.close()


def writer(stream: TextIO) -> Write:
    """Return what writes whole lines to a stream, from any thread."""
    lock = threading.Lock()

    def write(line: str) -> None:
        with lock:
            stream.write(line + "\n")
            stream.flush()

    return write
