"""Evaluators: what gives values to states, and with a policy, numbers to their legal moves.

An evaluator takes planes `int8[B, C, H, W]` and gives values `float32[B]`, always from the first
player's point of view; those with a policy also take the legal moves of the states and give one
number for each. `network_evaluator` makes one of a network; those that need no network give a
constant or a hash; `as_evaluator` makes one of a plain function.
"""

from athenan.evaluators.evaluator import (
    Evaluation,
    Evaluator,
    LegalMoves,
    Planes,
    Values,
    as_evaluator,
    constant_evaluator,
    hash_evaluator,
)
from athenan.evaluators.network import NetworkEvaluator, Ticket, network_evaluator

__all__ = [
    "Evaluation",
    "Evaluator",
    "LegalMoves",
    "NetworkEvaluator",
    "Planes",
    "Ticket",
    "Values",
    "as_evaluator",
    "constant_evaluator",
    "hash_evaluator",
    "network_evaluator",
]
