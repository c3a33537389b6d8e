"""The state of a match in a few words."""

from __future__ import annotations

from athenan import State

TO_MOVE = {1: ("to move",), 2: ("first player to move", "second player to move")}
ENDINGS = {
    1: {1: "won", 0: "over", -1: "lost"},
    2: {1: "the first player won", 0: "a draw", -1: "the second player won"},
}


def status(state: State) -> str:
    """Say whose turn it is and how many moves there are, or how the match ended."""
    sheet = state.game.datasheet
    if state.outcome is None:
        count = len(state.legal_moves())
        plural = "" if count == 1 else "s"
        return f"{TO_MOVE[sheet.players][state.to_move]}, {count} legal move{plural}"
    score = f", score {state.score:+g}" if sheet.has_score else ""
    return ENDINGS[sheet.players][state.outcome] + score
