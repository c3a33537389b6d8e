"""An engine as a player."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Literal

from athenan._core import Budget, Error, Game, ParameterError, State, Stop, Stopped
from athenan.arena.clocks import Clock, thinking_seconds
from athenan.arena.engines.driver import Asking, Driver, MatchLine
from athenan.arena.engines.process import EngineProcess
from athenan.arena.engines.registry import DRIVERS
from athenan.arena.player import Fault, Player, PlayerSpec, Thought
from athenan.dialects import dialect_for

TIMEOUT = 60.0
"""Seconds for an answer that is no move, and beyond the time that a move may take."""
UNLIMITED = 600.0
"""Seconds for a move where nothing limits it."""
Action = Callable[[Driver, MatchLine], None]
TimeModel = Literal["clock", "move", "none"]


@dataclass(frozen=True)
class EngineSpec(PlayerSpec):
    """An engine: how to start it, what it speaks, what it is told."""

    name: str
    protocol: str
    command: str
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    directory: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)
    seconds: float = 0
    nodes: int = 0
    depth: int = 0
    threads: int = 0
    """Told to an engine whose protocol has a word for them; 0 leaves that to who makes it."""
    time: TimeModel = "clock"
    """What it is told of a match's clock: all, a time for each move, or nothing."""
    timeout: float = TIMEOUT
    dialect: str = ""
    transcript: Path | None = None
    """A file to which every line of every dialogue is appended."""

    @property
    def description(self) -> str:
        """Its name and its command."""
        limits = ", ".join(
            f"{name}={value:g}"
            for name in ("seconds", "nodes", "depth")
            if (value := getattr(self, name))
        )
        shown = f"{self.protocol}:{shlex.quote(self.command)}"
        shown = shown if self.name.startswith(f"{self.protocol}:") else f"{self.name}, {shown}"
        return f"{shown} with {limits}" if limits else shown

    @property
    def is_timed(self) -> bool:
        """Whether seconds limit its thinking, as far as athenan knows."""
        return self.seconds > 0

    @property
    def thinks_elsewhere(self) -> bool:
        """An engine has a process of its own."""
        return True

    def make(self, game: Game, threads: int = 0) -> EnginePlayer:
        """Make the player; its process starts with the first match."""
        return EnginePlayer(self, game, self.threads or threads)


def refuse_limit(protocol: str, limit: str, name: str) -> None:
    """Refuse a limit that a protocol has no word for: the engine would think on."""
    taken = DRIVERS[protocol].limits
    if limit not in taken:
        raise ParameterError(
            f"{protocol} has no command for {limit} of the engine {name}; it has commands for "
            f"{', '.join(taken)}. The engine's own options may have one"
        )


