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


class Conversation(ABC):
    """What a client and athenan say to each other, line by line."""

    name: ClassVar[str]
    """As the command and the dialects know it."""

    @abstractmethod
    def __init__(self, game: Game, settings: Settings, write: Write, dialect: str = "") -> None: ...

    @abstractmethod
    def hear(self, line: str) -> bool:
        """Take one line of the client; False ends the conversation."""

    def greet(self) -> None:  # noqa: B027 (most wait for the client)
        """Get ready before the client's first line, and say what it expects: no clock runs yet."""

    @abstractmethod
    def finish(self) -> None:
        """End the conversation: the input has ended. What has a limit is still answered."""

    @abstractmethod
    def close(self) -> None:
        """Give everything back."""


class Protocol(Conversation):
    """A conversation about one match, with an engine that thinks about it."""

    def __init__(self, game: Game, settings: Settings, write: Write, dialect: str = "") -> None:
        self.engine = Engine(game, dialect_for(self.name, game, dialect), settings)
        self._dialect_name = dialect
        self.send = write

    def change_game(self, game: Game) -> None:
        """Play another game in this protocol."""
        self.engine.change_game(game, dialect_for(self.name, game, self._dialect_name))

    def greet(self) -> None:
        """Load the player."""
        self.engine.prepare()

    def finish(self) -> None:
        """Wait for the engine."""
        self.engine.wait()

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()


def serve(protocol: Conversation, lines: Iterable[str]) -> None:
    """Converse until the client quits or its lines end."""
    try:
        protocol.greet()
        for line in lines:
            if not protocol.hear(line.rstrip("\r\n")):
                return
        protocol.finish()
    finally:
        protocol.close()


def writer(stream: TextIO) -> Write:
    """Return what writes whole lines to a stream, from any thread.

    When the reader is gone, the rest is written to nowhere; soon the input will end too.
    """
    lock, gone = threading.Lock(), threading.Event()

    def write(line: str) -> None:
        with lock:
            if gone.is_set():
                return
            try:
                stream.write(line + "\n")
                stream.flush()
            except BrokenPipeError:
                gone.set()

    return write
