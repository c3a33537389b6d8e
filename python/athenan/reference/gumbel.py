"""Gumbel AlphaZero: planning that improves on the policy with any number of simulations.

Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022). At
the root, moves are drawn without replacement by Gumbel noise on the logits, and sequential halving
finds the best of them. Below, moves are selected so that their visits approach the improved policy
π' = softmax(logits + σ(completed Q)), which is what the network learns, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import ceil, exp, inf, log, log2

from athenan._core import State
from athenan.reference.budget import Budget
from athenan.reference.draws import RandomSource, gumbel
from athenan.reference.evaluation import PolicyEvaluator, encoded
from athenan.reference.labels import first_player, float32
from athenan.reference.mcts import Leaf, LeafEvaluation, MctsEdge, MctsNode, MctsSearch, Puct
from athenan.reference.terminal_evaluation import CLASSIC


@dataclass(frozen=True)
class Gumbel:
    """The numbers of the search."""

    considered: int = 16
    """m: the moves of the root that are considered."""
    noise: float = 1.0
    """The scale of the Gumbel noise; 0 to play best."""
    c_visit: float = 50.0
    c_scale: float = 1.0


def log_policy_leaf(evaluate: PolicyEvaluator) -> LeafEvaluation:
    """Evaluate leaves by the value head, with the logarithm of the policy as priors."""

    def leaf(state: State) -> Leaf:
        values, logits = evaluate(encoded([state]))
        legal = [float32(logits[0][move]) for move in state.legal_moves()]
        greatest = max(legal)
        total = 0.0
        for logit in legal:
            total += exp(logit - greatest)
        value = float32(values[0])
        return Leaf(value, value, [logit - greatest - log(total) for logit in legal])

    return leaf


def considered_visits(moves: int, simulations: int) -> list[int]:
    """Return how often the move of each simulation was visited before: sequential halving.

    Each of the ⌈log2 m⌉ phases has an equal share of the simulations and visits its moves in turn;
    then the better half is left, and of two moves both are visited to the end.
    """

    def phases() -> Iterator[int]:
        visited, left = 0, moves
        while True:
            turns = max(1, simulations // (ceil(log2(moves)) * left)) if moves > 1 else 1
            for turn in range(visited, visited + turns):
                yield from [turn] * left
            visited, left = visited + turns, max(min(moves, 2), left // 2)

    return list(islice(phases(), simulations))


class GumbelSearch(MctsSearch):
    """The searches of one match, each with a number of iterations."""

    def __init__(self, setting: Gumbel, leaf: LeafEvaluation, random: RandomSource) -> None:
        super().__init__(Puct(), leaf, CLASSIC, random)
        self.setting = setting

    def search(self, root: State, budget: Budget) -> MctsNode:
        """Search from a state until its iterations are spent."""
        assert budget.iterations is not None, "the halving is planned for a number of simulations"
        self.budget = budget.iterations
        self.plan: list[int] = []
        self.drawn: dict[int, float] = {}
        self.before: dict[int, int] = {}
        return super().search(root, budget)

    def select(self, node: MctsNode) -> MctsEdge:
        """Select the next move of the halving, or the one whose visits lag behind π' most."""
        if node.key != self.root:
            policy = self.improved_policy(node)
            visits = node.visits
            lags = [p - a.n / (1 + visits) for p, a in zip(policy, node.edges, strict=True)]
            return node.edges[lags.index(max(lags))]
        if not self.drawn:
            self.prepare(node)
            moves = min(self.setting.considered, len(node.edges))
            self.plan = considered_visits(moves, self.budget - self.spent.iterations)
        wanted = self.plan.pop(0)
        return self.best(node, wanted)

    def prepare(self, root: MctsNode) -> None:
        """Draw g(a), and note what earlier searches have visited."""
        scale = self.setting.noise
        self.drawn = {a.move: scale * gumbel(self.random) if scale else 0.0 for a in root.edges}
        self.before = {a.move: a.n for a in root.edges}

    def best(self, root: MctsNode, visits: int) -> MctsEdge:
        """Return the move of greatest g + logit + σ(q) among the moves with this many visits."""
        scores = self.improved_logits(root)
        ranked = [
            (self.drawn[a.move] + score, -place)
            for place, (a, score) in enumerate(zip(root.edges, scores, strict=True))
            if a.n - self.before[a.move] == visits
        ]
        return root.edges[-max(ranked)[1]]

    def decide(self, root: State) -> MctsEdge:
        """Return the winner of the halving."""
        node = self.nodes[self.key(root)]
        if not self.drawn:
            self.prepare(node)
        return self.best(node, max(a.n - self.before[a.move] for a in node.edges))

    def improved_logits(self, node: MctsNode) -> list[float]:
        """Return logits + σ(completed Q), of the player to move.

        Completed: a move that was not visited takes v_mix, which joins the network's own value and
        those of the visited moves, weighted by the policy. σ(q) = (c_visit + max n) c_scale q, with
        q in [0, 1].
        """
        sign = 1 if first_player(node.state) else -1
        probability, weighted = 0.0, 0.0
        for a in node.edges:
            if a.n:
                probability += exp(a.prior)
                weighted += exp(a.prior) * sign * a.w / a.n
        visits, raw = node.visits, sign * node.leaf
        mixed = (raw + visits * weighted / probability) / (1 + visits) if probability else raw
        factor = (self.setting.c_visit + max(a.n for a in node.edges)) * self.setting.c_scale
        completed = [sign * a.w / a.n if a.n else mixed for a in node.edges]
        return [a.prior + factor * (q + 1) / 2 for a, q in zip(node.edges, completed, strict=True)]

    def improved_policy(self, node: MctsNode) -> list[float]:
        """Return π'."""
        logits = self.improved_logits(node)
        greatest = max(logits, default=-inf)
        weights = [exp(logit - greatest) for logit in logits]
        total = 0.0
        for weight in weights:
            total += weight
        return [weight / total for weight in weights]