class EnginePlayer(Player):
    """A process that plays; it is started anew after a fault."""

    def __init__(self, spec: EngineSpec, game: Game, threads: int) -> None:
        self.name = spec.name
        self._spec, self._game, self._threads = spec, game, threads
        self._dialect = dialect_for(spec.protocol, game, spec.dialect)
        self._driver: Driver | None = None
        self._line: MatchLine | None = None
        self._state: State | None = None  # the present one
        self._turn: list[int] = []  # the plies of a turn that were heard so far
        self._turn_start = game.initial_state()
        self._ahead: list[tuple[State, int]] = []  # plies of a turn that the engine answered
        self._answered = False  # the turn under way is the engine's own answer
        self._clock: Clock | None = None
        self._value: float | None = None

    # A match.

    def begin(self, game: Game, seed: int) -> None:
        """Begin a match, with a new process if there is none to go on with."""
        if game != self._game:
            raise Error(f"{self.name} was made for {self._game.id}, not for {game.id}")
        if self._driver is not None and not self._driver.process.is_alive:
            self.close()
        try:
            if self._driver is None:
                self._start()
            assert self._driver is not None
            self._driver.begin(seed)
        except Fault:
            self._abandon()
            raise
        self._line = self._state = self._value = None
        self._turn, self._ahead, self._answered = [], [], False

    def set_clock(self, clock: Clock | None) -> None:
        """Tell of this clock when the engine is asked next."""
        if clock is not None and clock.control.nodes:
            refuse_limit(self._spec.protocol, "nodes", self.name)
        self._clock = clock

    def hear(self, state: State, move: int) -> None:
        """Tell the engine of a turn when it is whole."""
        self._follow(state)
        assert self._line is not None
        after = state.play(move)
        self._turn.append(move)
        self._state = after
        if self._dialect.ends_turn(state, after):
            start, turn = self._turn_start, self._turn
            self._line.add(self._dialect.write_turn(start, turn), start.to_move, after)
            own, self._answered = self._answered, False
            self._turn, self._turn_start = [], after
            self._try(lambda driver, line: driver.tell(line, own))

    def think(
        self, state: State, budget: Budget | None = None, stop: Stop | None = None
    ) -> Thought:
        """Ask the engine; the other plies of a turn it has answered already."""
        self._follow(state)
        if self._ahead and self._ahead[0][0] == state:
            return Thought(self._ahead.pop(0)[1])
        if self._turn:
            raise Error(
                f"{self.name} plays whole turns of {self._game.name}: it cannot go on within one"
            )
        text = self._asked(self._asking(state, budget, stop))
        moves = self._read(state, text)
        self._answered = True
        self._ahead = []
        for move in moves[1:]:
            state = state.play(moves[len(self._ahead)])
            self._ahead.append((state, move))
        return Thought(moves[0])

    @property
    def value(self) -> float | None:
        """The engine's own score as a value of the first player, if it told one."""
        return self._value

    def close(self) -> None:
        """End the process."""
        if self._driver is not None:
            self._driver.process.close(self._driver.farewell)
            self._driver = None

    # The process.

    def _start(self) -> None:
        spec = self._spec
        process = EngineProcess(
            spec.name,
            shlex.split(spec.command),
            directory=spec.directory,
            environment=spec.environment,
            transcript=spec.transcript,
        )
        driver = DRIVERS[spec.protocol]
        self._driver = driver(process, self._game, self._dialect, spec.options, spec.timeout)
        self._driver.greet(self._threads)

    def _abandon(self) -> None:
        """End a process that is not reliable any more."""
        if self._driver is not None:
            self._driver.process.close()
            self._driver = None

    def _try(self, action: Action) -> None:
        """Let the driver say something; a fault of the engine ends its process."""
        driver, line = self._driver, self._line
        if driver is None or line is None:
            raise Fault("crash", f"the engine {self.name} does not run")
        try:
            action(driver, line)
        except Fault:
            self._abandon()
            raise

    # The line.

    def _follow(self, state: State) -> None:
        """Go on in the line, or begin another where the state is none of it."""
        if state == self._state:
            return
        is_new = self._line is None
        self._line = MatchLine(state) if self._line is None else self._line.back_to(state)
        self._state = self._turn_start = state
        self._turn, self._ahead, self._answered = [], [], False
        if not is_new or not self._line.from_the_beginning:
            self._try(lambda driver, line: driver.set_line(line))

    # Asking.

    def _asking(self, state: State, budget: Budget | None, stop: Stop | None) -> Asking:
        spec, clock = self._spec, self._clock
        seconds, nodes = spec.seconds, spec.nodes
        if budget is not None:
            seconds, nodes = budget.seconds, budget.expansions or budget.iterations
        elif clock is not None:
            nodes = nodes or clock.control.nodes
            if clock.control.move_seconds:
                seconds = clock.control.move_seconds - clock.spent
            elif spec.time == "move":
                seconds = thinking_seconds(clock, state) or 0
        told = clock if budget is None and spec.time == "clock" and self._is_whole(clock) else None
        if spec.time == "none":
            seconds = spec.seconds
        longest = seconds or (told.available(state.to_move) if told else UNLIMITED)
        until = perf_counter() + longest + spec.timeout
        return Asking(0 if told else seconds, nodes, spec.depth, told, until, stop)

    @staticmethod
    def _is_whole(clock: Clock | None) -> bool:
        """Tell whether a clock is for more than the next turn."""
        return clock is not None and clock.control.is_timed and not clock.control.move_seconds

    def _asked(self, asking: Asking) -> str:
        answers: list[str] = []
        try:
            self._try(lambda driver, line: answers.append(driver.ask(line, asking)))
        except Stopped:
            self._abandon()
            raise
        driver = self._driver
        assert driver is not None
        self._value = driver.value
        return answers[0]

    def _read(self, state: State, text: str) -> list[int]:
        if self._value is not None and state.to_move:
            self._value = -self._value
        try:
            return self._dialect.read_turn(state, text)
        except Error:
            self._abandon()
            raise Fault(
                "illegal" if len(text) <= 100 and text.isprintable() else "malformed",
                f"{self.name} answers {text[:100]!r}, which is not a legal move of "
                f"{self._game.name} in the position {state.position}",
            ) from None
