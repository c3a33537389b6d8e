"""ExIt, expert iteration: the learning process that the paper compares itself with.

Algorithm "exit" and the formulas of section "The ExIt Algorithm". The expert is MCTS with the
formula `ExItUct` (mcts.py); before the apprentice knows anything, base MCTS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log
from typing import TypeVar

from athenan._core import State
from athenan.reference.mcts import MctsNode

Apprentice = TypeVar("Apprentice")
Target = TypeVar("Target")


def expert_iteration(
    apprentice: Apprentice,
    build_expert: Callable[[Apprentice], Callable[[State], Target]],
    sample_self_play: Callable[[Apprentice], Iterable[State]],
    train_policy: Callable[[list[tuple[State, Target]]], Apprentice],
    iterations: int,
) -> Apprentice:
    """Let the expert label states of the apprentice's matches; the apprentice learns them all."""
    expert = build_expert(apprentice)
    data: list[tuple[State, Target]] = []
    for _ in range(iterations):
        states = sample_self_play(apprentice)
        data = data + [(state, expert(state)) for state in states]
        apprentice = train_policy(data)
        expert = build_expert(apprentice)
    return apprentice


def tree_policy_target(root: MctsNode) -> list[float]:
    """Return n(s,a) / Σ n(s,a') of each legal move."""
    visits = root.visits
    return [edge.n / visits for edge in root.edges]


def policy_loss(target: Sequence[float], probabilities: Sequence[float]) -> float:
    """Return the cross entropy of the tree-policy target and the network's policy."""
    return -sum(t * log(p) for t, p in zip(target, probabilities, strict=True) if t)


def value_loss(won: float, probability: float) -> float:
    """Return the cross entropy of a result z in [0, 1] and the network's probability of a win."""
    return -won * log(probability) - (1 - won) * log(1 - probability)
