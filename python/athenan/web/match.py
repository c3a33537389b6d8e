"""One match on the server: its states, its seats, its clock, and what persons ask of it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any

from athenan._core import Error, State
from athenan.arena.record import Match as Record
from athenan.web.board import view_of
from athenan.web.clock import RunningClock
from athenan.web.seats import Seat

RECENT, FEWEST = 40, 20
"""States that a match keeps, and that are left before those before them are made anew: enough to
draw its last turn, which has at most 16 plies (in the set-up of Arimaa)."""


class Match:
    """A match under way or ended. Only the server's loop touches it."""

    def __init__(
        self,
        states: Sequence[State],
        moves: Sequence[int],
        seats: Sequence[Seat],
        clock: RunningClock | None = None,
        owner: str = "",
    ) -> None:
        self.id = secrets.token_urlsafe(9)
        self.owner = owner
        """The address that asked for it."""
        self.seats = tuple(seats)
        self.start, self.moves = states[0], list(moves)
        before = zip(states, moves, strict=False)  # one more state than moves
        self.played = [state.move_to_string(move) for state, move in before]
        """The moves as texts."""
        self._recent = list(states[-RECENT:])  # states may be large: of the others only the moves
        self.values: list[float | None] = [None] * len(moves)
        """What the machine thought of the state before each move, for the first player."""
        self.clock = clock
        self.reason: str | None = None
        self.changes = 0
        """Grows with every change: an answer to an earlier state is then known to be late."""
        self._outcome: int | None = None
        self._wish_to_undo: set[int] = set()
        self.touched = time.monotonic()
        self._start_clock()

    def _start_clock(self) -> None:
        """Let the clock run from the first move on: before it, somebody may still have to come."""
        if self.clock and self.moves and self.outcome is None:
            self.clock.start(self.state.to_move)

    @property
    def state(self) -> State:
        """The state now."""
        return self._recent[-1]

    @property
    def states(self) -> list[State]:
        """All states, made anew."""
        states = [self.start]
        for move in self.moves:
            states.append(states[-1].play(move))
        return states

    @property
    def outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None before the end."""
        return self._outcome if self._outcome is not None else self.state.outcome

    @property
    def mover(self) -> Seat:
        """Who is to move."""
        return self.seats[self.state.to_move if len(self.seats) > 1 else 0]

    def play(self, move: int, value: float | None = None) -> None:
        """Make a move for whoever is to move."""
        following = self.state.play(move)
        self.played.append(self.state.move_to_string(move))
        self.moves.append(move)
        self.values.append(value)
        self._recent = [*self._recent[1 - RECENT :], following]
        self._wish_to_undo.clear()
        self._changed()
        if self.clock and following.outcome is None:
            self.clock.press(following.to_move)
        elif self.clock:
            self.clock.stop()

    def play_as(self, key: object, ply: object, text: object) -> None:
        """Make a person's move, if it was meant for the state that there is."""
        if ply != self.state.ply or self.outcome is not None:
            raise Error("the match has gone on meanwhile: look at the board again")
        if not self.mover.is_person or self.mover.key != key:
            raise Error("it is not your turn")
        if not isinstance(text, str):
            raise Error("a move is a text in the notation of the game")
        move = self.state.parse_move(text)
        if not self.flag():
            self.play(move)

    def resign(self, key: object) -> None:
        """Let a person give up."""
        side = self._side(key)
        if self.outcome is not None:
            raise Error("the match is over")
        self._end(-1 if side == 0 else 1, "resigned")

    def flag(self) -> bool:
        """End the match if the time of the player to move is up."""
        side = self.state.to_move
        if self.clock is None or self.outcome is not None or self.clock.left(side) > 0:
            return False
        self._end(-1 if side == 0 else 1, "time")
        return True

    def undo(self, key: object) -> None:
        """Take back to a person's last decision; two persons must both want it."""
        side = self._side(key)
        if not self.moves:
            raise Error("there is no move to take back")
        self._wish_to_undo.add(side)
        persons = {n for n, seat in enumerate(self.seats) if seat.is_person}
        shared = len({self.seats[n].key for n in persons}) > 1
        if shared and self._wish_to_undo != persons:
            self.changes += 1
            return
        self._take_back(side if len(persons) == 1 else None)

    def _take_back(self, side: int | None) -> None:
        """Take back one ply, and more until the given side is to move."""
        while self.moves:
            self.moves.pop()
            self.values.pop()
            self.played.pop()
            self._recent.pop()
            if len(self._recent) < min(FEWEST, len(self.moves) + 1):
                self._recent = self.states[-RECENT:]
            if side is None or self.state.to_move == side or len(self.seats) == 1:
                break
        self._outcome = self.reason = None
        self._wish_to_undo.clear()
        self._changed()
        if self.clock:
            self.clock.stop()
            self._start_clock()

    def _side(self, key: object) -> int:
        for number in sorted(range(len(self.seats)), key=lambda n: n != self.state.to_move):
            if self.seats[number].is_person and self.seats[number].key == key:
                return number
        raise Error("you have no seat at this match")

    def _end(self, outcome: int, reason: str) -> None:
        self._outcome, self.reason = outcome, reason
        if self.clock:
            self.clock.stop()
        self._changed()

    def _changed(self) -> None:
        self.changes += 1
        self.touched = time.monotonic()

    def as_json(self) -> dict[str, Any]:
        """Return everything that the page shows."""
        return {
            "id": self.id,
            "game": self.state.game.id,
            "title": self.state.game.datasheet.title,
            "start": self.start.position,
            "seats": [seat.as_json() for seat in self.seats],
            "played": self.played,
            "values": self.values,
            "outcome": self.outcome,
            "reason": self.reason,
            "clock": self.clock.as_json() if self.clock else None,
            "undo_wished": sorted(self._wish_to_undo),
            "changes": self.changes,
            "view": view_of(self._recent, self.moves[len(self.moves) + 1 - len(self._recent) :]),
        }

    @property
    def record(self) -> Record:
        """The match as the arena keeps it."""
        return Record(
            game=self.state.game.id,
            position=self.start.position,
            players=tuple(seat.name for seat in self.seats),
            moves=tuple(self.played),
            outcome=self.outcome,
            reason=self.reason,
            who=int(self.outcome == 1) if self.reason else None,
        )
