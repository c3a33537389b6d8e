"""Driving engines that speak AEI: Arimaa, in whole turns."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from athenan.arena.engines.driver import Asking, Driver, MatchLine
from athenan.arena.engines.uci import value_of_score
from athenan.arena.player import Fault, Resigned


class AeiDriver(Driver):
    """Arimaa."""

    protocol: ClassVar[str] = "aei"
    limits: ClassVar[tuple[str, ...]] = ("seconds", "depth")

    def greet(self, threads: int) -> None:
        """Hear its name, and set its options."""
        self._engine_name, self._told = "", dict[str, str]()
        self.send("aei")
        for said in self.lines():
            if said.startswith("id name "):
                self._engine_name = said.removeprefix("id name ").strip()
            if said.strip() == "aeiok":
                break
        if threads and self._engine_name == "athenan":
            self._set("threads", str(threads))
        for name, value in self.options.items():
            self._set(name, value)
        self._wait_until_ready()

    def begin(self, seed: int) -> None:
        """Begin with an empty board."""
        if self._engine_name == "athenan":
            self._set("seed", str(seed))
        self.send("newgame")
        self._wait_until_ready()

    def set_line(self, line: MatchLine) -> None:
        """Set up a position, and make the turns since."""
        self.send("newgame")
        if not line.from_the_beginning:
            self.send(f"setposition {self.dialect.write_position(line.start)}")
        for turn in line.turns:
            self.send(f"makemove {turn}")
        self._wait_until_ready()

    def tell(self, line: MatchLine, own: bool) -> None:  # noqa: ARG002 (it makes none itself)
        """Tell of a turn, its own too."""
        self.send(f"makemove {line.turns[-1]}")

    def ask(self, line: MatchLine, asking: Asking) -> str:
        """Ask for a turn."""
        self._set_limits(asking, line.to_move)
        self._wait_until_ready()
        self.value = None
        self.send("go")
        for said in self.lines(asking.until, asking.stop):
            name, _, rest = said.partition(" ")
            if name == "info":
                self._hear_score(rest)
            elif name == "bestmove":
                if rest.strip().lower() == "resign":
                    raise Resigned
                if not rest.strip():
                    raise Fault("malformed", f"{self.process.name} says bestmove without a move")
                return rest.strip()
        raise AssertionError  # the lines end with a fault

    def _set_limits(self, asking: Asking, player: int) -> None:
        if asking.depth:
            self._set_once("depth", str(asking.depth))
        if asking.seconds:
            self._set_once("tcmove", f"{asking.seconds:g}")
        if asking.clock is not None:
            control = asking.clock.control
            self._set_once("tcmove", f"{max(control.increment, control.byo_yomi):g}")
            self._set_once("tcreserve", f"{control.seconds:g}")
            self._set("gs"[player] + "reserve", f"{asking.clock.seconds[player]:g}")
            self._set("moveused", "0")

    def _set_once(self, name: str, value: str) -> None:
        if self._told.get(name) != value:
            self._set(name, value)

    def _set(self, name: str, value: str) -> None:
        self._told[name] = value
        self.send(f"setoption name {name} value {value}")

    def _hear_score(self, info: str) -> None:
        name, _, score = info.partition(" ")
        if name == "score":
            with suppress(ValueError):
                self.value = value_of_score(round(float(score)))

    def _wait_until_ready(self) -> None:
        self.send("isready")
        for said in self.lines():
            if said.strip() == "readyok":
                return
