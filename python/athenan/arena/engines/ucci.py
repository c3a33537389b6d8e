"""Driving engines that speak UCCI: Xiangqi."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from athenan.arena.clocks import Clock
from athenan.arena.engines.driver import Asking
from athenan.arena.engines.uci import GoWords, UciCoreDriver, milliseconds, value_of_score
from athenan.arena.player import Resigned


class UcciDriver(UciCoreDriver):
    """UCCI: options without the words name and value, one clock, no time for a single move."""

    protocol: ClassVar[str] = "ucci"
    words: ClassVar[GoWords] = GoWords("ucci", "setoption newgame", ("", ""), ("", ""))

    def usual_options(self) -> dict[str, str]:
        """Count time in milliseconds."""
        return {"usemillisec": "true"}

    def option_name(self, words: list[str]) -> str:
        """Return the name of an option that the engine introduces."""
        return words[1] if words[:1] == ["option"] and len(words) > 1 else ""

    def set_option(self, name: str, value: str) -> None:
        """Set an option."""
        self.send(f"setoption {name} {value}")

    def go_words(self, asking: Asking, player: int) -> list[str]:
        """Return what is said of the time; that of one move is a clock for one move."""
        words = super().go_words(asking, player)
        if "movetime" in words:
            at = words.index("movetime")
            words[at : at + 2] = ["time", words[at + 1], "movestogo", "1"]
        return words

    def clock_words(self, clock: Clock, player: int) -> list[str]:
        """Return the clock of the player to move."""
        if clock.seconds[player] <= 0 and clock.byo_yomi:
            return ["movetime", milliseconds(clock.byo_yomi)]
        words = ["time", milliseconds(clock.seconds[player])]
        if clock.increment:
            words += ["increment", milliseconds(clock.increment)]
        return words

    def answer(self, words: list[str]) -> str | None:
        """Return the move of a line that has one; an engine without a move resigns."""
        if words[:1] == ["nobestmove"]:
            raise Resigned
        return super().answer(words)

    def hear_score(self, words: list[str]) -> None:
        """Remember a score; the specification gives it no unit, some engines do."""
        super().hear_score(words)
        with suppress(ValueError, IndexError):
            number = words[words.index("score") + 1]
            self.value = value_of_score(int(number))
