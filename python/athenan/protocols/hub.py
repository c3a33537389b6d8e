"""Hub, version 2: draughts. Each line is a command and arguments such as move-time=1.

The client sends a position and the moves since, a level, and how to search.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from importlib.metadata import version
from time import perf_counter
from typing import ClassVar

from athenan._core import Error
from athenan.protocols.commands import Command, CommandProtocol
from athenan.protocols.engine import Request, Turn
from athenan.protocols.limits import Limits
from athenan.protocols.reports import Report
from athenan.protocols.settings import OPTIONS, Settings

_TYPES = {"string": "string", "spin": "int", "check": "bool"}


class Hub(CommandProtocol):
    """Draughts on 10×10, 8×8 and 12×12."""

    name: ClassVar[str] = "hub"

    def commands(self) -> dict[str, Command]:
        """Return the commands by name."""
        self._level = Limits()
        self._pondered = False
        return {
            "hub": lambda _: self._introduce(),
            "set-param": self._set_param,
            "init": lambda _: self._initialise(),
            "new-game": lambda _: self._begin_match(),
            "pos": self._pos,
            "level": self._take_level,
            "go": self._go,
            "ponder-hit": lambda _: self._ponder_hit(),
            "stop": lambda _: self.engine.stop(),
            "ping": lambda _: self.send("pong"),
        }

    def complain(self, sentence: str) -> None:
        """Tell what went wrong."""
        self.send(f'error message="{sentence.replace(chr(34), chr(39))}"')

    def unknown(self, name: str) -> None:
        """Pass over it, as the protocol asks."""

    def _introduce(self) -> None:
        self.send(f'id name=athenan version={version("athenan")} author="the athenan authors"')
        for field in fields(Settings):
            option, value = OPTIONS[field.name], getattr(self.engine.settings, field.name)
            shown = str(value).lower() if isinstance(value, bool) else str(value or 0)
            if isinstance(value, str):  # clients split at every =, quoted or not
                shown = f'"{value}"' if "=" not in value else '""'
            line = f"param name={field.name} value={shown} type={_TYPES[option.kind]}"
            if option.bounds:
                line += f" min={option.bounds[0]} max={option.bounds[1]}"
            self.send(line)
        self.send("wait")

    def _set_param(self, rest: str) -> None:
        given = arguments(rest)
        name, value = given.get("name", ""), given.get("value", "")
        if name != "variant" or value not in ("", "normal"):
            settings = self.engine.settings.with_option(name, value)
            self.engine.stop()
            self.engine.configure(settings)

    def _initialise(self) -> None:
        self.engine.prepare()
        self.send("ready")

    def _begin_match(self) -> None:
        self.engine.new_match()
        self.engine.prepare()

    def _pos(self, rest: str) -> None:
        given, dialect = arguments(rest), self.engine.dialect
        start = self.engine.game.initial_state()
        if "pos" in given and given["pos"] != dialect.write_position(start):
            start = dialect.read_position(given["pos"])
        self.engine.set_line(start, given.get("moves", "").split())

    # Thinking.

    def _take_level(self, rest: str) -> None:
        given = arguments(rest)
        try:
            self._level = Limits(
                seconds=float(given.get("move-time", 0)),
                nodes=int(given.get("nodes", 0)),
                depth=int(given.get("depth", 0)),
                infinite="infinite" in given,
                left=float(given["time"]) if "time" in given else None,
                increment=float(given.get("inc", 0)),
                turns_to_go=int(given.get("moves", 0)),
            )
        except ValueError:
            raise Error(f"level takes numbers, as in move-time=1; not {rest!r}") from None

    def _go(self, rest: str) -> None:
        mode = rest or "think"
        if mode not in ("think", "ponder", "analyze"):
            raise Error(f"go takes think, ponder or analyze, not {mode!r}")
        self._pondered = mode == "ponder"
        self._think(Limits(infinite=True) if self._pondered else self._limits())

    def _limits(self) -> Limits:
        return replace(self._level, asked=perf_counter())

    def _think(self, limits: Limits) -> None:
        self.engine.think(Request(limits, self._tell, self.complain, self._show))

    def _ponder_hit(self) -> None:
        """Go on with the clock running: what was found so far lies in the tree."""
        if self._pondered and self.engine.is_thinking:
            self._pondered = False
            self.engine.discard()
            self._think(self._limits())

    def _tell(self, turn: Turn) -> None:
        dialect = self.engine.dialect
        answer = f"done move={dialect.write_turn(turn.state, turn.moves)}"
        line = turn.result.principal_variation if turn.result else []
        if len(line) > 1 and line[0] == turn.moves[0]:
            answer += f" ponder={dialect.write(turn.state.play(line[0]), line[1])}"
        self.send(answer)

    def _show(self, report: Report) -> None:
        best, state, texts = report.lines[0], report.state, []
        for move in best.variation:
            texts.append(self.engine.dialect.write(state, move))
            state = state.play(move)
        self.send(
            f"info depth={len(texts)} score={best.centipawns / 100:.2f} nodes={report.nodes}"
            f' time={report.seconds:.3f} pv="{" ".join(texts)}"'
        )


def arguments(text: str) -> dict[str, str]:
    """Return the arguments of a line; values with spaces are quoted, flags have none.

    >>> arguments('pos=Wbbee moves="38-15 5-41" infinite')
    {'pos': 'Wbbee', 'moves': '38-15 5-41', 'infinite': ''}
    """
    found = re.findall(r'([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s"]*)))?', text)
    return {name: quoted or plain for name, quoted, plain in found}
