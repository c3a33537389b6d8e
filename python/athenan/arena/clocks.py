"""Time controls and clocks.

A time control is what both players get; a clock is what is left of it. Both are values. A turn is
what the clock counts: in Amazons or Arimaa, where a turn is several plies, time per move is for
the whole turn, and the increment comes at its end.

move=0.1       a tenth of a second for each move
300            five minutes for the match
5+0.1          five seconds for the match, and a tenth more after each move
60/10          a minute for the match, then ten seconds for each move (byo-yomi)
60/3x10        likewise, but three times ten seconds: who uses up the last of them loses
nodes=1000     no time, but 1,000 nodes of an engine or expansions of a search for each move

>>> control = TimeControl.parse("5+0.1")
>>> control.seconds, control.increment, str(control)
(5.0, 0.1, '5+0.1')
>>> clock = Clock.of(control).after(0, 2.0)
>>> clock.seconds
(3.1, 5.0)
>>> clock.after(0, 4.0).fallen
0
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Self, TypeVar

from athenan._core import ParameterError, State
from athenan.expected import expect, expect_number, expect_whole

FORMS = "move=0.1, 300, 5+0.1, 60/10, 60/3x10 or nodes=1000"
LAG = 0.006  # seconds between the end of thinking and the end of the move
SHORTEST = 0.001  # seconds: who has none left still has to move
RESERVE = 0.2  # the part of the time left that no turn but the last may touch
SPENT_AT_ONCE = 0.8  # the part of an increment that the turn before it takes
TURNS = (10, 40)  # that a player expects to have to make yet, at least and at most
LONGEST = 1e6  # seconds
MOST_PERIODS, MOST_NODES = 1000, 10**12

Number = TypeVar("Number", int, float)
_NUMBER = r"(\d+(?:\.\d*)?|\.\d+)"
_PER_MOVE = re.compile(f"move={_NUMBER}")
_PER_MATCH = re.compile(rf"{_NUMBER}(?:\+{_NUMBER})?(?:/(?:(\d+)x)?{_NUMBER})?")
_NODES = re.compile(r"nodes=(\d+)")


@dataclass(frozen=True)
class TimeControl:
    """How long players may think; 0 is no such limit."""

    seconds: float = 0.0
    """For the whole match."""
    increment: float = 0.0
    """Seconds added after each turn."""
    byo_yomi: float = 0.0
    """Seconds for each turn once those of the match are spent."""
    periods: int = 1
    """How many of these a player has; a turn that ends within one does not use it up."""
    move_seconds: float = 0.0
    """For each turn, whatever the others took."""
    nodes: int = 0
    """For each move: nodes of an engine, expansions of a search."""

    def __post_init__(self) -> None:
        for name in ("seconds", "increment", "byo_yomi", "move_seconds"):
            expect_number(getattr(self, name), f"the {name} of a time control", 0, LONGEST)
        expect_whole(self.periods, "the periods of a time control", 1, MOST_PERIODS)
        expect_whole(self.nodes, "the nodes of a time control", 0, MOST_NODES)

    @property
    def is_timed(self) -> bool:
        """Whether a clock runs."""
        return self.seconds > 0 or self.byo_yomi > 0 or self.move_seconds > 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a text such as "5+0.1"; the top of this file has all forms."""
        expect(text, str, f"a time control as a text: {FORMS}")
        try:
            found = cls._read(text)
        except ParameterError:
            found = None
        if found is None or not (found.is_timed or found.nodes):
            raise ParameterError(f"there is no time control {text!r}; accepted are {FORMS}")
        return found

    @classmethod
    def _read(cls, text: str) -> Self | None:
        if given := _PER_MOVE.fullmatch(text):
            return cls(move_seconds=float(given[1]))
        if given := _NODES.fullmatch(text):
            return cls(nodes=int(given[1]))
        if given := _PER_MATCH.fullmatch(text):
            seconds, increment, periods, byo_yomi = given.groups()
            return cls(
                float(seconds), float(increment or 0), float(byo_yomi or 0), int(periods or 1)
            )
        return None

    def __str__(self) -> str:
        if self.nodes:
            return f"nodes={self.nodes}"
        if self.move_seconds:
            return f"move={self.move_seconds:g}"
        increment = f"+{self.increment:g}" if self.increment else ""
        periods = f"{self.periods}x" if self.periods > 1 else ""
        byo_yomi = f"/{periods}{self.byo_yomi:g}" if self.byo_yomi else ""
        return f"{self.seconds:g}{increment}{byo_yomi}"


