"""What UCI and its relatives share: UGI, UAI and UCCI say other words in the same order.

The client sends the whole line of a match before each `go`, and the engine answers `bestmove` when
it has thought. Unknown words are passed over, as the specification of UCI asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from time import perf_counter
from typing import ClassVar

from athenan._core import Error, Game
from athenan.protocols.engine import Request, Turn
from athenan.protocols.limits import Limits
from athenan.protocols.protocol import Protocol, Write
from athenan.protocols.reports import Line, Report
from athenan.protocols.settings import OPTIONS, Settings

MILLISECONDS = 1000
NOT_HEEDED = ("mate", "searchmoves")
"""Words of `go` that mean something to other engines."""


@dataclass(frozen=True)
class Words:
    """The words that differ."""

    greeting: str
    new_game: str
    clocks: tuple[str, str]
    """Of the first and of the second player."""
    increments: tuple[str, str]
    no_move: str = "bestmove 0000"
    """Sent where the match is over already."""


class UciCore(Protocol):
    """UCI, with other words."""

    words: ClassVar[Words]
    option_names: ClassVar[dict[str, str]] = {"multipv": "MultiPV"}
    """Where a protocol writes the name of an option otherwise than with one capital."""

    def __init__(self, game: Game, settings: Settings, write: Write, dialect: str = "") -> None:
        super().__init__(game, settings, write, dialect)
        self._pondered: Limits | None = None
        self.commands: dict[str, Callable[[list[str]], None]] = {
            self.words.greeting: lambda _: self._introduce(),
            self.words.new_game: lambda _: self._begin_match(),
            "isready": lambda _: self._get_ready(),
            "setoption": self._set_option,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._stop(),
            "ponderhit": lambda _: self._ponderhit(),
            **self.own_commands(),
        }

    def own_commands(self) -> dict[str, Callable[[list[str]], None]]:
        """Return what a relative adds."""
        return {}

    def hear(self, line: str) -> bool:
        """Take a command."""
        words = line.split()
        while words and words[0] not in self.commands and words[0] != "quit":
            self.unknown(words.pop(0))
        if not words:
            return True
        if words[0] == "quit":
            self.farewell()
            return False
        try:
            self.commands[words[0]](words[1:])
        except Exception as problem:
            self.complain(" ".join(str(problem).split()))
        return True

    def unknown(self, word: str) -> None:
        """Hear a word that is none: the specification says to pass over it."""

    def complain(self, sentence: str) -> None:
        """Tell what went wrong, where people see it."""
        self.send(f"info string error: {sentence}")

    def farewell(self) -> None:
        """End what is under way."""
        self.engine.stop()

    # Introduction and options.

    def _introduce(self) -> None:
        from importlib.metadata import version

        self.send(f"id name athenan {version('athenan')}")
        self.send("id author the athenan authors")
        for line in [*self.own_options(), *self._option_lines()]:
            self.send(line)
        self.send(f"{self.words.greeting}ok")

    def own_options(self) -> list[str]:
        """Return the lines that introduce the options of a relative."""
        return []

    def _option_lines(self) -> list[str]:
        lines = []
        for field in fields(Settings):
            option, value = OPTIONS[field.name], getattr(self.engine.settings, field.name)
            if option.kind == "check":
                shown = str(value).lower()
            else:
                shown = f"{value:g}" if isinstance(value, float) else str(value or 0)
                shown = value or "<empty>" if isinstance(value, str) else shown
            name = self.option_names.get(field.name, field.name.capitalize())
            lines.append(self.option_line(name, option.kind, shown, option.bounds))
        return lines

    def option_line(self, name: str, kind: str, shown: str, bounds: tuple[int, int] | None) -> str:
        """Introduce an option."""
        limits = f" min {bounds[0]} max {bounds[1]}" if bounds else ""
        return f"option name {name} type {kind} default {shown}{limits}"

    def _set_option(self, words: list[str]) -> None:
        name, value = self.split_option(words)
        self.engine.stop()
        if not self.set_own_option(name, value):
            value = "" if value == "<empty>" else value
            self.engine.configure(self.engine.settings.with_option(name, value))

    def split_option(self, words: list[str]) -> tuple[str, str]:
        """Return the name and the value of a setoption."""
        return split_option(words)

    def set_own_option(self, name: str, value: str) -> bool:  # noqa: ARG002 (most have none)
        """Set an option of a relative; False if it has none of that name."""
        return False

    def _get_ready(self) -> None:
        if not self.engine.is_thinking:
            self.engine.prepare()
        self.send("readyok")

    def _begin_match(self) -> None:
        self.engine.new_match()
        self.engine.prepare()

    # Positions.

    def _position(self, words: list[str]) -> None:
        turns: list[str] = []
        if "moves" in words:
            at = words.index("moves")
            words, turns = words[:at], words[at + 1 :]
        if words[:1] == ["startpos"]:
            start = self.engine.game.initial_state()
        elif len(words) > 1 and words[0] == "fen":
            start = self.engine.dialect.read_position(" ".join(words[1:]))
        else:
            raise Error("position takes startpos, or fen and a position; then moves")
        self.engine.set_line(start, turns)

    # Thinking.

    def _go(self, words: list[str]) -> None:
        asked = perf_counter()
        self.engine.stop()
        if self.engine.state.is_terminal:
            self.send(self.words.no_move)
            return
        given = self.arguments_of_go(words)
        limits = replace(self.limits_of(given), asked=asked)
        if unheeded := self.unheeded(given):
            self.send(f"info string {unheeded}")
        self._pondered = replace(limits, infinite=False) if "ponder" in given else None
        if self._pondered is not None:
            limits = Limits(infinite=True)
        self._think(limits)

    def arguments_of_go(self, words: list[str]) -> dict[str, float]:
        """Return the words after go, with the numbers that follow them."""
        given: dict[str, float] = {}
        name = ""
        for word in words:
            try:
                given[name] = float(word)
            except ValueError:
                name = word
                given[name] = 0
        return given

    def unheeded(self, given: dict[str, float]) -> str:
        """Return in one sentence what of such words our search does not heed."""
        self.engine.prepare()
        words = [word for word in NOT_HEEDED if word in given]
        if "depth" in given and not self.engine.deepens:
            words.append("depth")
        return f"this search does not heed: {', '.join(words)}" if words else ""

    def limits_of(self, given: dict[str, float]) -> Limits:
        """Return what such words allow for the turn."""
        player = self.engine.state.to_move
        clock, increment = self.words.clocks[player], self.words.increments[player]
        return Limits(
            seconds=given.get("movetime", 0) / MILLISECONDS,
            nodes=int(given.get("nodes", 0)),
            depth=int(given.get("depth", 0)),
            infinite="infinite" in given,
            left=given[clock] / MILLISECONDS if clock in given else None,
            increment=given.get(increment, 0) / MILLISECONDS,
            turns_to_go=int(given.get("movestogo", 0)),
        )

    def _think(self, limits: Limits) -> None:
        self.engine.think(Request(limits, self._best_move, self._no_move, self._report))

    def _best_move(self, turn: Turn) -> None:
        text = f"bestmove {self.engine.dialect.write_turn(turn.state, turn.moves)}"
        answer = self._expected_answer(turn)
        self.send(f"{text} ponder {answer}" if answer else text)

    def _expected_answer(self, turn: Turn) -> str:
        """Return the opponent's move that the search expects; none where turns have several."""
        if turn.result is None or self.engine.dialect.turn_plies > 1:
            return ""
        line = turn.result.principal_variation
        if len(line) < 2 or line[0] != turn.moves[0]:
            return ""
        after = turn.state.play(line[0])
        return self.engine.dialect.write(after, line[1])

    def _no_move(self, sentence: str) -> None:
        self.complain(sentence)
        self.send(self.words.no_move)

    def _stop(self) -> None:
        self._pondered = None
        self.engine.stop()

    def _ponderhit(self) -> None:
        """Go on with the clock running: what was found so far lies in the tree."""
        if self._pondered is None:
            return
        limits, self._pondered = replace(self._pondered, asked=perf_counter()), None
        self.engine.discard()
        self._think(limits)

    def _report(self, report: Report) -> None:
        for rank, line in enumerate(report.lines[: self.engine.settings.multipv], 1):
            self.send(self._info(report, line, rank))

    def _info(self, report: Report, line: Line, rank: int) -> str:
        score = f"mate {line.mate}" if line.mate is not None else f"cp {line.centipawns}"
        depth = len(line.variation)
        return (
            f"info depth {depth} seldepth {depth} multipv {rank} score {score}"
            f" nodes {report.nodes} nps {report.nodes_per_second}"
            f" time {round(report.seconds * MILLISECONDS)} pv {self._variation(report, line)}"
        )

    def _variation(self, report: Report, line: Line) -> str:
        """Return the turns of a line; of one that is cut within a turn, what is whole."""
        dialect, texts, state = self.engine.dialect, [], report.state
        start, turn = state, list[int]()
        for move in line.variation:
            after = state.play(move)
            turn.append(move)
            if dialect.ends_turn(state, after):
                texts.append(dialect.write_turn(start, turn))
                start, turn = after, []
            state = after
        return " ".join(texts)


def split_option(words: Sequence[str]) -> tuple[str, str]:
    """Return the name and the value of a setoption: name A B value C D.

    >>> split_option("name Model value runs/hex 5".split())
    ('Model', 'runs/hex 5')
    """
    if words[:1] != ["name"] or len(words) < 2:
        raise Error("setoption takes name, a name, value and a value")
    at = list(words).index("value") if "value" in words else len(words)
    return " ".join(words[1:at]), " ".join(words[at + 1 :])
