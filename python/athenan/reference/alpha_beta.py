"""Minimax of fixed depth, and alpha-beta with iterative deepening.

Section "Game Tree Search Algorithms", and "Common Experiment Protocol" where minimax of depth 1
plays the evaluation matches. Alpha-beta is fail-soft, in values of the first player, with move
ordering and a transposition table. A state is expanded at its first visit, all its children
evaluated in one batch; the horizon has no cut-off. A completed iteration gives exactly the value of
plain minimax of its depth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from athenan._core import ParameterError, State
from athenan.reference.budget import Budget, Spent
from athenan.reference.evaluation import Evaluations, Evaluator, encoded
from athenan.reference.labels import Edge, Key, LabelRow, Node, first_player, float32, label_rows
from athenan.reference.terminal_evaluation import TerminalEvaluation, state_key


def minimax(
    state: State, depth: int, evaluate: Evaluator, terminal_evaluation: TerminalEvaluation
) -> float:
    """Return the minimax value of the tree of this depth in plies."""
    if state.is_terminal:
        return terminal_evaluation(state)
    if depth == 0:
        return float32(evaluate(encoded([state]))[0])
    choose: Callable[[list[float]], float] = max if first_player(state) else min
    return choose(
        [minimax(child, depth - 1, evaluate, terminal_evaluation) for child in state.children()]
    )


@dataclass(frozen=True)
class Entry:
    """An entry of the transposition table.

    `horizon` says whether the search below met a state that is not terminal at the horizon.
    """

    depth: int
    bound: Literal["exact", "lower", "upper"]
    value: float
    horizon: bool


@dataclass(slots=True, eq=False)
class AlphaBetaNode(Node):
    """An expanded state: its edges also in the order in which they are tried, and its entry.

    v(s) is the last value found, exact or fail-soft, and so is v(s,a) of each edge.
    """

    order: list[Edge] = field(default_factory=list)
    entry: Entry | None = None


@dataclass(frozen=True)
class AlphaBetaResult:
    """What the last completed iteration found."""

    move: int
    value: float
    depth: int
    solved: bool
    spent: Spent


class BudgetSpentError(Exception):
    """Raised inside an iteration that must be given up."""


class AlphaBetaSearch:
    """The searches of one match: values, orders and the table are kept from move to move."""

    def __init__(self, evaluate: Evaluator, terminal_evaluation: TerminalEvaluation) -> None:
        self.evaluations = Evaluations(evaluate)
        self.terminal_evaluation = terminal_evaluation
        self.nodes: dict[Key, AlphaBetaNode] = {}
        self.budget = Budget()
        self.spent = Spent()

    def search(self, root: State, budget: Budget) -> AlphaBetaResult:
        """Deepen until the budget is spent or no state is left beyond the horizon.

        The limit of iterations is the maximum depth. The budget is looked at before each iteration
        and before each expansion. An interrupted iteration decides nothing; the entries that it
        completed stay in the table, each true for its own depth.
        """
        if root.is_terminal:
            raise ParameterError("the match is over: there is no move to search for")
        self.budget, self.spent = budget, Spent()
        result: AlphaBetaResult | None = None
        while result is None or not (result.solved or self.spent.reaches(budget)):
            try:
                result = self.iteration(root, self.spent.iterations + 1)
            except BudgetSpentError:
                break
            self.spent.iterations += 1
        assert result is not None, "the first iteration is one expansion: it always completes"
        return result

    def iteration(self, root: State, depth: int) -> AlphaBetaResult:
        """Search the tree of this depth; of equal moves, the first in the order is chosen."""
        node = self.node(self.key(root), root)
        best, value, horizon = self.try_moves(node, depth, -inf, inf)
        return AlphaBetaResult(best.move, value, depth, not horizon, self.spent)

    def alpha_beta(
        self, key: Key, state: State, depth: int, alpha: float, beta: float
    ) -> tuple[float, bool]:
        """Return the fail-soft value of a state, and whether the horizon cut anything off."""
        if state.is_terminal:
            return self.terminal_evaluation(state), False
        node = self.node(key, state)
        known = node.entry
        if known is not None and known.depth == depth and decides(known, alpha, beta):
            return known.value, known.horizon
        _, value, horizon = self.try_moves(node, depth, alpha, beta)
        return value, horizon

    def try_moves(
        self, node: AlphaBetaNode, depth: int, alpha: float, beta: float
    ) -> tuple[Edge, float, bool]:
        """Search the children, best first by the values found last; store what came out."""
        if depth == 1:
            for edge in node.edges:
                edge.v = self.static_value(edge)
        maximise = first_player(node.state)
        node.order = sorted(node.order, key=lambda a: a.v, reverse=maximise)
        if depth == 1:
            best, horizon = node.order[0], any(not a.child.is_terminal for a in node.edges)
        else:
            best, horizon = self.cut_off(node, depth, alpha, beta)
        node.v = best.v
        bound: Literal["exact", "lower", "upper"] = "exact"
        if depth > 1:
            bound = "upper" if node.v <= alpha else "lower" if node.v >= beta else "exact"
        node.entry = Entry(depth, bound, node.v, horizon)
        return best, node.v, horizon

    def cut_off(
        self, node: AlphaBetaNode, depth: int, alpha: float, beta: float
    ) -> tuple[Edge, bool]:
        """Try the moves in order until one refutes the state; return the best of those tried."""
        maximise = first_player(node.state)
        best: Edge | None = None
        met_horizon = False
        for edge in node.order:
            edge.v, horizon = self.alpha_beta(edge.key, edge.child, depth - 1, alpha, beta)
            met_horizon |= horizon
            if best is None or (edge.v > best.v if maximise else edge.v < best.v):
                best = edge
            if maximise:
                alpha = max(alpha, best.v)
            else:
                beta = min(beta, best.v)
            if alpha >= beta:
                break
        assert best is not None
        return best, met_horizon

    def node(self, key: Key, state: State) -> AlphaBetaNode:
        """Return the node of a state, expanded at its first visit."""
        return self.nodes.get(key) or self.expand(key, state)

    def expand(self, key: Key, state: State) -> AlphaBetaNode:
        """Evaluate all children of a state in one batch; terminal ones join the tree."""
        if self.spent.reaches(self.budget):
            raise BudgetSpentError
        children = zip(state.legal_moves(), state.children(), strict=True)
        edges = [Edge(move, child, self.key(child)) for move, child in children]
        leaves = [(a.key, a.child) for a in edges if not a.child.is_terminal]
        self.spent.evaluations += self.evaluations.add(leaves)
        self.spent.expansions += 1
        node = self.nodes[key] = AlphaBetaNode(state, key, edges, order=list(edges))
        for edge in edges:
            edge.v = self.static_value(edge)
            if edge.child.is_terminal:
                self.nodes[edge.key] = AlphaBetaNode(edge.child, edge.key, v=edge.v)
        return node

    def static_value(self, edge: Edge) -> float:
        """Return f_t or f_θ of the child."""
        if edge.child.is_terminal:
            return self.terminal_evaluation(edge.child)
        return self.evaluations.values[edge.key]

    def key(self, state: State) -> Key:
        """Return the key of a state in the table."""
        return state_key(state, self.terminal_evaluation)

    def edges(self, state: State) -> list[Edge]:
        """Return the moves of a searched state with the values found last."""
        return self.nodes[self.key(state)].edges

    def value(self, state: State) -> float:
        """Return v(s) of a state of the tree."""
        return self.nodes[self.key(state)].v

    def learning_states(self) -> list[tuple[State, float]]:
        """Return the states of the tree that have values, oldest first."""
        return [(s.state, s.v) for s in self.nodes.values() if s.state.is_terminal or s.entry]

    def labels(self) -> dict[Key, list[LabelRow]]:
        """Return all labels, for comparison with other implementations."""
        return label_rows(self.nodes.values())


def decides(entry: Entry, alpha: float, beta: float) -> bool:
    """Return whether an entry of the right depth is all the window asks for."""
    if entry.bound == "exact":
        return True
    return entry.value >= beta if entry.bound == "lower" else entry.value <= alpha
