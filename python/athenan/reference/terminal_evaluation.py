"""Terminal evaluations f_t: the gain and the reinforcement heuristics.

Section "Reinforcement Heuristic to Improve Learning Performance", and "Arimaa Reinforcement
Heuristic". Each keeps the order of the gain: a terminal state of greater gain is of greater value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from athenan._core import Game, ParameterError, State
from athenan.reference.labels import Key, float32


@dataclass(frozen=True)
class TerminalEvaluation:
    """The value of a terminal state for the first player, as a single-precision number."""

    name: str
    value: Callable[[State], float]
    depends_on_ply: bool = False
    depends_on_path: bool = False

    def __call__(self, terminal: State) -> float:
        """Return f_t(s)."""
        return float32(self.value(terminal))


def gain(terminal: State) -> int:
    """Return b_t(s): 1 if the first player won, -1 if the second did, 0 for a draw."""
    if terminal.outcome is None:
        raise ParameterError("only a terminal state has a gain")
    return terminal.outcome


def _classic(terminal: State) -> float:
    return gain(terminal)


def _score(terminal: State) -> float:
    # A draw is 0, whatever the score at the maximum length; a solitaire has no draws.
    drawn = gain(terminal) == 0 and terminal.game.datasheet.players == 2
    if terminal.score is None:
        raise ParameterError(f"{terminal.game.datasheet.title} has no score")
    return 0.0 if drawn else terminal.score


def _mobility(terminal: State) -> float:
    # A player who had no turn has the mean 0; any other mean is at least 1.
    first, second = (max(mean, 1.0) for mean in terminal.mobility)
    return {1: first / second, -1: -second / first, 0: 0.0}[gain(terminal)]


def _presence(terminal: State) -> float:
    difference = terminal.pieces(0) - terminal.pieces(1)
    return {1: max(difference, 1), -1: min(difference, -1), 0: 0}[gain(terminal)]


ARIMAA_VALUES = {
    "elephants": 5,
    "camels": 4,
    "horses": 3,
    "dogs": 2,
    "cats": 1,
    "rabbits": 6,
}


def _arimaa(terminal: State) -> float:
    # The planes of the pieces hold 1 for the first player's and -1 for the second player's.
    names = [plane.partition(":")[0] for plane in terminal.game.datasheet.planes]
    planes = terminal.encode()
    difference = sum(
        value * int(planes[names.index(piece)].sum()) for piece, value in ARIMAA_VALUES.items()
    )
    won = gain(terminal)
    return 69 * won + difference if won else 0


CLASSIC = TerminalEvaluation("classic", _classic)
SCORE = TerminalEvaluation("score", _score)
MOBILITY = TerminalEvaluation("mobility", _mobility, depends_on_path=True)
PRESENCE = TerminalEvaluation("presence", _presence)
ARIMAA = TerminalEvaluation("arimaa", _arimaa)


def _additive_depth(terminal: State) -> float:
    # l = P - p + 1, P the greatest depth; or max(1, P̃ - p), P̃ the length of the longest matches.
    game = terminal.game
    if longest := game.datasheet.longest_length:
        return gain(terminal) * max(1, longest - terminal.depth)
    swap = game.offers_swap and game.datasheet.board_determines_ply  # it counts as no move
    greatest = game.datasheet.max_length - int(swap)
    return gain(terminal) * (greatest - terminal.depth + 1)


def _multiplicative_depth(terminal: State) -> float:
    # l = P'/p, P' the mean length of matches; half the maximum where it is unknown.
    sheet = terminal.game.datasheet
    average = sheet.typical_length or sheet.max_length / 2
    return gain(terminal) * average / max(terminal.depth, 1)


ADDITIVE_DEPTH = TerminalEvaluation("additive_depth", _additive_depth, depends_on_ply=True)
MULTIPLICATIVE_DEPTH = TerminalEvaluation(
    "multiplicative_depth", _multiplicative_depth, depends_on_ply=True
)


def heuristics_of(game: Game) -> list[TerminalEvaluation]:
    """Return the terminal evaluations that make sense in a game."""
    sheet = game.datasheet
    chosen = [CLASSIC]
    if sheet.has_score:
        chosen.append(replace(SCORE, name=sheet.own_evaluation or SCORE.name))
    if sheet.players == 2:
        chosen += [ADDITIVE_DEPTH, MULTIPLICATIVE_DEPTH, MOBILITY]
    if sheet.players == 2 and sheet.has_pieces:
        chosen.append(PRESENCE)
    return chosen


def state_key(state: State, terminal_evaluation: TerminalEvaluation) -> Key:
    """Return the key of a state in tables: two states of one key have one value.

    A depth heuristic tells states of different plies apart. Where neither the board nor the key of
    a cyclic game does, the ply joins the key. Cumulative mobility would need the whole path, so
    with it a state keeps the value of the path that found it.
    """
    sheet = state.game.datasheet
    if terminal_evaluation.depends_on_ply and not (sheet.board_determines_ply or sheet.cyclic):
        return state.key, state.ply
    return state.key
