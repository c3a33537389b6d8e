"""UCCI for Xiangqi: UCI's shape with other words for options, clocks and the end.

Times are seconds until the client sets `usemillisec`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from athenan._core import Error
from athenan.protocols.limits import Limits
from athenan.protocols.uci_core import MILLISECONDS, UciCore, Words


class Ucci(UciCore):
    """Xiangqi."""

    name: ClassVar[str] = "ucci"
    words: ClassVar[Words] = Words(
        "ucci", "uccinewgame", ("time", "time"), ("increment", "increment"), "nobestmove"
    )
    _unit = 1

    def own_commands(self) -> dict[str, Callable[[list[str]], None]]:
        """Return what is heard and passed over: we repeat positions by our own rules."""
        return {"banmoves": lambda _: None}

    def farewell(self) -> None:
        """Say goodbye."""
        super().farewell()
        self.send("bye")

    def option_line(self, name: str, kind: str, shown: str, bounds: tuple[int, int] | None) -> str:
        """Introduce an option, without the word name."""
        limits = f" min {bounds[0]} max {bounds[1]}" if bounds else ""
        return f"option {name} type {kind}{limits} default {shown}"

    def own_options(self) -> list[str]:
        """Return the unit of time."""
        return ["option usemillisec type check default false"]

    def split_option(self, words: list[str]) -> tuple[str, str]:
        """Return the name and the value, which have no words before them."""
        if not words:
            raise Error("setoption takes a name and a value")
        return words[0], " ".join(words[1:])

    def set_own_option(self, name: str, value: str) -> bool:
        """Set the unit of time, or begin a match."""
        if name == "usemillisec":
            self._unit = MILLISECONDS if value.lower() in ("true", "on", "yes", "") else 1
        elif name == "newgame":
            self.commands[self.words.new_game]([])
        else:
            return False
        return True

    def limits_of(self, given: dict[str, float]) -> Limits:
        """Return what the words allow: the clock is that of the player to move."""
        return Limits(
            seconds=given.get("movetime", 0) / self._unit,
            nodes=int(given.get("nodes", 0)),
            depth=int(given.get("depth", 0)),
            infinite="infinite" in given,
            left=given["time"] / self._unit if "time" in given else None,
            increment=given.get("increment", 0) / self._unit,
            turns_to_go=int(given.get("movestogo", 0)),
        )
