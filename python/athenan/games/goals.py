"""What each player is after, in a sentence, and how drawings in text show who is who."""

from __future__ import annotations

from athenan._core import Game

DRAUGHTS = "Take or block all pieces of your opponent; capturing is compulsory."
GOALS = {
    "tic_tac_toe": "Get three of your marks in a row.",
    "connect_four": "Get four of your discs in a row, straight or diagonal.",
    "hex": "Connect your two sides of the board with a chain of your stones.",
    "othello": "Have more discs of your colour than your opponent at the end.",
    "clobber": "Make the last capture: a player who cannot move loses.",
    "breakthrough": "Bring one of your pieces to the far row.",
    "amazons": "Leave your opponent without a move: each turn a queen moves and burns a square.",
    "lines_of_action": "Connect all your pieces into one group.",
    "havannah": "Complete a ring, a bridge between two corners or a fork between three sides.",
    "ataxx": "Have more pieces than your opponent at the end.",
    "santorini": "Step up to the third level with one of your workers.",
    "morpion": "Add as many points as you can, each completing a line of five.",
    "arimaa": "Bring a rabbit to the far row.",
    "xiangqi": "Checkmate or stalemate the general of your opponent.",
    "shobu": "Push all four of your opponent's stones off one of the four boards.",
    "surakarta": "Take all pieces of your opponent.",
    "international_draughts": DRAUGHTS,
    "brazilian_draughts": DRAUGHTS,
    "canadian_draughts": DRAUGHTS,
    "go": "Surround more points than your opponent, your stones included.",
    "outer_open_gomoku": "Get five of your stones in a row; the first stone is near the edge.",
    "connect6": "Get six of your stones in a row; a turn is two stones, the very first is one.",
}
SIDES = {
    "hex": ("x, from the top to the bottom", "o, from the left to the right"),
    "othello": ("X", "O"),
    "breakthrough": ("P, at the bottom", "p, at the top"),
    "amazons": ("Q, at the bottom", "q, at the top"),
    "lines_of_action": ("L, at the top and the bottom", "l, at the left and the right"),
    "santorini": ("x", "o"),
    "arimaa": ("gold, the capitals, at the bottom", "silver, the small letters, at the top"),
    "xiangqi": ("red, the capitals, at the bottom", "black, the small letters, at the top"),
    "shobu": ("x, at the bottom", "o, at the top"),
    "surakarta": ("x, at the bottom", "o, at the top"),
    "go": ("X", "O"),
    "connect6": ("X", "O"),
}
WHITE_BELOW = ("w, at the bottom", "b, at the top")
MARKS = ("x", "o")


def goal_of(game: Game) -> str:
    """Say what the players of a game are after; nothing of a game that is not known here."""
    return GOALS.get(game.name, "")


def side_of(game: Game, player: int) -> str:
    """Say how the drawing of a game shows a player; nothing of a game that is not known here."""
    if game.datasheet.players == 1 or game.name not in GOALS:
        return ""
    if game.name.endswith("draughts"):
        return WHITE_BELOW[player]
    return SIDES.get(game.name, MARKS)[player]
