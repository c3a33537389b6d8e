"""Protocols whose lines are a command and what it takes, answered by other lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from athenan._core import Game
from athenan.protocols.protocol import Protocol, Write
from athenan.protocols.settings import Settings

Command = Callable[[str], None]
"""Takes what follows its name."""


class CommandProtocol(Protocol):
    """A table of commands; mistakes get one sentence, and the next line is read."""

    farewells: ClassVar[tuple[str, ...]] = ("quit",)
    """The words that end a conversation."""

    def __init__(self, game: Game, settings: Settings, write: Write, dialect: str = "") -> None:
        super().__init__(game, settings, write, dialect)
        self._commands = self.commands()

    def commands(self) -> dict[str, Command]:
        """Return the commands by name."""
        raise NotImplementedError

    def complain(self, sentence: str) -> None:
        """Tell what went wrong."""
        raise NotImplementedError

    def unknown(self, name: str) -> None:
        """Hear of a command that there is not."""
        self.complain(f"there is no command {name[:80]!r}; there are {', '.join(self._commands)}")

    def key(self, name: str) -> str:
        """Return a command's name as the table has it."""
        return name

    def hear(self, line: str) -> bool:
        """Take a command."""
        name, _, rest = line.strip().partition(" ")
        name = self.key(name)
        if name in self.farewells:
            self.engine.discard()
            return False
        if name in self._commands:
            self.obey(self._commands[name], rest.strip())
        elif name:
            self.unknown(name)
        return True

    def obey(self, command: Command, rest: str) -> None:
        """Do what a command says; tell the client what goes wrong."""
        try:
            command(rest)
        except Exception as problem:
            self.complain(" ".join(str(problem).split()))
