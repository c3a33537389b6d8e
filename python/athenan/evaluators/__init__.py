"""Evaluators: what gives values to states, and with a policy, numbers to their legal moves.

An evaluator takes planes `int8[B, C, H, W]` and gives values `float32[B]`, always from the first
player's point of view; those with a policy also take the legal moves of the states and give one
number for each. `network_evaluator` makes one of a network; those that need no network give a
constant or a hash; `as_evaluator` makes one of a plain function.
"""

from athenan.evaluators.evaluator import Evaluation as Evaluation
from athenan.evaluators.evaluator import Evaluator as Evaluator
from athenan.evaluators.evaluator import LegalMoves as LegalMoves
from athenan.evaluators.evaluator import Planes as Planes
from athenan.evaluators.evaluator import Values as Values
from athenan.evaluators.evaluator import as_evaluator as as_evaluator
from athenan.evaluators.evaluator import constant_evaluator as constant_evaluator
from athenan.evaluators.evaluator import hash_evaluator as hash_evaluator
from athenan.evaluators.network import NetworkEvaluator as NetworkEvaluator
from athenan.evaluators.network import Ticket as Ticket
from athenan.evaluators.network import network_evaluator as network_evaluator
