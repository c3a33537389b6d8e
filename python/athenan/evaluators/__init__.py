"""Evaluators: what gives values to states.

An evaluator is any callable that takes planes `int8[B, C, H, W]` and returns values `float32[B]`,
always from the first player's point of view. One with a policy returns a pair: the values and the
logits `float32[B, move_count]`. `network_evaluator` makes one of a network; those that need no
network give a constant or a hash.
"""

from athenan.evaluators.evaluator import (
    Answer,
    Evaluator,
    Planes,
    Policies,
    Values,
    constant_evaluator,
    hash_evaluator,
)
from athenan.evaluators.network import NetworkEvaluator, Ticket, network_evaluator

__all__ = [
    "Answer",
    "Evaluator",
    "NetworkEvaluator",
    "Planes",
    "Policies",
    "Ticket",
    "Values",
    "constant_evaluator",
    "hash_evaluator",
    "network_evaluator",
]
