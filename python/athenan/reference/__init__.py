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

from athenan.reference.alpha_beta import AlphaBetaResult as AlphaBetaResult
from athenan.reference.alpha_beta import AlphaBetaSearch as AlphaBetaSearch
from athenan.reference.alpha_beta import minimax as minimax
from athenan.reference.best_first import COMPLETED_DESCENT as COMPLETED_DESCENT
from athenan.reference.best_first import COMPLETED_UBFM as COMPLETED_UBFM
from athenan.reference.best_first import DESCENT as DESCENT
from athenan.reference.best_first import UBFM as UBFM
from athenan.reference.best_first import BestFirst as BestFirst
from athenan.reference.best_first import BestFirstSearch as BestFirstSearch
from athenan.reference.best_first import SearchResult as SearchResult
from athenan.reference.best_first import ubfms as ubfms
from athenan.reference.budget import Budget as Budget
from athenan.reference.budget import Spent as Spent
from athenan.reference.decide import backup_resolution as backup_resolution
from athenan.reference.decide import best_action as best_action
from athenan.reference.decide import completed_best_action as completed_best_action
from athenan.reference.decide import completed_best_action_dual as completed_best_action_dual
from athenan.reference.decide import plain_best_action as plain_best_action
from athenan.reference.decide import safest_action as safest_action
from athenan.reference.decide import (
    safest_action_preferring_draws as safest_action_preferring_draws,
)
from athenan.reference.draws import RandomSource as RandomSource
from athenan.reference.draws import dirichlet as dirichlet
from athenan.reference.evaluation import Evaluator as Evaluator
from athenan.reference.evaluation import PolicyEvaluator as PolicyEvaluator
from athenan.reference.exact import exact_value as exact_value
from athenan.reference.expert_iteration import expert_iteration as expert_iteration
from athenan.reference.expert_iteration import policy_loss as policy_loss
from athenan.reference.expert_iteration import tree_policy_target as tree_policy_target
from athenan.reference.expert_iteration import value_loss as value_loss
from athenan.reference.gumbel import Gumbel as Gumbel
from athenan.reference.gumbel import GumbelSearch as GumbelSearch
from athenan.reference.gumbel import considered_visits as considered_visits
from athenan.reference.gumbel import log_policy_leaf as log_policy_leaf
from athenan.reference.labels import Edge as Edge
from athenan.reference.labels import Key as Key
from athenan.reference.labels import LabelRow as LabelRow
from athenan.reference.labels import Node as Node
from athenan.reference.match import Match as Match
from athenan.reference.match import Searcher as Searcher
from athenan.reference.match import by_selection as by_selection
from athenan.reference.match import play_match as play_match
from athenan.reference.mcts import ExItUct as ExItUct
from athenan.reference.mcts import Leaf as Leaf
from athenan.reference.mcts import MctsSearch as MctsSearch
from athenan.reference.mcts import Puct as Puct
from athenan.reference.mcts import RootNoise as RootNoise
from athenan.reference.mcts import Uct as Uct
from athenan.reference.mcts import network_leaf as network_leaf
from athenan.reference.mcts import playout_leaf as playout_leaf
from athenan.reference.mcts import policy_leaf as policy_leaf
from athenan.reference.mcts import random_playout as random_playout
from athenan.reference.move_values import MoveValued as MoveValued
from athenan.reference.move_values import MoveValuedSearch as MoveValuedSearch
from athenan.reference.named import NAMED as NAMED
from athenan.reference.named import Thinking as Thinking
from athenan.reference.named import thinking as thinking
from athenan.reference.nrpa import Line as Line
from athenan.reference.nrpa import Nrpa as Nrpa
from athenan.reference.nrpa import NrpaSearch as NrpaSearch
from athenan.reference.nrpa import Ply as Ply
from athenan.reference.nrpa import adapted as adapted
from athenan.reference.replay import ReplayMemory as ReplayMemory
from athenan.reference.replay import StratifiedMemory as StratifiedMemory
from athenan.reference.replay import experience_replay as experience_replay
from athenan.reference.replay import minibatches as minibatches
from athenan.reference.replay import stratified_experience_replay as stratified_experience_replay
from athenan.reference.replay import symmetry as symmetry
from athenan.reference.selection import ActionSelection as ActionSelection
from athenan.reference.selection import action_selection as action_selection
from athenan.reference.selection import epsilon_greedy as epsilon_greedy
from athenan.reference.selection import ordinal as ordinal
from athenan.reference.selection import ordinal_probabilities as ordinal_probabilities
from athenan.reference.selection import softmax as softmax
from athenan.reference.targets import learn as learn
from athenan.reference.targets import root_learning as root_learning
from athenan.reference.targets import terminal_learning as terminal_learning
from athenan.reference.targets import tree_learning as tree_learning
from athenan.reference.terminal_evaluation import ADDITIVE_DEPTH as ADDITIVE_DEPTH
from athenan.reference.terminal_evaluation import ARIMAA as ARIMAA
from athenan.reference.terminal_evaluation import CLASSIC as CLASSIC
from athenan.reference.terminal_evaluation import MOBILITY as MOBILITY
from athenan.reference.terminal_evaluation import MULTIPLICATIVE_DEPTH as MULTIPLICATIVE_DEPTH
from athenan.reference.terminal_evaluation import PRESENCE as PRESENCE
from athenan.reference.terminal_evaluation import SCORE as SCORE
from athenan.reference.terminal_evaluation import TerminalEvaluation as TerminalEvaluation
from athenan.reference.terminal_evaluation import gain as gain
from athenan.reference.terminal_evaluation import heuristics_of as heuristics_of
from athenan.reference.terminal_evaluation import state_key as state_key
