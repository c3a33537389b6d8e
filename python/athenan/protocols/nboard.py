"""NBoard for Othello, versions 1 and 2: what the GUI NBoard and its relatives speak.

The client sends a match in GGF or its moves one by one, then `go` for a move or `hint` for an
analysis. `ping` ends whatever is under way: the position is about to change.
"""

from __future__ import annotations

from time import perf_counter
from typing import ClassVar

from athenan.dialects.othello import read_ggf
from athenan.protocols.commands import Command, CommandProtocol
from athenan.protocols.engine import Request, Turn
from athenan.protocols.limits import Limits
from athenan.protocols.reports import FULL_SCORE, Line, Report


class NBoard(CommandProtocol):
    """Othello."""

    name: ClassVar[str] = "nboard"
    _asked = 0.0
    _hinted = 1

    def commands(self) -> dict[str, Command]:
        """Return the commands by name."""
        return {
            "nboard": lambda _: self.send("set myname athenan"),
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": lambda _: self._go(),
            "ping": self._ping,
            "learn": lambda _: self.send("learned"),
        }

    def complain(self, sentence: str) -> None:
        """Show a sentence where the client shows what the engine does."""
        self.send(f"status {sentence}")

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name == "game":
            start, moves = read_ggf(self.engine.dialect, value)
            self.engine.new_match()
            self.engine.set_line(start, [])
            self.engine.play(moves)
            self.engine.prepare()
        elif name not in ("depth", "contempt"):  # neither means something to our searches
            settings = self.engine.settings.with_option(name, value)
            self.engine.discard()
            self.engine.configure(settings)

    def _move(self, rest: str) -> None:
        """Play a move; its value and its time may follow it."""
        text = rest.split("/")[0].strip()
        self.engine.discard()
        self.engine.play(self.engine.dialect.read_turn(self.engine.state, text))

    def _ping(self, rest: str) -> None:
        self.engine.stop()
        self.send(f"pong {rest}")

    # Thinking.

    def _go(self) -> None:
        self._asked = perf_counter()
        self.send("status Thinking")
        self.engine.think(Request(Limits(asked=self._asked), self._tell, self.complain))

    def _tell(self, turn: Turn) -> None:
        text = self.engine.dialect.write_turn(turn.state, turn.moves)
        value = ""
        if turn.result is not None:
            report = Report.of_result(turn.state, turn.result, 0)
            value = f"{_discs(report.lines[0]):.2f}"
        self.send(f"=== {text}/{value}/{perf_counter() - self._asked:.2f}")
        self.send("status")

    def _hint(self, rest: str) -> None:
        """Show the best moves until something else is asked for, or the budget is spent."""
        self._hinted = max(1, int(rest)) if rest.isdigit() else 1
        self.send("status Analyzing")
        done = lambda _turn: self.send("status")  # noqa: E731
        self.engine.think(Request(Limits(), done, self.complain, self._show))

    def _show(self, report: Report) -> None:
        dialect = self.engine.dialect
        for line in report.lines[: self._hinted]:
            state, variation = report.state, ""
            for move in line.variation:
                variation += dialect.write(state, move)
                state = state.play(move)
            self.send(f"search {variation} {_discs(line):.2f} 0 {len(line.variation)}")


def _discs(line: Line) -> float:
    """Return a value as discs for the player to move: certain ones count as all of the board."""
    if line.proven:
        return 64.0 * line.proven
    return line.centipawns / 100 if abs(line.centipawns) < FULL_SCORE else 10.0
