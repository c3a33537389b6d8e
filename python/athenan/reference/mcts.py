"""Monte Carlo tree search: the rival of the paper's comparisons.

Sections "Common Experiment Protocol" (UCT with leaves evaluated by the network), "The ExIt
Algorithm" (its modified UCT) and, for AlphaZero, PUCT. Base MCTS is UCT whose leaves are random
playouts. The labels are the number n of selections of an edge and the sum w of the values backed up
through it (double precision); a state is merged with its transpositions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf, log, sqrt
from typing import Protocol

from athenan._core import ParameterError, State
from athenan.reference.budget import Budget, Spent
from athenan.reference.draws import RandomSource, dirichlet, draw_one
from athenan.reference.evaluation import Evaluator, PolicyEvaluator, encoded
from athenan.reference.labels import Edge, Key, added, first_player, float32
from athenan.reference.terminal_evaluation import TerminalEvaluation, state_key

IDLE_ITERATIONS = 1000
"""A search without a limit of iterations ends after this many in a row that expanded nothing."""


@dataclass(slots=True, eq=False)
class MctsEdge:
    """An edge of the tree of MCTS."""

    move: int
    child: State
    key: Key
    prior: float = 0.0
    n: int = 0
    w: float = 0.0
    network_w: float = 0.0


@dataclass(slots=True, eq=False)
class MctsNode:
    """A state of the tree of MCTS; a terminal one has no edges. `leaf` is its own evaluation."""

    state: State
    key: Key
    leaf: float
    edges: list[MctsEdge] = field(default_factory=list)

    @property
    def visits(self) -> int:
        """How often the search went on below s."""
        return sum(a.n for a in self.edges)

    @property
    def value(self) -> float:
        """v(s): the mean of the values backed up through s, its own evaluation before that."""
        visits = self.visits
        return float32(added(a.w for a in self.edges) / visits) if visits else self.leaf


@dataclass(frozen=True)
class Leaf:
    """The evaluation of a leaf: its value, the network's own value and the prior of each move."""

    value: float
    network_value: float
    priors: Sequence[float] | None = None


LeafEvaluation = Callable[[State], Leaf]


def network_leaf(evaluate: Evaluator) -> LeafEvaluation:
    """Evaluate leaves by f_θ."""

    def leaf(state: State) -> Leaf:
        value = float32(evaluate(encoded([state]))[0])
        return Leaf(value, value)

    return leaf


def policy_leaf(evaluate: PolicyEvaluator, temperature: float = 1.0) -> LeafEvaluation:
    """Evaluate leaves by the value head, with the policy head as priors."""

    def leaf(state: State) -> Leaf:
        values, logits = evaluate(encoded([state]))
        legal = [float32(logits[0][move]) for move in state.legal_moves()]
        value = float32(values[0])
        return Leaf(value, value, policy(legal, temperature))

    return leaf


def policy(logits: Sequence[float], temperature: float) -> list[float]:
    """Return the softmax of the logits of the legal moves."""
    weights = [exp((logit - max(logits)) / temperature) for logit in logits]
    total = added(weights)
    return [weight / total for weight in weights]


def playout_leaf(playout: Callable[[State], float]) -> LeafEvaluation:
    """Evaluate leaves by the outcome of one random match: base MCTS."""

    def leaf(state: State) -> Leaf:
        outcome = playout(state)
        return Leaf(outcome, outcome)

    return leaf


def random_playout(random: RandomSource) -> Callable[[State], float]:
    """Return a playout: uniformly random moves to the end, and the outcome."""

    def playout(state: State) -> float:
        while state.outcome is None:
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves))])
        return float(state.outcome)

    return playout


class Formula(Protocol):
    """What the selection maximises; `sign` is 1 for the first player and -1 for the second."""

    def score(self, edge: MctsEdge, visits: int, sign: int) -> tuple[float, ...]:
        """Return the score of an edge of a state with a number of visits (the sum of its n)."""


def uct(edge: MctsEdge, visits: int, sign: int, c: float) -> float:
    """Return Q + C sqrt(ln N / n); moves never tried come first."""
    if edge.n == 0:
        return inf
    return sign * edge.w / edge.n + c * sqrt(log(visits) / edge.n)


@dataclass(frozen=True)
class Uct:
    """UCT: c = 0.4 in the protocol, sqrt(2) for base MCTS."""

    c: float = 0.4

    def score(self, edge: MctsEdge, visits: int, sign: int) -> tuple[float, ...]:
        """Return the UCT of an edge."""
        return (uct(edge, visits, sign, self.c),)


@dataclass(frozen=True)
class ExItUct:
    """UCT + w_a π(a|s) / (n + 1), and + w_v Q̂ once the value network is in use.

    Moves never tried all have an infinite UCT: the other terms order them.
    """

    c: float = 0.05
    policy_weight: float = 100.0
    value_weight: float = 0.0

    def score(self, edge: MctsEdge, visits: int, sign: int) -> tuple[float, ...]:
        """Return the modified UCT of an edge, and for moves never tried what it adds to UCT."""
        bonus = self.policy_weight * edge.prior / (edge.n + 1)
        if edge.n:
            bonus += self.value_weight * sign * edge.network_w / edge.n
        return uct(edge, visits, sign, self.c) + bonus, bonus if edge.n == 0 else 0.0


@dataclass(frozen=True)
class Puct:
    """AlphaZero's Q + c P(a) sqrt(N) / (1 + n), with Q = 0 before the first visit."""

    c: float = 1.25

    def score(self, edge: MctsEdge, visits: int, sign: int) -> tuple[float, ...]:
        """Return the PUCT of an edge."""
        q = sign * edge.w / edge.n if edge.n else 0.0
        return (q + self.c * edge.prior * sqrt(max(visits, 1)) / (1 + edge.n),)


