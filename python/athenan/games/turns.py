"""Turns: the plies that one player makes before the other one moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from athenan._core import State

Move = TypeVar("Move", int, str)


def turn_start(states: Sequence[State]) -> int:
    """Return the index of the state in which the last turn of a match began: the player who moved
    last may have made several plies. The ply of a game for one player is a turn.
    """
    index = max(0, len(states) - 2)
    mover, players = states[index].to_move, states[index].game.datasheet.players
    while players > 1 and index > 0 and states[index - 1].to_move == mover:
        index -= 1
    return index


def last_turn(states: Sequence[State], moves: Sequence[Move]) -> list[tuple[State, Move]]:
    """Return the plies of the last turn of a match: moves, each with the state it was played in.
    There is one state more than moves, that after the last one.
    """
    start = turn_start(states)
    return list(zip(states[start:-1], moves[start:], strict=True))
