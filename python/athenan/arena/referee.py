"""The referee: lets two players move in turn, measures their time, and says how it ended.

What a player does wrong is a finding, recorded with the position, and never taken for a result: a
move that our rules refuse may as well show a difference between two readings of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from athenan._core import Error, Game, Search, SearchSpec, State, Stop, Stopped
from athenan.arena.clocks import Clock
from athenan.arena.conditions import Conditions, Threshold
from athenan.arena.player import Fault, Player, Resigned, Thought
from athenan.arena.record import Effort

JUDGE = SearchSpec("descent")  # completed: what it has resolved is proven


@dataclass(frozen=True)
class Ending:
    """How a match ended, if not by the rules of the game."""

    outcome: int | None
    reason: str
    who: int | None = None
    sentence: str = ""


@dataclass
class Course:
    """A match as it goes on; sides are 0 for the first player and 1 for the second."""

    states: list[State]
    clock: Clock
    moves: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    values: list[float | None] = field(default_factory=list)
    sides: list[int] = field(default_factory=list)
    """Who made each move after the opening."""
    efforts: list[Effort] = field(default_factory=lambda: [Effort(), Effort()])
    memory_full: int = 0
    ending: Ending | None = None

    @property
    def state(self) -> State:
        """The state after the last move."""
        return self.states[-1]

    @property
    def outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None if it has none."""
        return self.ending.outcome if self.ending else self.state.outcome


class Referee:
    """Conducts one match after the other under the same conditions."""

    def __init__(self, game: Game, conditions: Conditions) -> None:
        self._conditions = conditions
        self._judge = Judge(game, conditions)

    def play(
        self,
        start: State,
        opening: Sequence[int],
        players: Sequence[Player],
        seeds: Sequence[int],
        stop: Stop | None = None,
    ) -> Course:
        """Let players, the first one first, play from a state on after an opening."""
        course = Course([start], Clock.of(self._conditions.control))
        self._judge.begin()
        side = 0
        try:
            for side, each in enumerate(players):
                each.begin(start.game, seeds[side])
            for move in opening:
                self._make(course, players, move)
            while course.ending is None and course.outcome is None:
                side = course.state.to_move
                move = self._asked(course, players[side], side, stop)
                if course.ending is None:
                    self._make(course, players, move)
                    course.ending = self._judge.ending(course)
        except Fault as fault:
            side = side if fault.who is None else fault.who
            course.ending = ending_of_fault(fault, side, course.state, self._conditions)
        return course

    def _asked(self, course: Course, player: Player, side: int, stop: Stop | None) -> int:
        """Ask a player for its move, and stop its time; the match may end instead."""
        player.set_clock(course.clock if self._conditions.need_referee else None)
        started = perf_counter()
        try:
            thought = player.think(course.state, None, stop)
        except Resigned:
            course.ending = Ending(loss_of(side), "resigned", side)
            return 0
        finally:
            seconds = perf_counter() - started
            heed(stop)
        check_legal(course.state, thought.move, player.name)
        course.efforts[side] += _effort(thought, seconds)
        course.memory_full += thought.result is not None and thought.result.memory_full
        course.clock = course.clock.after(
            side,
            seconds,
            ends_turn=_ends_turn(course.state, thought.move),
            margin=self._conditions.margin,
        )
        if course.clock.fallen is not None:
            late = f"{player.name} took {seconds:.3f} s for its move"
            course.ending = Ending(loss_of(side), "time", side, late)
            return 0
        course.seconds.append(seconds)
        course.values.append(player.value)
        course.sides.append(side)
        return thought.move

    def _make(self, course: Course, players: Sequence[Player], move: int) -> None:
        state = course.state
        course.moves.append(move)
        course.states.append(state.play(move))
        for side, each in enumerate(players):
            try:
                each.hear(state, move)
            except Fault as fault:
                fault.who = side  # not the one to move
                raise


class Judge:
    """Ends matches early, as far as the conditions want it."""

    def __init__(self, game: Game, conditions: Conditions) -> None:
        self._wanted = conditions.adjudication
        spec = JUDGE.with_(expansions=max(1, self._wanted.proven), memory_mb=256)
        self._search = Search(game, spec) if self._wanted.proven else None

    def begin(self) -> None:
        """Forget the last match."""
        if self._search:
            self._search.new_match(0)

    def ending(self, course: Course) -> Ending | None:
        """Return how a match ends now; None if it goes on."""
        if course.outcome is not None:
            return None  # by the rules
        if (outcome := self._agreed(course)) is not None:
            return Ending(outcome, "agreed")
        side = course.sides[-1]
        if self._wanted.resign and _is_hopeless(course, side, self._wanted.resign):
            return Ending(loss_of(side), "resigned", side)
        if (outcome := self._proven(course.state)) is not None:
            return Ending(outcome, "proven")
        if self._wanted.length and course.state.ply >= self._wanted.length:
            return Ending(0, "length")
        return None

    def _agreed(self, course: Course) -> int | None:
        """Return the outcome that both players have believed in for long enough."""
        wanted = self._wanted.agreed
        if wanted is None:
            return None
        last = [value for side in (0, 1) for value in _last_values(course, side, wanted.moves)]
        if len(last) < 2 * wanted.moves:
            return None
        if all(value is not None and value > wanted.value for value in last):
            return 1
        return -1 if all(value is not None and value < -wanted.value for value in last) else None

    def _proven(self, state: State) -> int | None:
        if self._search is None:
            return None
        self._search.begin(state)
        self._search.run_fake(0)
        return self._search.root_completion if self._search.root_resolved else None


def _is_hopeless(course: Course, side: int, limit: Threshold) -> bool:
    last, sign = _last_values(course, side, limit.moves), 1 - 2 * side
    return len(last) == limit.moves and all(
        value is not None and sign * value < -limit.value for value in last
    )


def _last_values(course: Course, side: int, count: int) -> list[float | None]:
    pairs = zip(course.sides, course.values, strict=True)
    return [value for mover, value in pairs if mover == side][-count:]


def check_legal(state: State, move: int, name: str) -> None:
    """Raise the fault of a player whose move the rules refuse."""
    if move not in state.legal_moves():
        try:
            written = state.move_to_string(move)
        except (Error, TypeError):
            written = str(move)
        raise Fault("illegal", f"{name} played {written}, which is not legal by our rules")


def _ends_turn(state: State, move: int) -> bool:
    after = state.play(move)
    return after.is_terminal or after.to_move != state.to_move


def loss_of(side: int) -> int:
    """Return the outcome of a match that a side has lost."""
    return 1 if side else -1


def ending_of_fault(fault: Fault, side: int, state: State, conditions: Conditions) -> Ending:
    """Return how a match ends in which a side was at fault."""
    sentence = f"{' '.join(str(fault).split())} (position: {state.position})"
    loses = conditions.faults == "lose"
    return Ending(loss_of(side) if loses else None, fault.kind, side, sentence)


def heed(stop: Stop | None) -> None:
    """Raise Stopped after a request to stop."""
    if stop and stop.requested:
        raise Stopped("the series was stopped")


def _effort(thought: Thought, seconds: float) -> Effort:
    if thought.result is None:
        return Effort(1, seconds)
    spent = thought.result.spent
    return Effort(1, seconds, spent.expansions, spent.evaluations)
