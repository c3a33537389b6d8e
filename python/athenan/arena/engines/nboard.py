"""Driving engines that speak NBoard: Othello."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from athenan.arena.engines.driver import Asking, Driver, MatchLine
from athenan.arena.player import Fault
from athenan.dialects.othello import write_ggf

FULL_BOARD = 64


class NBoardDriver(Driver):
    """Othello. `depth` is the engine's strength."""

    protocol: ClassVar[str] = "nboard"
    limits: ClassVar[tuple[str, ...]] = ("depth",)
    has_threads: ClassVar[bool] = False

    def greet(self, threads: int) -> None:  # noqa: ARG002 (NBoard has no word for them)
        """Say the version, and set the options: each is a set."""
        self._engine_name, self._pings, self._depth = "", 0, 0
        self.send("nboard 2")
        for name, value in self.options.items():
            self.send(f"set {name} {value}")
        self._synchronise()

    def begin(self, seed: int) -> None:
        """Set up the start of the game."""
        if self._engine_name == "athenan":
            self.send(f"set seed {seed}")
        self.set_line(MatchLine(self.game.initial_state()))

    def set_line(self, line: MatchLine) -> None:
        """Send a position; its moves are told one by one."""
        self.send(f"set game {write_ggf(self.dialect, line.start, [])}")
        for turn in line.turns:
            self.send(f"move {turn}")
        self._synchronise()

    def tell(self, line: MatchLine, own: bool) -> None:  # noqa: ARG002 (it plays none itself)
        """Tell of a move, its own too."""
        self.send(f"move {line.turns[-1]}")

    def ask(self, line: MatchLine, asking: Asking) -> str:  # noqa: ARG002 (it knows the moves)
        """Ask for a move."""
        if asking.depth and asking.depth != self._depth:
            self._depth = asking.depth
            self.send(f"set depth {asking.depth}")
        self._synchronise()
        self.send("go")
        for said in self.lines(asking.until, asking.stop):
            if said.startswith("==="):
                move, *told = said.removeprefix("===").strip().split("/")
                self.value = None
                with suppress(ValueError, IndexError):
                    self.value = max(-1.0, min(1.0, float(told[0]) / FULL_BOARD))
                if not move:
                    raise Fault("malformed", f"{self.process.name} says === without a move")
                return move
        raise AssertionError  # the lines end with a fault

    def _synchronise(self) -> None:
        """Wait until it has heard everything: whatever it says before is passed over."""
        self._pings += 1
        self.send(f"ping {self._pings}")
        for said in self.lines():
            if said.startswith("set myname "):
                self._engine_name = said.removeprefix("set myname ").strip()
            if said.strip() == f"pong {self._pings}":
                return
