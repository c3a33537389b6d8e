"""The variants that the suites run over: per game a few small ones and the default size."""

from functools import cache
from pathlib import Path

import athenan

ROOT = Path(__file__).parents[2]
PYTHON_EXAMPLE = str(ROOT / "examples" / "tic_tac_toe.py")

# From small to large; the last one is the default.
VARIANTS = {
    "tic_tac_toe": ["tic_tac_toe"],
    "connect_four": [
        "connect_four:rows=3,columns=5",
        "connect_four:rows=10,columns=11",
        "connect_four",
    ],
    "hex": ["hex:size=2", "hex:size=3,swap=false", "hex:size=4", "hex:size=19", "hex"],
    "othello": ["othello:size=4", "othello:size=6", "othello:size=16", "othello"],
    "clobber": ["clobber:rows=2,columns=5", "clobber:rows=16,columns=13", "clobber"],
    "breakthrough": [
        "breakthrough:rows=4,columns=3",
        "breakthrough:rows=16,columns=15",
        "breakthrough",
    ],
    "amazons": ["amazons:size=4", "amazons:size=5,plies=1", "amazons:size=10,plies=1", "amazons"],
    "lines_of_action": ["lines_of_action:simultaneous=mover", "lines_of_action"],
    "morpion": ["morpion:variant=5T", "morpion:variant=5T,board=22", "morpion"],
    "havannah": ["havannah:size=3", "havannah:size=4,swap=false", "havannah:size=10", "havannah"],
    "ataxx": [
        "ataxx:size=5,walls=square",
        "ataxx:size=6,walls=diamond,stalled=draw",
        "ataxx:size=10",
        "ataxx",
    ],
    "santorini": ["santorini"],
    "arimaa": ["arimaa:setup=choice", "arimaa"],
    "xiangqi": ["xiangqi:repetition=4,no_capture=40", "xiangqi"],
    "shobu": ["shobu:no_move=draw", "shobu"],
    "surakarta": ["surakarta:no_capture=10,blocked=loses", "surakarta"],
    "international_draughts": [
        "international_draughts:king_moves=5,endgames=false",
        "international_draughts",
    ],
    "brazilian_draughts": [
        "brazilian_draughts:king_moves=0",
        "brazilian_draughts:endgames=false",
        "brazilian_draughts",
    ],
    "canadian_draughts": ["canadian_draughts:king_moves=5,endgames=false", "canadian_draughts"],
    "go": ["go:size=2", "go:size=3,komi=0,ko=simple", "go"],
    "outer_open_gomoku": [
        "outer_open_gomoku:size=5",
        "outer_open_gomoku:size=7,overline=exact",
        "outer_open_gomoku",
    ],
    "connect6": ["connect6:size=6", "connect6:size=10", "connect6"],
}

GAME_IDS = [variant for variants in VARIANTS.values() for variant in variants]
DEFAULT_IDS = list(VARIANTS)


def remembers_its_match(game: athenan.Game) -> bool:
    """Say whether all moves so far are part of a state, so that no two orders of them meet."""
    return game.name == "go" and "ko=superko" in game.id


@cache
def game_of(identity: str) -> athenan.Game:
    """Make a game once for all tests."""
    return athenan.make_game(identity)


def label(identity: str) -> str:
    """Name a game in the identity of a test, without the path of a Python file."""
    return identity.removeprefix(f"{ROOT}/")
