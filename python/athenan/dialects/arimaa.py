"""Arimaa, as AEI writes it: whole turns of up to four steps, and the set-up as one turn."""

from __future__ import annotations

import re
from collections.abc import Sequence

from athenan._core import Error, State
from athenan.dialects.dialect import Dialect, illegal

SETUP_PLIES = 16


class ArimaaDialect(Dialect):
    """A turn is its steps, apart by spaces; a removal follows the step that causes it.

    Our moves are single steps, or pieces that are set up square by square; the option
    setup=choice sets up a whole army at once. A turn that is shorter than four steps ends with a
    pass here, which nobody writes.

    >>> from athenan.games import make_game
    >>> arimaa = ArimaaDialect(make_game("arimaa"))
    >>> start = arimaa.game.parse_position(
    ...     "rrrddrrr/rhcmechr/8/8/8/8/RHCEMCHR/RRRDDRRR g")
    >>> turn = arimaa.read_turn(start, "Ed2n Ed3n")
    >>> len(turn), arimaa.write_turn(start, turn)
    (3, 'Ed2n Ed3n')
    """

    turn_plies = SETUP_PLIES
    colours = ("gold", "silver")

    def write_turn(self, state: State, moves: Sequence[int]) -> str:
        """Return the steps of a turn, or the pieces of a set-up."""
        words = []
        for move in moves:
            after = state.play(move)
            if _whole_setup(state):
                words += _placed(state, after)
            elif (text := state.move_to_string(move)) != "pass":
                words += text.split(",")
            state = after
        return " ".join(words)

    def read_turn(self, state: State, text: str) -> list[int]:
        """Return the moves of a turn; the pieces of a set-up may come in any order."""
        words = text.split()
        if _whole_setup(state):
            return [_chosen_setup(state, words, text)]
        if _in_setup(state):
            return _setup(state, words, text)
        moves, mover, began = [], state.to_move, state
        for word in words:
            if word.endswith("x"):
                continue  # it follows from the step
            step = next((each for each in state.legal_moves() if _step(state, each) == word), None)
            if step is None or state.to_move != mover:
                raise illegal(began, text)
            moves.append(step)
            state = state.play(step)
        if not moves:
            raise illegal(began, text)
        if not state.is_terminal and state.to_move == mover:
            if "pass" not in state.legal_move_strings():
                raise illegal(began, text)
            moves.append(state.parse_move("pass"))
        return moves

    def expected_plies(self, state: State, done: int) -> int:
        """Return how many steps, or pieces of a set-up, are left at most."""
        turn = 1 if _whole_setup(state) else SETUP_PLIES if _in_setup(state) else 4
        return max(1, turn - done)

    def write_position(self, state: State) -> str:
        """Return the side and the board as AEI's setposition has them."""
        rows, side, *_ = state.position.split()
        squares = re.sub(r"\d", lambda run: " " * int(run.group()), rows.replace("/", ""))
        return f"{side} [{squares}]"

    def read_position(self, text: str) -> State:
        """Return the state of such a text at the beginning of a turn."""
        found = re.fullmatch(r"([gswb]) \[([ RCDHMErcdhmexX.]{64})\]", text.strip())
        if not found:
            raise Error(f"an Arimaa position is g or s and 64 squares in brackets, not {text!r}")
        side = {"w": "g", "b": "s"}.get(found[1], found[1])
        board = re.sub("[xX.]", " ", found[2])
        rows = [board[start : start + 8] for start in range(0, 64, 8)]
        shown = "/".join(re.sub(" +", lambda run: str(len(run.group())), row) for row in rows)
        return self.game.parse_position(f"{shown} {side}")


def _in_setup(state: State) -> bool:
    return " setup" in state.position


def _whole_setup(state: State) -> bool:
    """Tell whether the next move sets up a whole army."""
    return _in_setup(state) and state.game.id.endswith("setup=choice")


def _step(state: State, move: int) -> str:
    return state.move_to_string(move).split(",")[0]


def _setup(state: State, words: Sequence[str], text: str) -> list[int]:
    """Return the pieces of a set-up in the order in which we place them."""
    piece_on = {word[1:]: word for word in words if len(word) == 3}
    began, mover, moves = state, state.to_move, []
    while state.to_move == mover and _in_setup(state):
        (square,) = {each[1:] for each in state.legal_move_strings()}
        if piece_on.get(square) not in state.legal_move_strings():
            raise illegal(began, text)
        moves.append(state.parse_move(piece_on.pop(square)))
        state = state.play(moves[-1])
    if piece_on or len(words) != len(moves):
        raise illegal(began, text)
    return moves


def _chosen_setup(state: State, words: Sequence[str], text: str) -> int:
    """Return the set-up of our choice that has these pieces on these squares."""
    for move in state.legal_moves():
        if sorted(_placed(state, state.play(move))) == sorted(words):
            return move
    raise illegal(state, text)


def _placed(before: State, after: State) -> list[str]:
    """Return the pieces that are on the board after a set-up and were not before."""
    return [each for each in _pieces(after) if each not in _pieces(before)]


def _pieces(state: State) -> list[str]:
    rows = re.sub(r"\d", lambda run: "." * int(run.group()), state.position.split()[0]).split("/")
    return [
        f"{piece}{'abcdefgh'[column]}{8 - row}"
        for row, line in enumerate(rows)
        for column, piece in enumerate(line)
        if piece != "."
    ]
