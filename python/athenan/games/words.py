"""What is said of a state: whose turn it is, or how the match ended."""

from __future__ import annotations

from athenan._core import State

TO_MOVE = {1: ("to move",), 2: ("first player to move", "second player to move")}
ENDINGS = {
    1: {1: "won", 0: "over", -1: "lost"},
    2: {1: "the first player won", 0: "a draw", -1: "the second player won"},
}


def turn_or_end(state: State) -> str:
    """Say whose turn it is, or how the match ended."""
    sheet = state.game.datasheet
    if state.outcome is None:
        return TO_MOVE[sheet.players][state.to_move]
    score = f", score {state.score:+g}" if sheet.has_score else ""
    return ENDINGS[sheet.players][state.outcome] + score


def status(state: State) -> str:
    """Say whose turn it is and how many moves there are, or how the match ended.

    >>> import athenan
    >>> status(athenan.make_game("hex:size=3").initial_state())
    'first player to move, 9 legal moves'
    """
    if state.outcome is not None:
        return turn_or_end(state)
    count = len(state.legal_moves())
    return f"{turn_or_end(state)}, {count} legal move{'' if count == 1 else 's'}"
