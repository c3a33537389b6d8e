"""The algorithms of the paper in plain Python, to be read beside it.

Every search, decision, distribution, heuristic and learning target of "Learning to Play
Two-Player Perfect-Information Games without Knowledge" and of its rivals there, one file per topic,
on any game of athenan. They are written for fidelity, not for speed, and the engine is tested to
equal them. Each module names the algorithms it transcribes.

>>> import numpy as np, athenan
>>> from athenan import reference as ref
>>> def evaluate(planes):
...     return np.zeros(len(planes), np.float32)
>>> state = athenan.make_game("tic_tac_toe").initial_state().play("a1").play("a2")
>>> search = ref.BestFirstSearch(ref.COMPLETED_UBFM, evaluate, ref.CLASSIC, athenan.Random(1))
>>> result = search.search(state, ref.Budget(expansions=500))
>>> result.stop, result.root.c
('resolved', 1)
"""

from athenan.reference.alpha_beta import AlphaBetaResult, AlphaBetaSearch, minimax
from athenan.reference.best_first import (
    COMPLETED_DESCENT,
    COMPLETED_UBFM,
    DESCENT,
    UBFM,
    BestFirst,
    BestFirstSearch,
    SearchResult,
    ubfms,
)
from athenan.reference.budget import Budget, Spent
from athenan.reference.decide import (
    backup_resolution,
    best_action,
    completed_best_action,
    completed_best_action_dual,
    safest_action,
    safest_action_preferring_draws,
)
from athenan.reference.draws import RandomSource
from athenan.reference.evaluation import Evaluator, PolicyEvaluator
from athenan.reference.exact import exact_value
from athenan.reference.expert_iteration import (
    expert_iteration,
    policy_loss,
    tree_policy_target,
    value_loss,
)
from athenan.reference.labels import Edge, Key, LabelRow, Node
from athenan.reference.match import Match, Searcher, by_selection, play_match
from athenan.reference.mcts import (
    ExItUct,
    Leaf,
    MctsSearch,
    Puct,
    Uct,
    network_leaf,
    playout_leaf,
    policy_leaf,
    random_playout,
)
from athenan.reference.replay import (
    ReplayMemory,
    StratifiedMemory,
    experience_replay,
    minibatches,
    stratified_experience_replay,
    symmetry,
)
from athenan.reference.selection import (
    ActionSelection,
    action_selection,
    epsilon_greedy,
    ordinal,
    ordinal_probabilities,
    softmax,
)
from athenan.reference.targets import learn, root_learning, terminal_learning, tree_learning
from athenan.reference.terminal_evaluation import (
    ARIMAA,
    CLASSIC,
    MOBILITY,
    PRESENCE,
    SCORE,
    TerminalEvaluation,
    additive_depth,
    gain,
    heuristics_of,
    multiplicative_depth,
    state_key,
)

__all__ = [
    "ARIMAA",
    "CLASSIC",
    "COMPLETED_DESCENT",
    "COMPLETED_UBFM",
    "DESCENT",
    "MOBILITY",
    "PRESENCE",
    "SCORE",
    "UBFM",
    "ActionSelection",
    "AlphaBetaResult",
    "AlphaBetaSearch",
    "BestFirst",
    "BestFirstSearch",
    "Budget",
    "Edge",
    "Evaluator",
    "ExItUct",
    "Key",
    "LabelRow",
    "Leaf",
    "Match",
    "MctsSearch",
    "Node",
    "PolicyEvaluator",
    "Puct",
    "RandomSource",
    "ReplayMemory",
    "SearchResult",
    "Searcher",
    "Spent",
    "StratifiedMemory",
    "TerminalEvaluation",
    "Uct",
    "action_selection",
    "additive_depth",
    "backup_resolution",
    "best_action",
    "by_selection",
    "completed_best_action",
    "completed_best_action_dual",
    "epsilon_greedy",
    "exact_value",
    "experience_replay",
    "expert_iteration",
    "gain",
    "heuristics_of",
    "learn",
    "minibatches",
    "minimax",
    "multiplicative_depth",
    "network_leaf",
    "ordinal",
    "ordinal_probabilities",
    "play_match",
    "playout_leaf",
    "policy_leaf",
    "policy_loss",
    "random_playout",
    "root_learning",
    "safest_action",
    "safest_action_preferring_draws",
    "softmax",
    "state_key",
    "stratified_experience_replay",
    "symmetry",
    "terminal_learning",
    "tree_learning",
    "tree_policy_target",
    "ubfms",
    "value_loss",
]
