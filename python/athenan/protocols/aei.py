"""AEI, the Arimaa Engine Interface: UCI's shape, with whole turns in each message.

https://github.com/Janzert/AEI has its text, and the controllers that speak it.
"""

from __future__ import annotations

from importlib.metadata import version
from time import perf_counter
from typing import ClassVar

from athenan._core import Error
from athenan.protocols.commands import Command, CommandProtocol
from athenan.protocols.engine import Request, Turn
from athenan.protocols.limits import Limits
from athenan.protocols.reports import Report
from athenan.protocols.settings import OPTIONS
from athenan.protocols.uci_core import split_option

CLOCKS = {
    "tcmove", "tcreserve", "tcpercent", "tcmax", "tctotal", "tcturns", "tcturntime",
    "greserve", "sreserve", "gused", "sused", "lastmoveused", "moveused",
}  # fmt: skip
TOLD = {"opponent", "opponent_rating", "rating", "rated", "event"}
"""Options that a controller sends about a match and athenan does not need."""


class Aei(CommandProtocol):
    """Arimaa."""

    name: ClassVar[str] = "aei"

    def commands(self) -> dict[str, Command]:
        """Return the commands by name."""
        self._times: dict[str, float] = {}
        return {
            "aei": lambda _: self._introduce(),
            "isready": lambda _: self._get_ready(),
            "newgame": lambda _: self._begin_match(),
            "setposition": self._set_position,
            "setoption": self._set_option,
            "makemove": self._make_move,
            "go": self._go,
            "stop": lambda _: self.engine.stop(),
        }

    def complain(self, sentence: str) -> None:
        """Log what went wrong."""
        self.send(f"log Error: {sentence}")

    def _introduce(self) -> None:
        self.send("protocol-version 1")
        self.send("id name athenan")
        self.send("id author the athenan authors")
        self.send(f"id version {version('athenan')}")
        self.send("aeiok")

    def _get_ready(self) -> None:
        if not self.engine.is_thinking:
            self.engine.prepare()
        self.send("readyok")

    def _begin_match(self) -> None:
        self.engine.discard()
        self.engine.new_match()
        self.engine.prepare()
        self._times |= {side: self._times.get("tcreserve", 0) for side in ("greserve", "sreserve")}

    def _set_position(self, rest: str) -> None:
        self.engine.discard()
        self.engine.set_line(self.engine.dialect.read_position(rest), [])

    def _make_move(self, rest: str) -> None:
        self.engine.discard()
        self.engine.play(self.engine.dialect.read_turn(self.engine.state, rest))

    def _set_option(self, rest: str) -> None:
        name, value = split_option(rest.split())
        if name in CLOCKS:
            try:
                self._times[name] = float(value)
            except ValueError:
                raise Error(f"the option {name} takes a number, not {value!r}") from None
        elif name.lower() in OPTIONS:
            settings = self.engine.settings.with_option(name, value)
            self.engine.discard()
            self.engine.configure(settings)
        elif name not in TOLD:
            self.send(f"log Warning: there is no option {name!r}")

    # Thinking.

    def _go(self, rest: str) -> None:
        limits = Limits(infinite=True) if rest == "ponder" else self._limits()
        done = (lambda _turn: None) if rest == "ponder" else self._tell
        self.engine.discard()
        self.engine.think(Request(limits, done, self.complain, self._show))

    def _limits(self) -> Limits:
        """Return what the clock allows: the time of a turn, and a little of the reserve."""
        turn = self._times.get("tcmove", 0)
        if turn <= 0:
            return Limits()
        return Limits(
            seconds=self._times.get("tcturntime", 0),
            left=self._times.get("gs"[self.engine.state.to_move] + "reserve", 0),
            byoyomi=turn - self._times.get("moveused", 0),
            asked=perf_counter(),
        )

    def _tell(self, turn: Turn) -> None:
        self.send(f"bestmove {self.engine.dialect.write_turn(turn.state, turn.moves)}")

    def _show(self, report: Report) -> None:
        line = report.lines[0]
        self.send(f"info time {report.seconds:.0f}")
        self.send(f"info nodes {report.nodes}")
        self.send(f"info score {line.centipawns}")
