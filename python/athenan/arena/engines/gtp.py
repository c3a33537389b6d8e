"""Driving engines that speak GTP: Go, and with other words Hex and Havannah (htp.py)."""

from __future__ import annotations

import re
from time import perf_counter
from typing import ClassVar

from athenan._core import Stop
from athenan.arena.engines.driver import Asking, Driver, MatchLine
from athenan.arena.player import Fault, Resigned
from athenan.dialects.squares import option_of


class GtpDriver(Driver):
    """Go."""

    protocol: ClassVar[str] = "gtp"
    limits: ClassVar[tuple[str, ...]] = ("seconds",)
    has_threads: ClassVar[bool] = False

    def greet(self, threads: int) -> None:  # noqa: ARG002 (GTP has no word for them)
        """Ask what it knows, and set its options: each is a command with its arguments."""
        self.known = set(self.command("list_commands").split())
        self._time = ""
        for name, value in self.options.items():
            self.command(f"{name} {value}".strip())

    def begin(self, seed: int) -> None:
        """Begin with an empty board."""
        if "set_random_seed" in self.known:
            try:
                self.command(f"set_random_seed {seed}")
            except Fault as fault:
                if fault.kind != "malformed":
                    raise
                self.command(f"set_random_seed {seed % 2**31}")
        self.set_board()

    def set_board(self) -> None:
        """Set the size and empty the board."""
        size, komi = (self.option_of_game(name) for name in ("size", "komi"))
        self.command(f"boardsize {size}")
        self.command("clear_board")
        self.command(f"komi {komi}")

    def option_of_game(self, name: str) -> str:
        """Return an option of the game."""
        return option_of(self.game, name)

    def tell(self, line: MatchLine, own: bool) -> None:
        """Play the opponent's move; its own it has played itself."""
        if not own:
            self._play(line, -1)

    def set_line(self, line: MatchLine) -> None:
        """Play all moves from the beginning."""
        self.refuse_position(line)
        self.set_board()
        for index in range(len(line.turns)):
            self._play(line, index)

    def _play(self, line: MatchLine, index: int) -> None:
        self.command(f"play {self.colour(line.movers[index])} {line.turns[index]}")

    def colour(self, player: int) -> str:
        """Return the colour of a player."""
        return self.dialect.colours[player]

    def ask(self, line: MatchLine, asking: Asking) -> str:
        """Ask for a move, which it plays on its own board."""
        self._set_time(asking, line.to_move)
        answer = self.command(f"genmove {self.colour(line.to_move)}", asking.until, asking.stop)
        if answer.lower() == "resign":
            raise Resigned
        return answer

    def _set_time(self, asking: Asking, player: int) -> None:
        """Tell of the time, in the words of GTP: byo-yomi of one move is a time per move."""
        if asking.clock is not None:
            control = asking.clock.control
            stones = int(control.byo_yomi > 0)
            self._settle_time(f"{control.seconds:g} {control.byo_yomi:g} {stones}")
            left = asking.clock.seconds[player]
            if left <= 0 and control.byo_yomi:
                left, stones = control.byo_yomi, 1
            else:
                stones = 0
            self.command(f"time_left {self.colour(player)} {left:g} {stones}")
        elif asking.seconds:
            self._settle_time(f"0 {asking.seconds:g} 1")

    def _settle_time(self, settings: str) -> None:
        if settings != self._time:
            self._time = settings
            self.command(f"time_settings {settings}")

    def command(self, text: str, until: float | None = None, stop: Stop | None = None) -> str:
        """Send a command and return its answer without the sign; what it refuses is a Fault."""
        self.process.discard()
        self.send(text)
        until = perf_counter() + self.timeout if until is None else until
        sign, answer = "", list[str]()
        for line in self.lines(until, stop):
            if not sign:
                found = re.match(r"([=?])\d*\s?(.*)", line)
                if found is None:
                    continue  # noise before the answer
                sign, line = found[1], found[2]
            elif not line.strip():
                break
            answer.append(line)
        if sign == "?":
            said = " ".join(answer).strip()
            raise Fault("malformed", f"{self.process.name} refuses {text!r}: {said}")
        return "\n".join(answer).strip()
