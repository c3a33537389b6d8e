"""Driving engines that speak UCI or one of its relatives."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import pairwise
from time import perf_counter
from typing import ClassVar, NamedTuple

from athenan._core import Error, Stopped
from athenan.arena.clocks import Clock
from athenan.arena.engines.driver import Asking, Driver, MatchLine
from athenan.arena.player import Fault
from athenan.dialects.uci_variants import uci_variants

MILLISECONDS = 1000
STOPPING = 1.0
"""Seconds that an engine has to answer stop."""


class GoWords(NamedTuple):
    """The words of a relative."""

    greeting: str
    new_game: str
    clocks: tuple[str, str]
    increments: tuple[str, str]


class UciCoreDriver(Driver):
    """What UCI, UGI and UAI share."""

    words: ClassVar[GoWords]

    def greet(self, threads: int) -> None:
        """Hear of its options, and set them."""
        self._names: dict[str, str] = {}
        self.send(self.words.greeting)
        for line in self.lines():
            if line.strip() == f"{self.words.greeting}ok":
                break
            self._hear_option(line)
        given = {name.lower() for name in self.options}
        if threads and "threads" not in given:
            self._set_known("threads", str(threads))
        for name, value in {**self.usual_options(), **self.options}.items():
            self.set_option(name, value)
        self._wait_until_ready()

    def usual_options(self) -> dict[str, str]:
        """Return options that the game asks for."""
        return {}

    def _hear_option(self, line: str) -> None:
        if name := self.option_name(line.split()):
            self._names[name.lower()] = name

    def option_name(self, words: list[str]) -> str:
        """Return the name of an option that the engine introduces; of other lines none."""
        if words[:2] != ["option", "name"] or "type" not in words:
            return ""
        return " ".join(words[2 : words.index("type")])

    def set_option(self, name: str, value: str) -> None:
        """Set an option."""
        self.send(f"setoption name {name} value {value}")

    def _set_known(self, name: str, value: str) -> None:
        """Set an option if the engine has it, whatever its letters."""
        if name in self._names:
            self.set_option(self._names[name], value)

    def _wait_until_ready(self) -> None:
        self.send("isready")
        for line in self.lines():
            if line.strip() == "readyok":
                return

    def begin(self, seed: int) -> None:
        """Begin a match."""
        if "seed" not in {name.lower() for name in self.options}:
            self._set_known("seed", str(seed))
        self.send(self.words.new_game)
        self._wait_until_ready()

    def ask(self, line: MatchLine, asking: Asking) -> str:
        """Send the whole line, and wait for the best move."""
        self.process.discard()
        self.value = None
        self.send(self._position(line))
        self.send(" ".join(["go", *self.go_words(asking, line.to_move)]))
        try:
            for said in self.lines(asking.until, asking.stop):
                words = said.split()
                if words[:1] == ["info"]:
                    self.hear_score(words)
                elif (move := self.answer(words)) is not None:
                    return move
        except Stopped:
            return self._stopped()
        raise AssertionError  # the lines end with a fault

    def _position(self, line: MatchLine) -> str:
        start = "startpos"
        if not line.from_the_beginning:
            start = f"fen {self.dialect.write_position(line.start)}"
        moves = f" moves {' '.join(line.turns)}" if line.turns else ""
        return f"position {start}{moves}"

    def go_words(self, asking: Asking, player: int) -> list[str]:
        """Return what is said of the time."""
        words: list[str] = []
        if asking.clock is not None:
            words += self.clock_words(asking.clock, player)
        if asking.seconds:
            words += ["movetime", milliseconds(asking.seconds)]
        if asking.nodes:
            words += ["nodes", str(asking.nodes)]
        if asking.depth:
            words += ["depth", str(asking.depth)]
        return words

    def clock_words(self, clock: Clock, player: int) -> list[str]:
        """Return the clocks of both; a period of byo-yomi is a time to move within."""
        if clock.seconds[player] <= 0 and clock.byo_yomi:
            return ["movetime", milliseconds(clock.byo_yomi)]
        words: list[str] = []
        for name, seconds in zip(self.words.clocks, clock.seconds, strict=True):
            words += [name, milliseconds(seconds)]
        for name in self.words.increments:
            if clock.increment:
                words += [name, milliseconds(clock.increment)]
        return words

    def answer(self, words: list[str]) -> str | None:
        """Return the move of a line that has one."""
        if words[:1] != ["bestmove"]:
            return None
        if len(words) < 2:
            raise Fault("malformed", f"{self.process.name} says bestmove without a move")
        return words[1]

    def hear_score(self, words: list[str]) -> None:
        """Remember the last score that it told of its first line."""
        with suppress(ValueError, IndexError):
            if "multipv" in words and words[words.index("multipv") + 1] != "1":
                return
            at = words.index("score")
            kind, number = words[at + 1], int(words[at + 2])
            if kind == "mate":
                self.value = 1.0 if number > 0 else -1.0
            elif kind == "cp":
                self.value = value_of_score(number)

    def _stopped(self) -> str:
        """Ask it to stop, and return its best move so far."""
        with suppress(Fault):
            self.send("stop")
            for said in self.lines(perf_counter() + STOPPING):
                if (move := self.answer(said.split())) is not None:
                    return move
        raise Stopped(f"the engine {self.process.name} was stopped")


class UciDriver(UciCoreDriver):
    """UCI, with the option UCI_Variant where the dialect names one."""

    protocol: ClassVar[str] = "uci"
    words: ClassVar[GoWords] = GoWords("uci", "ucinewgame", ("wtime", "btime"), ("winc", "binc"))

    def greet(self, threads: int) -> None:
        """Hear which variants it plays, too."""
        self._variants: set[str] = set()
        super().greet(threads)

    def option_name(self, words: list[str]) -> str:
        """Return the name of an option, and remember the variants."""
        name = super().option_name(words)
        if name == "UCI_Variant":
            self._variants = {after for word, after in pairwise(words) if word == "var"}
        return name

    def usual_options(self) -> dict[str, str]:
        """Return the variant; an engine that lacks it would play another game."""
        variant = getattr(self.dialect, "variant", "")
        if variant and self._variants and variant not in self._variants:
            shared = ", ".join(sorted(self._variants & uci_variants().keys()))
            raise Error(
                f"{self.process.name} does not play the variant {variant}; "
                f"of the variants known here it plays {shared or 'none'}"
            )
        return {"UCI_Variant": variant} if variant else {}


class UgiDriver(UciCoreDriver):
    """UGI."""

    protocol: ClassVar[str] = "ugi"
    words: ClassVar[GoWords] = GoWords(
        "ugi", "uginewgame", ("p1time", "p2time"), ("p1inc", "p2inc")
    )


class UaiDriver(UciCoreDriver):
    """UAI."""

    protocol: ClassVar[str] = "uai"
    words: ClassVar[GoWords] = GoWords("uai", "uainewgame", ("btime", "wtime"), ("binc", "winc"))


def value_of_score(centipawns: int) -> float:
    """Return a value from -1 to 1 of a score in hundredths of a pawn, on the scale of Elo.

    >>> round(value_of_score(100), 2), value_of_score(0)
    (0.28, 0.0)
    """
    return math.tanh(centipawns * math.log(10) / 800)


def milliseconds(seconds: float) -> str:
    """Return a time as engines read it."""
    return str(max(1, round(seconds * MILLISECONDS)))
