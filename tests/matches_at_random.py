"""Matches of random moves, to be written and read again."""

from __future__ import annotations

import athenan
from athenan.arena import Match

NAMES = (r"a]b\c", 'the "second" player')


def random_match(
    game: athenan.Game, seed: int, plies: int = 10**6, start: athenan.State | None = None
) -> Match:
    """Play random moves to the end, or so many; who is to move then has resigned."""
    random, state = athenan.Random(seed), start or game.initial_state()
    position, moves = state.position, list[str]()
    while not state.is_terminal and len(moves) < plies:
        legal = state.legal_moves()
        move = legal[random.below(len(legal))]
        moves.append(state.move_to_string(move))
        state = state.play(move)
    outcome, reason, who = state.outcome, None, None
    if outcome is None and game.datasheet.players == 2:
        outcome, reason, who = (1 if state.to_move else -1), "resigned", state.to_move
    players = NAMES[: game.datasheet.players]
    return Match(game.id, position, players, tuple(moves), outcome, reason, who=who)
