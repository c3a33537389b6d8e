"""The Gomocup protocol, as the managers piskvork and qpiskvork speak it: Gomoku.

The opening rule of our game binds both: the first stone lies on one of the two outer lines. So a
client begins from such an opening, which it sends with BOARD, or lets us begin.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import version
from time import perf_counter
from typing import ClassVar

from athenan._core import Error, State
from athenan.arena.clocks import SHORTEST
from athenan.dialects.gomoku import GomocupDialect
from athenan.games import make_game
from athenan.protocols.commands import Command, CommandProtocol
from athenan.protocols.engine import Request, Turn
from athenan.protocols.limits import Limits
from athenan.protocols.settings import OPTIONS

MILLISECONDS = 1000
OVERLINES = {"0": "wins", "1": "exact"}
"""Of the rules that a client names: freestyle, and exactly five."""
OWNERS = ("1", "2")
"""Of a stone on a board: us, and the other."""


class Gomocup(CommandProtocol):
    """Gomoku; every answer ends the command."""

    name: ClassVar[str] = "gomocup"
    farewells: ClassVar[tuple[str, ...]] = ("END",)

    def commands(self) -> dict[str, Command]:
        """Return the commands by name."""
        self._times: dict[str, float] = {}
        self._stones: list[str] | None = None
        return {
            "START": self._start,
            "RESTART": lambda _: self._restart(),
            "RECTSTART": lambda _: self.complain("the board must be a square"),
            "BEGIN": lambda _: self._answer(),
            "TURN": self._turn,
            "PLAY": self._play,
            "BOARD": lambda _: self._begin_board(),
            "TAKEBACK": lambda _: self._take_back(),
            "INFO": self._info,
            "ABOUT": lambda _: self.send(
                f'name="athenan", version="{version("athenan")}", author="the athenan authors"'
            ),
        }

    @property
    def _dialect(self) -> GomocupDialect:
        dialect = self.engine.dialect
        assert isinstance(dialect, GomocupDialect)
        return dialect

    def key(self, name: str) -> str:
        """Return a command in capitals."""
        return name.upper()

    def complain(self, sentence: str) -> None:
        """Answer what went wrong."""
        self.send(f"ERROR {sentence}")

    def unknown(self, name: str) -> None:
        """Answer as the protocol asks."""
        self.send(f"UNKNOWN there is no command {name[:80]!r}")

    def hear(self, line: str) -> bool:
        """Take a command, or a line of a board."""
        if self._stones is None:
            return super().hear(line)
        if line.strip().upper() == "DONE":
            stones, self._stones = self._stones, None
            self.obey(lambda _: self._take_board(stones), "")
        elif line.strip():
            self._stones.append(line.strip())
        return True

    # The board.

    def _start(self, rest: str) -> None:
        self._change("size", rest.strip())
        self._restart()

    def _change(self, option: str, value: str) -> None:
        """Play with another size, or another rule for six in a row."""
        options = dict(each.split("=") for each in self.engine.game.id.split(":")[1].split(","))
        options[option] = value
        told = ",".join(f"{name}={each}" for name, each in options.items())
        game = make_game(f"{self.engine.game.name}:{told}")
        if game != self.engine.game:
            self.change_game(game)

    def _restart(self) -> None:
        self.engine.new_match()
        self.engine.prepare()
        self.send("OK")

    def _turn(self, rest: str) -> None:
        self._hear_of(rest)
        self._answer()

    def _play(self, rest: str) -> None:
        self._hear_of(rest)
        self.send(rest.strip())

    def _hear_of(self, text: str) -> None:
        """Take the other's move."""
        self.engine.play(self._dialect.read_turn(self.engine.state, text))

    def _begin_board(self) -> None:
        self._stones = []

    def _take_board(self, lines: list[str]) -> None:
        """Take a position: each line is a point and whose it is, 1 for ours, in any order."""
        points, owners = [], []
        for line in lines:
            *point, owner = line.replace(" ", "").split(",")
            if owner not in OWNERS or len(point) != 2:
                raise Error(f"a stone is x,y,1 or x,y,2, not {line!r}")
            points.append(",".join(point))
            owners.append(owner)
        stones = list(zip(points, owners, strict=True))
        ours, others = ({point for point, each in stones if each == owner} for owner in OWNERS)
        self.engine.new_match()
        self.engine.set_line(self._position(ours, others), [])
        if all(owner == OWNERS[number % 2] for number, owner in enumerate(reversed(owners), 1)):
            with suppress(Error):  # the stones come in the order of the moves, or seem to
                self.engine.set_line(self.engine.game.initial_state(), points)
        self._answer()

    def _position(self, ours: set[str], others: set[str]) -> State:
        """Return the state with such stones where it is our turn."""
        sides = (ours, others) if len(ours) == len(others) else (others, ours)
        return self._dialect.position_of(*sides)

    def _take_back(self) -> None:
        self.engine.undo()
        self.send("OK")

    # Time and thinking.

    def _info(self, rest: str) -> None:
        """Take what we understand; the protocol answers nothing to it."""
        name, _, value = rest.partition(" ")
        if name == "rule" and value in OVERLINES:
            moves = self.engine.moves.copy()
            self._change("overline", OVERLINES[value])
            if moves and not self.engine.moves:
                self.engine.play(moves)
        elif name in ("timeout_turn", "timeout_match", "time_left") and value.isdigit():
            self._times[name] = int(value) / MILLISECONDS
        elif name in OPTIONS:
            self.engine.configure(self.engine.settings.with_option(name, value))

    def limits(self) -> Limits:
        """Return what is allowed: the time of a turn, within what the match has left."""
        asked = perf_counter()
        turn, left = self._times.get("timeout_turn"), self._times.get("time_left")
        turn = 0 if turn is None else turn or SHORTEST  # 0 is as fast as possible
        if left is None or not self._times.get("timeout_match"):
            return Limits(seconds=turn, asked=asked)
        return Limits(seconds=turn, left=left, asked=asked)

    def _answer(self) -> None:
        """Think, play and say the move."""
        turns: list[Turn] = []
        self.engine.think(Request(self.limits(), turns.append, self.complain))
        self.engine.wait()
        for turn in turns:
            self.engine.play(turn.moves)
            self.send(self._dialect.write_turn(turn.state, turn.moves))
