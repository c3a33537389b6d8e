"""Driving engines that speak the Gomocup protocol: Gomoku."""

from __future__ import annotations

import re
from time import perf_counter, sleep
from typing import ClassVar

from athenan._core import Stop
from athenan.arena.engines.driver import Asking, Driver, MatchLine
from athenan.arena.player import Fault
from athenan.dialects.gomoku import GomocupDialect

MILLISECONDS = 1000
RULES = {"wins": "0", "exact": "1"}
"""Of six in a row, as the protocol numbers them."""
MOVE = re.compile(r"\d+\s*,\s*\d+")
ASIDE = ("MESSAGE", "DEBUG", "INFO")
"""Lines that answer nothing."""
REST = 0.02
"""Seconds between an answer and the next command: Rapfi, which thinks on a thread of its own, drops
the words of a command that comes while it still tidies up."""


class GomocupDriver(Driver):
    """Gomoku. The engine knows of no opening rule: openings of one stone or more keep ours."""

    protocol: ClassVar[str] = "gomocup"
    has_threads: ClassVar[bool] = False
    farewell: ClassVar[str] = "END"

    def greet(self, threads: int) -> None:  # noqa: ARG002 (the protocol has no word for them)
        """Hear who it is; options follow with each match."""
        self._known, self._answered = 0, 0.0
        self.send("ABOUT")
        self._about = self._answer()

    def begin(self, seed: int) -> None:
        """Begin with an empty board."""
        assert isinstance(self.dialect, GomocupDialect)
        if 'name="athenan"' in self._about:
            self.send(f"INFO seed {seed}")
        sleep(REST)
        self.send(f"START {self.dialect.size}")
        answer = self._answer()
        if not answer.upper().startswith("OK"):
            raise Fault("malformed", f"{self.process.name} answers START with {answer[:100]!r}")
        overline = self.game.id.rpartition("overline=")[2]
        told = {"game_type": "1", "rule": RULES[overline], **self.options}
        for name, value in told.items():
            self.send(f"INFO {name} {value}")
        self._known, self._times = 0, dict[str, int]()

    def set_line(self, line: MatchLine) -> None:
        """Send the whole board when it is asked next."""
        self.refuse_position(line)
        self._known = -1

    def ask(self, line: MatchLine, asking: Asking) -> str:
        """Ask for a move: as the first, after one of the other, or with the whole board."""
        self.process.discard()
        sleep(max(0.0, self._answered + REST - perf_counter()))
        self._tell_time(asking, line.to_move)
        if not line.turns:
            self.send("BEGIN")
        elif self._known == len(line.turns) - 1 and line.movers[-1] != line.to_move:
            self.send(f"TURN {line.turns[-1]}")
        else:
            self.send("BOARD")
            for turn, mover in zip(line.turns, line.movers, strict=True):
                self.send(f"{turn},{1 if mover == line.to_move else 2}")
            self.send("DONE")
        while not MOVE.fullmatch(move := self._answer(asking.until, asking.stop)):
            pass  # noise before the answer
        self._known, self._answered = len(line.turns) + 1, perf_counter()
        return move

    def _tell_time(self, asking: Asking, player: int) -> None:
        if asking.seconds:
            self._tell_once("timeout_turn", round(asking.seconds * MILLISECONDS))
        if asking.clock is not None:
            self._tell_once("timeout_turn", round(asking.clock.available(player) * MILLISECONDS))
            self._tell_once("timeout_match", round(asking.clock.control.seconds * MILLISECONDS))
            self._tell_once("time_left", round(asking.clock.seconds[player] * MILLISECONDS))
        if asking.nodes:
            self._tell_once("max_node", asking.nodes)
        if asking.depth:
            self._tell_once("max_depth", asking.depth)

    def _tell_once(self, name: str, value: int) -> None:
        if self._times.get(name) != value:
            self._times[name] = value
            self.send(f"INFO {name} {value}")

    def _answer(self, until: float | None = None, stop: Stop | None = None) -> str:
        """Return its next line that answers something; an error is a Fault."""
        for said in self.lines(until, stop):
            word = said.strip().split(" ")[0].upper()
            if word in ("ERROR", "UNKNOWN"):
                raise Fault("malformed", f"{self.process.name} says {said.strip()[:200]!r}")
            if word and word not in ASIDE:
                return said.strip()
        raise AssertionError  # the lines end with a fault
