"""The exact value of a state: alpha-beta to the end of the game with a table.

The independent proof of solved values: it shares no code with the searches.
"""

from __future__ import annotations

from math import inf

from athenan._core import State
from athenan.reference.labels import Key
from athenan.reference.terminal_evaluation import CLASSIC, TerminalEvaluation, state_key


def exact_value(state: State, terminal_evaluation: TerminalEvaluation = CLASSIC) -> float:
    """Return the value of best play by both sides: the outcome, or that of another evaluation."""
    table: dict[Key, tuple[float, float]] = {}  # from a key to a lower and an upper bound

    def solve(state: State, alpha: float, beta: float) -> float:
        if state.is_terminal:
            return terminal_evaluation(state)
        key = state_key(state, terminal_evaluation)
        lower, upper = table.get(key, (-inf, inf))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        window = max(alpha, lower), min(beta, upper)
        value = solve_max(state, *window) if state.to_move == 0 else solve_min(state, *window)
        if value > window[0]:
            lower = max(lower, value)
        if value < window[1]:
            upper = min(upper, value)
        table[key] = lower, upper
        return value

    def solve_max(state: State, alpha: float, beta: float) -> float:
        best = -inf
        for child in state.children():
            best = max(best, solve(child, max(alpha, best), beta))
            if best >= beta:
                break
        return best

    def solve_min(state: State, alpha: float, beta: float) -> float:
        best = inf
        for child in state.children():
            best = min(best, solve(child, alpha, min(beta, best)))
            if best <= alpha:
                break
        return best

    least, most = (-1.0, 1.0) if terminal_evaluation is CLASSIC else (-inf, inf)
    return solve(state, least, most)
