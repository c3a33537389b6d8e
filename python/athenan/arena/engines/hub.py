"""Driving engines that speak Hub: draughts."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import ClassVar

from athenan.arena.engines.driver import Asking, Driver, MatchLine
from athenan.arena.engines.uci import value_of_score
from athenan.arena.player import Fault

_MOVE = re.compile(r'\bmove\s*=\s*"?([\dx-]+)')
_SCORE = re.compile(r'\bscore\s*=\s*"?(-?[\d.]+)')
_NAME = re.compile(r'\bname\s*=\s*"?([\w-]+)')


class HubDriver(Driver):
    """Draughts."""

    protocol: ClassVar[str] = "hub"

    def greet(self, threads: int) -> None:
        """Hear of its parameters, set them, and let it initialise."""
        self._parameters: set[str] = set()
        self.send("hub")
        for said in self.lines():
            if said.startswith("param ") and (found := _NAME.search(said)):
                self._parameters.add(found[1])
            if said.strip() == "wait":
                break
        if threads and "threads" in self._parameters and "threads" not in self.options:
            self._set("threads", str(threads))
        for name, value in self.options.items():
            self._set(name, value)
        self.send("init")
        for said in self.lines():
            if said.strip() == "ready":
                break

    def _set(self, name: str, value: str) -> None:
        quoted = value if re.fullmatch(r"[^\s=\"]+", value) else f'"{value}"'
        self.send(f"set-param name={name} value={quoted}")

    def begin(self, seed: int) -> None:
        """Begin a match."""
        if "seed" in self._parameters and "seed" not in self.options:
            self._set("seed", str(seed))
        self.send("new-game")
        self._synchronise()

    def ask(self, line: MatchLine, asking: Asking) -> str:
        """Send the whole line, and wait until it has thought."""
        self.process.discard()
        self.value = None
        moves = f' moves="{" ".join(line.turns)}"' if line.turns else ""
        self.send(f"pos pos={self.dialect.write_position(line.start)}{moves}")
        if level := self._level(asking, line.to_move):
            self.send(f"level {level}")
        self.send("go think")
        for said in self.lines(asking.until, asking.stop):
            word = said.partition(" ")[0]
            if word == "info":
                self._hear_score(said)
            elif word == "error":
                raise Fault("malformed", f"{self.process.name} says {said.strip()[:200]!r}")
            elif word == "done":
                found = _MOVE.search(said)
                if found is None:
                    raise Fault("malformed", f"{self.process.name} says done without a move")
                return found[1]
        raise AssertionError  # the lines end with a fault

    def _level(self, asking: Asking, player: int) -> str:
        """Return what it is told of the time: Hub takes one kind of limit."""
        if asking.depth:
            return f"depth={asking.depth}"
        if asking.nodes:
            return f"nodes={asking.nodes}"
        if asking.seconds:
            return f"move-time={asking.seconds:g}"
        if asking.clock is None:
            return ""
        clock = asking.clock
        if clock.seconds[player] <= 0 and clock.byo_yomi:
            return f"move-time={clock.byo_yomi:g}"
        increment = f" inc={clock.increment:g}" if clock.increment else ""
        return f"time={clock.seconds[player]:g}{increment}"

    def _hear_score(self, said: str) -> None:
        if found := _SCORE.search(said):
            with suppress(ValueError):
                self.value = value_of_score(round(100 * float(found[1])))

    def _synchronise(self) -> None:
        self.send("ping")
        for said in self.lines():
            if said.strip() == "pong":
                return
