"""What is said of a state: whose turn it is, or how the match ended."""

from __future__ import annotations

from athenan._core import State

TO_MOVE = {1: ("to move",), 2: ("first player to move", "second player to move")}
ENDINGS = {
    1: {1: "won", 0: "over", -1: "lost"},
    2: {1: "the first player won", 0: "a draw", -1: "the second player won"},
}


def counted(number: int, noun: str) -> str:
    """Say how many there are of something.

    >>> counted(1, "match"), counted(1200, "match"), counted(0, "ply"), counted(2, "legal move")
    ('1 match', '1,200 matches', '0 plies', '2 legal moves')
    """
    if number != 1:
        ending = "es" if noun.endswith("ch") else "ies" if noun.endswith("ly") else "s"
        noun = noun.removesuffix("y") + ending if ending == "ies" else noun + ending
    return f"{number:,} {noun}"


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
    return f"{turn_or_end(state)}, {counted(len(state.legal_moves()), 'legal move')}"
