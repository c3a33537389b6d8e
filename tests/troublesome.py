"""Players that misbehave as they are told to: for tests of the referee."""

from __future__ import annotations

import time
from dataclasses import dataclass

import athenan
from athenan.arena import Fault, Player, PlayerSpec, Resigned, Thought
from athenan.arena.player import FaultKind


class Troublesome(Player):
    """Plays the first legal move, until it does what it is told to."""

    name = "troublesome"

    def __init__(self, trouble: str, at: int) -> None:
        self._trouble, self._at, self._thoughts = trouble, at, 0
        self.value_now: float | None = None

    @property
    def value(self) -> float | None:
        return self.value_now

    def begin(self, game: athenan.Game, seed: int) -> None:  # noqa: ARG002
        self._thoughts = 0
        if self._trouble == "begin":
            raise Fault("crash", "it died at the start")

    def think(
        self,
        state: athenan.State,
        budget: athenan.Budget | None = None,  # noqa: ARG002
        stop: athenan.Stop | None = None,  # noqa: ARG002
    ) -> Thought:
        self._thoughts += 1
        move = state.legal_moves()[0]
        if self._thoughts > self._at:
            move = self._misbehave(state, move)
        return Thought(move)

    def _misbehave(self, state: athenan.State, move: int) -> int:
        if self._trouble in ("crash", "hang", "malformed", "late"):
            kind: FaultKind = self._trouble  # type: ignore[assignment]
            raise Fault(kind, f"a {kind}\nas wanted")
        if self._trouble == "resign":
            raise Resigned
        if self._trouble == "sleep":
            time.sleep(0.8)
        if self._trouble == "illegal":
            return next(m for m in range(1000) if m not in state.legal_moves())
        if self._trouble == "hopeful":
            self.value_now = 1.0 if state.to_move == 0 else -1.0
        if self._trouble == "hopeless":
            self.value_now = -1.0 if state.to_move == 0 else 1.0
        if self._trouble == "realistic":
            self.value_now = 0.99
        return move

    def hear(self, state: athenan.State, move: int) -> None:
        if self._trouble == "hear" and state.ply > self._at and self._thoughts:
            raise Fault("illegal", f"it refused {state.move_to_string(move)}")


@dataclass(frozen=True)
class TroubleSpec(PlayerSpec):
    trouble: str
    at: int = 1
    name: str = "troublesome"

    def make(self, game: athenan.Game, threads: int = 0) -> Troublesome:  # noqa: ARG002
        return Troublesome(self.trouble, self.at)
