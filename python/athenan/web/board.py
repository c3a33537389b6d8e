"""A state as the page draws it: a picture, the places of its cells, and the legal moves.

A move is a way over cells of the picture: who clicks along it makes the move. Moves of a game that
does not say which cells they touch have none and are chosen from a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from athenan._core import Game, State
from athenan.games.turns import last_turn
from athenan.pictures import svg_of
from athenan.pictures.places import Places, places_of

View = dict[str, Any]


def view_of(states: Sequence[State], moves: Sequence[int]) -> View:
    """Return the last of these states, which the moves connect, ready for JSON.

    >>> import athenan
    >>> start = athenan.make_game("breakthrough").initial_state()
    >>> view = view_of([start], [])
    >>> view["to_move"], view["moves"][0]
    (0, {'text': 'b2a3', 'kind': 'move', 'cells': [[6, 1], [5, 0]]})
    """
    state = states[-1]
    places = places_of(state)
    return {
        "game": state.game.id,
        "position": state.position,
        "ply": state.ply,
        "to_move": state.to_move,
        "outcome": state.outcome,
        "svg": svg_of(state, last_turn=last_turn(states, moves) if moves else (), caption=False),
        "cells": [] if places is None else _cells(places),
        "moves": legal_moves(state, places),
        "opposite": places is not None and places.opposite,
        "samples": ["", ""] if places is None else list(places.samples),
        "last": _move(states[-2], moves[-1], places) if moves else None,
    }


def legal_moves(state: State, places: Places | None) -> list[View]:
    """Return each legal move: its text, its kind and its cells in the picture."""
    return [_move(state, move, places) for move in state.legal_moves()]


def replayed(start: State, moves: Sequence[str]) -> tuple[list[State], list[int]]:
    """Return the states of a match from a start, and its moves as numbers."""
    states, numbers = [start], []
    for text in moves:
        numbers.append(states[-1].parse_move(text))
        states.append(states[-1].play(numbers[-1]))
    return states, numbers


def start_of(game: Game, position: str | None) -> State:
    """Return the state of a position text; the start of the game without one."""
    return game.parse_position(position) if position else game.initial_state()


def cells_of(state: State, move: int, places: Places | None) -> list[list[int]]:
    """Return the cells of a move in the order in which they are touched; none if it has none."""
    path = state.move_path(move)
    way = places.way(path, state.to_move) if path and places else []
    return [list(cell) for cell in way]


def _move(state: State, move: int, places: Places | None) -> View:
    path = state.move_path(move)
    return {
        "text": state.move_to_string(move),
        "kind": path.kind if path else "",
        "cells": cells_of(state, move, places),
    }


def _cells(places: Places) -> list[list[object]]:
    """Return [row, column, x, y, name, what stands there] of each cell."""
    return [[*cell, *place] for cell, place in places.cells.items()]
