"""Action selection: how a self-play match chooses its moves.

Algorithms "e-greedy" and "ordinal", the softmax distribution, and the completed form of each
(section "Completed Algorithms": play a resolved win if there is one, avoid resolved losses if
possible). Moves are compared by (c, v).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal

from athenan._core import ParameterError, State
from athenan.reference.decide import lost, won
from athenan.reference.draws import RandomSource, draw_one, shuffled
from athenan.reference.labels import Edge, added, best_by_value, first_player


@dataclass(frozen=True)
class ActionSelection:
    """Which distribution, and its parameter.

    The exploitation rate ε' is a number, "annealed" (t / t_max) or "uniform" (drawn from [0, 1) at
    each use); ε-greedy and ordinal read it. Softmax reads the temperature τ.
    """

    distribution: Literal["max", "epsilon_greedy", "softmax", "ordinal"]
    exploitation: float | Literal["annealed", "uniform"] = "annealed"
    temperature: float = 1.0
    completed: bool = True

    def __post_init__(self) -> None:
        """Refuse parameters outside their range."""
        rate = self.exploitation
        if not isinstance(rate, str) and not 0 <= rate <= 1:
            raise ParameterError(f"the exploitation rate lies from 0 to 1, not {rate}")
        if self.temperature <= 0:
            raise ParameterError(f"the temperature is above 0, not {self.temperature}")


def action_selection(
    state: State,
    edges: Sequence[Edge],
    setting: ActionSelection,
    progress: float,
    random: RandomSource,
) -> Edge:
    """Choose the move to play; `progress` is t / t_max."""
    candidates = list(edges)
    if setting.completed:
        wins = [a for a in edges if won(state, a)]
        if wins:
            return draw_one(best_by_value(state, wins), random)
        candidates = [a for a in edges if not lost(state, a)] or candidates
    if setting.distribution == "max":
        return draw_one(best_by_value(state, candidates), random)
    if setting.distribution == "softmax":
        return softmax(state, candidates, setting.temperature, random)
    rate = exploitation_rate(setting, progress, random)
    if setting.distribution == "epsilon_greedy":
        return epsilon_greedy(state, candidates, rate, random)
    return ordinal(state, candidates, rate, random)


def exploitation_rate(setting: ActionSelection, progress: float, random: RandomSource) -> float:
    """Return ε' for this use."""
    if setting.exploitation == "annealed":
        return progress
    if setting.exploitation == "uniform":
        return random.uniform()
    return setting.exploitation


def epsilon_greedy(state: State, edges: Sequence[Edge], rate: float, random: RandomSource) -> Edge:
    """Play a best move with probability ε', otherwise any move."""
    if random.uniform() <= rate:
        return draw_one(best_by_value(state, edges), random)
    return edges[random.below(len(edges))]


def softmax(state: State, edges: Sequence[Edge], temperature: float, random: RandomSource) -> Edge:
    """Play a move with probability proportional to exp(v / τ), exp(-v / τ) if the second moves."""
    sign = 1 if first_player(state) else -1
    best = max(sign * a.v for a in edges)
    weights = [exp((sign * a.v - best) / temperature) for a in edges]
    u = random.uniform() * added(weights)
    cumulative = 0.0
    for edge, weight in zip(edges, weights, strict=True):
        cumulative += weight
        if cumulative > u:
            return edge
    return edges[-1]


def ordinal(state: State, edges: Sequence[Edge], rate: float, random: RandomSource) -> Edge:
    """Play the i-th best move with the probability of the ordinal distribution.

    Moves of equal (c, v) are put in random order first.
    """
    order = sorted(shuffled(edges, random), key=lambda a: (a.c, a.v), reverse=first_player(state))
    n = len(order)
    for i, edge in enumerate(order):
        if random.uniform() <= (rate * (n - i - 1) + 1) / (n - i):
            return edge
    return order[-1]


def ordinal_probabilities(n: int, rate: float) -> list[float]:
    """Return P(c_0), ..., P(c_{n-1}): the closed form of the ordinal distribution."""
    probabilities: list[float] = []
    for i in range(n):
        left = 1 - sum(probabilities)
        probabilities.append((rate + (1 - rate) / (n - i)) * left)
    return probabilities
