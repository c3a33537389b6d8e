"""What drives an engine: one protocol, spoken to one process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import ClassVar

from athenan._core import Error, Game, State, Stop
from athenan.arena.clocks import Clock
from athenan.arena.engines.process import EngineProcess
from athenan.dialects import Dialect


@dataclass
class MatchLine:
    """A match as an engine has to know it: where it began, and the whole turns since."""

    start: State
    turns: list[str] = field(default_factory=list)
    """In the dialect."""
    movers: list[int] = field(default_factory=list)
    """Who made each turn."""
    states: list[State] = field(default_factory=list)
    """After each turn."""

    @property
    def to_move(self) -> int:
        """Whose turn it is."""
        return (self.states[-1] if self.states else self.start).to_move

    def add(self, text: str, mover: int, after: State) -> None:
        """Go on with a turn."""
        self.turns.append(text)
        self.movers.append(mover)
        self.states.append(after)

    def back_to(self, state: State) -> MatchLine:
        """Return the part of the line that leads to a state; a new line if it does not."""
        for turns in range(len(self.states), -1, -1):
            if state == (self.states[turns - 1] if turns else self.start):
                parts = (part[:turns] for part in (self.turns, self.movers, self.states))
                return MatchLine(self.start, *parts)  # type: ignore[arg-type]
        return MatchLine(state)

    @property
    def from_the_beginning(self) -> bool:
        """Whether it began as every match of the game does."""
        return self.start == self.start.game.initial_state()


@dataclass(frozen=True)
class Asking:
    """What an engine is told of the time for one turn; 0 is no such limit."""

    seconds: float = 0
    nodes: int = 0
    depth: int = 0
    clock: Clock | None = None
    until: float = 0
    """When the wait for its answer ends, by perf_counter."""
    stop: Stop | None = None


class Driver(ABC):
    """Speaks a protocol to an engine. Whatever goes wrong is a `Fault`."""

    protocol: ClassVar[str]
    farewell: ClassVar[str] = "quit"
    limits: ClassVar[tuple[str, ...]] = ("seconds", "nodes", "depth")
    """What it can tell an engine to keep to, beside a clock."""
    has_threads: ClassVar[bool] = True
    """Whether it has a word for the number of threads."""

    def __init__(
        self,
        process: EngineProcess,
        game: Game,
        dialect: Dialect,
        options: Mapping[str, str],
        timeout: float,
    ) -> None:
        self.process, self.game, self.dialect = process, game, dialect
        self.options, self.timeout = options, timeout
        self.value: float | None = None
        """What the engine made of the position it thought about last: +1 is its own sure win."""

    # What a protocol says.

    @abstractmethod
    def greet(self, threads: int) -> None:
        """Begin the conversation and set the options; `threads`, unless 0, if there is such one."""

    @abstractmethod
    def begin(self, seed: int) -> None:
        """Begin a match; the seed is for engines that take one."""

    @abstractmethod
    def ask(self, line: MatchLine, asking: Asking) -> str:
        """Ask for the next turn. A request to stop raises `Stopped`, who gives up `Resigned`."""

    def tell(self, line: MatchLine, own: bool) -> None:  # noqa: B027 (most send whole lines)
        """Tell of the last turn of a line; `own` is one that the engine itself answered."""

    def set_line(self, line: MatchLine) -> None:  # noqa: B027 (most send whole lines)
        """Set up a line that does not go on from what was told."""

    # What all use.

    def send(self, line: str) -> None:
        """Send a line."""
        self.process.send(line, self.timeout)

    def lines(self, until: float | None = None, stop: Stop | None = None) -> Iterator[str]:
        """Yield what the engine says from now on; a Fault when the time is over."""
        until = perf_counter() + self.timeout if until is None else until
        while True:
            yield self.process.receive(until, stop)

    def refuse_position(self, line: MatchLine) -> None:
        """Refuse a match that began elsewhere than at the start of the game."""
        if not line.from_the_beginning:
            raise Error(
                f"{self.protocol} cannot set up positions: {self.process.name} plays only from the "
                f"start of {self.game.name}"
            )