@dataclass(frozen=True)
class Clock:
    """What is left to the first player and to the second."""

    control: TimeControl
    seconds: tuple[float, float] = (0.0, 0.0)
    """Of those for the match; 0 where there are none, and in byo-yomi."""
    periods: tuple[int, int] = (1, 1)
    """Of byo-yomi."""
    spent: float = 0.0
    """What the player to move has spent of its seconds per move, or of its byo-yomi, already."""
    fallen: int | None = None
    """Who ran out of time."""

    @classmethod
    def of(cls, control: TimeControl) -> Self:
        """Return the clock at the start of a match."""
        return cls(control, (control.seconds,) * 2, (control.periods,) * 2)

    @property
    def increment(self) -> float:
        """Seconds added after each turn."""
        return self.control.increment

    @property
    def byo_yomi(self) -> float:
        """Seconds for each turn once those of the match are spent."""
        return self.control.byo_yomi

    def available(self, player: int) -> float:
        """Return the seconds after which a player to move has run out of time; maybe infinity."""
        if not self.control.is_timed:
            return math.inf
        if self.control.move_seconds:
            return self.control.move_seconds - self.spent
        return self.seconds[player] + self.periods[player] * self.byo_yomi - self.spent

    def after(
        self, player: int, seconds: float, *, ends_turn: bool = True, margin: float = 0.0
    ) -> Clock:
        """Return the clock after a player's thinking time; `margin` is how late it may be."""
        available = self.available(player)
        if math.isinf(available):
            return self
        if seconds > available + margin:
            return replace(self, fallen=player)
        seconds = min(seconds, available)
        if self.control.move_seconds:
            return replace(self, spent=0.0 if ends_turn else self.spent + seconds)
        main = min(seconds, self.seconds[player])
        spent, periods = self.spent + seconds - main, self.periods[player]
        while periods > 1 and spent > self.byo_yomi:
            spent, periods = spent - self.byo_yomi, periods - 1
        left = self.seconds[player] - main + (self.increment if ends_turn else 0.0)
        return replace(
            self,
            seconds=_replaced(self.seconds, player, round(left, 9)),
            periods=_replaced(self.periods, player, periods),
            spent=0.0 if ends_turn else spent,
        )


def thinking_seconds(clock: Clock, state: State) -> float | None:
    """Return how long the player to move should think about a state; None without a time limit.

    It is for searches that have no clock of their own. Where the turn goes on after this ply, half
    of what the turn may take is left for the rest of it.

    >>> import athenan
    >>> state = athenan.make_game("tic_tac_toe").initial_state()
    >>> thinking_seconds(Clock.of(TimeControl.parse("move=0.5")), state)
    0.494
    """
    control, player = clock.control, state.to_move
    if not control.is_timed:
        return None
    available = clock.available(player)
    share = available
    if not control.move_seconds:
        left, byo_yomi = clock.seconds[player], clock.byo_yomi - clock.spent
        share = min(seconds_of_turn(state, left, clock.increment, byo_yomi), available)
    share -= LAG
    return max(SHORTEST, round(share / 2 if _turn_goes_on(state) else share, 6))


def seconds_of_turn(
    state: State, left: float, increment: float = 0.0, byo_yomi: float = 0.0, turns: int = 0
) -> float:
    """Return which part of a clock the turn of a player should take, the way of its move included.

    `turns` is for how many the seconds `left` must do; 0: for all to come. Whatever comes, a part
    is kept of what is not for this turn alone.

    >>> import athenan
    >>> state = athenan.make_game("tic_tac_toe").initial_state()
    >>> seconds_of_turn(state, 60.0), seconds_of_turn(state, 60.0, turns=1)
    (6.0, 60.0)
    """
    turns = turns or _turns_left(state)
    kept = left * (1 - RESERVE) if turns > 1 else left
    return min(left / turns + SPENT_AT_ONCE * increment, kept) + max(byo_yomi, 0.0)


def _turns_left(state: State) -> int:
    """Guess how many more turns one player makes, from matches at random."""
    sheet = state.game.datasheet
    expected = ((sheet.typical_length or sheet.max_length) - state.ply) // sheet.players
    least, most = TURNS
    return min(max(expected, least), most)


def _turn_goes_on(state: State) -> bool:
    """Whether the player to move is likely to be to move again: then the turn has more plies."""
    move = state.legal_moves()[0]
    after = state.play(move)
    return not after.is_terminal and after.to_move == state.to_move


def _replaced(pair: tuple[Number, Number], player: int, number: Number) -> tuple[Number, Number]:
    return (number, pair[1]) if player == 0 else (pair[0], number)