@dataclass(frozen=True)
class RootNoise:
    """AlphaZero's P(s, a) = (1 - ε) p + ε η at the root, η of a Dirichlet distribution."""

    share: float = 0.25
    alpha: float = 0.0
    """0: ten divided by the number of moves."""

    def shares(self, moves: int, random: RandomSource) -> list[float]:
        """Draw η."""
        return dirichlet(self.alpha or 10 / moves, moves, random)


class MctsSearch:
    """The searches of one match: the tree is kept from move to move."""

    def __init__(
        self,
        formula: Formula,
        leaf: LeafEvaluation,
        terminal_evaluation: TerminalEvaluation,
        random: RandomSource,
        noise: RootNoise | None = None,
    ) -> None:
        self.noise = noise
        self.noisy: dict[int, float] = {}
        """The priors of the moves of the root, with noise; none until the first is selected."""
        self.root: Key | None = None
        self.formula = formula
        self.leaf = leaf
        self.terminal_evaluation = terminal_evaluation
        self.random = random
        self.nodes: dict[Key, MctsNode] = {}
        self.spent = Spent()

    def search(self, root: State, budget: Budget) -> MctsNode:
        """Search from a state until the budget is spent."""
        if root.is_terminal:
            raise ParameterError("the match is over: there is no move to search for")
        self.spent = Spent()
        self.root, self.noisy = self.key(root), {}
        idle = 0
        while not self.spent.reaches(budget):
            expansions = self.spent.expansions
            self.iteration(root)
            idle = idle + 1 if self.spent.expansions == expansions else 0
            if budget.iterations is None and idle == IDLE_ITERATIONS:
                break
        return self.nodes[self.key(root)]

    def iteration(self, root: State) -> None:
        """Select down to a leaf, expand it, and back its value up."""
        path: list[MctsEdge] = []
        state = root
        while (node := self.nodes.get(self.key(state))) is not None and node.edges:
            edge = self.select(node)
            path.append(edge)
            state = edge.child
        leaf = self.add(state)
        for edge in path:
            edge.n += 1
            edge.w += leaf.value
            edge.network_w += leaf.network_value
        self.spent.iterations += 1

    def select(self, node: MctsNode) -> MctsEdge:
        """Return the edge of the greatest score."""
        sign = 1 if first_player(node.state) else -1
        visits = node.visits
        edges = self.with_noise(node) if self.noise and node.key == self.root else node.edges
        scores = [self.formula.score(a, visits, sign) for a in edges]
        best = max(scores)
        return draw_one(
            [a for a, score in zip(node.edges, scores, strict=True) if score == best], self.random
        )

    def with_noise(self, root: MctsNode) -> list[MctsEdge]:
        """Return the edges of the root with their noisy priors."""
        assert self.noise is not None
        if not self.noisy:
            drawn = self.noise.shares(len(root.edges), self.random)
            share = self.noise.share
            self.noisy = {
                edge.move: (1 - share) * edge.prior + share * eta
                for edge, eta in zip(root.edges, drawn, strict=True)
            }
        return [replace(edge, prior=self.noisy[edge.move]) for edge in root.edges]

    def add(self, state: State) -> Leaf:
        """Add a leaf to the tree: a terminal state, or one that is expanded and evaluated."""
        key = self.key(state)
        if state.is_terminal:
            value = self.terminal_evaluation(state)
            self.nodes[key] = MctsNode(state, key, value)
            return Leaf(value, value)
        leaf = self.leaf(state)
        node = self.nodes[key] = MctsNode(state, key, leaf.value)
        moves = state.legal_moves()
        priors = leaf.priors or [0.0] * len(moves)
        for move, child, prior in zip(moves, state.children(), priors, strict=True):
            node.edges.append(MctsEdge(move, child, self.key(child), prior))
        self.spent.expansions += 1
        self.spent.evaluations += 1
        return leaf

    def key(self, state: State) -> Key:
        """Return the key of a state in the tree."""
        return state_key(state, self.terminal_evaluation)

    def decide(self, root: State) -> MctsEdge:
        """Return the most visited move; among equals the one of best mean."""
        sign = 1 if first_player(root) else -1

        def rank(edge: MctsEdge) -> tuple[int, float]:
            return edge.n, sign * edge.w / edge.n if edge.n else -inf

        edges = self.nodes[self.key(root)].edges
        best = max(map(rank, edges))
        return draw_one([a for a in edges if rank(a) == best], self.random)

    def edges(self, state: State) -> list[Edge]:
        """Return the moves of a searched state with v = w / n; never tried ones are worst."""
        worst = -inf if first_player(state) else inf
        return [
            Edge(a.move, a.child, a.key, v=float32(a.w / a.n) if a.n else worst, n=a.n)
            for a in self.nodes[self.key(state)].edges
        ]

    def value(self, state: State) -> float:
        """Return v(s) of a state of the tree."""
        return self.nodes[self.key(state)].value

    def learning_states(self) -> list[tuple[State, float]]:
        """Return the terminal states and those that have been gone below, with their values.

        The others are the leaves of the tree: what they are worth is what f_θ says already.
        """
        return [
            (node.state, node.value)
            for node in self.nodes.values()
            if node.visits or node.state.is_terminal
        ]

    def labels(self) -> dict[Key, list[tuple[int, float, int]]]:
        """Return (move, w, n) of all edges, for comparison with other implementations."""
        return {
            node.key: [(a.move, a.w, a.n) for a in node.edges]
            for node in self.nodes.values()
            if node.edges
        }
