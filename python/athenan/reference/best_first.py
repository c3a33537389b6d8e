"""Descent and unbounded best-first minimax (UBFM), plain and completed.

Algorithms "descente", "descente-completion", "Unbounded-Best-First-Mininmax",
"ubfms_search-completed" and "ubfms-decision-1". The searches differ in two switches: an iteration
of Descent goes on to the end of the match, one of UBFM ends with its expansion; and without
completion c = r = 0 everywhere, terminal states included. The recursion of the paper is unrolled
into a path, followed down and backed up.

Further switches: merging of transpositions (off: a tree, each path its own node), reuse (an
expansion that meets a child of S takes its labels instead of f_θ), a memory of states resolved in
earlier matches, and the early stop of Korf and Chickering (the paper backs up to the root).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from athenan._core import ParameterError, State
from athenan.reference.budget import Budget, Spent
from athenan.reference.decide import (
    backup_resolution,
    completed_best_action_dual,
    plain_best_action,
    safest_action,
)
from athenan.reference.draws import RandomSource
from athenan.reference.evaluation import Evaluations, Evaluator
from athenan.reference.labels import Edge, Key, LabelRow, Node, best_by_value, label_rows
from athenan.reference.terminal_evaluation import TerminalEvaluation, gain, state_key

IDLE_ITERATIONS = 1000
"""A plain search ends after this many iterations in a row that expanded nothing."""

Stop = Literal["budget", "resolved", "stuck"]
Resolved = Mapping[Key, tuple[int, float]]
"""The memory of resolved states: from the key of a state to its (c, v)."""


@dataclass(frozen=True)
class BestFirst:
    """Which best-first minimax search."""

    iteration_end: Literal["terminal", "expansion"]
    completion: bool = True
    transpositions: bool = True
    reuse: bool = True
    early_stop: bool = False


DESCENT = BestFirst("terminal", completion=False)
COMPLETED_DESCENT = BestFirst("terminal")
UBFM = BestFirst("expansion", completion=False)
COMPLETED_UBFM = BestFirst("expansion")


@dataclass(frozen=True)
class SearchResult:
    """The root after a search, what the search used and why it ended."""

    root: Node
    spent: Spent
    stop: Stop


@dataclass(slots=True)
class Iteration:
    """What one iteration did."""

    expanded: list[Node]
    tied: bool = False


class BestFirstSearch:
    """The searches of one match: S and T are kept from move to move."""

    def __init__(
        self,
        config: BestFirst,
        evaluate: Evaluator,
        terminal_evaluation: TerminalEvaluation,
        random: RandomSource,
        memory: Resolved | None = None,
    ) -> None:
        if memory is not None and terminal_evaluation.depends_on_path:
            raise ParameterError(
                f"a memory of resolved states needs values that depend on the state alone; "
                f"{terminal_evaluation.name} depends on the path"
            )
        self.config = config
        self.follow = completed_best_action_dual if config.completion else plain_best_action
        self.terminal_evaluation = terminal_evaluation
        self.evaluations = Evaluations(evaluate)
        self.random = random
        self.memory: Resolved = memory or {}
        self.nodes: dict[Key, Node] = {}  # S
        self.path: list[tuple[Node, Edge]] = []
        self.spent = Spent()
        self.roots: list[tuple[Key, State]] = []  # of the match, oldest first

    # The search: descent, completed_descent, ubfms_tree_search.

    def search(self, root: State, budget: Budget) -> SearchResult:
        """Search from a state until the budget is spent or nothing is left to find."""
        if root.is_terminal:
            raise ParameterError("the match is over: there is no move to search for")
        key = self.root_key(root)
        self.roots.append((key, root))
        self.path = []
        self.spent = Spent()
        idle = 0
        while True:
            stop = self._stop_before(key, budget)
            if stop:
                return SearchResult(self.nodes[key], self.spent, stop)
            done = self.iteration(key, root)
            idle = 0 if done.expanded else idle + 1
            if not self.config.completion and idle and (not done.tied or idle == IDLE_ITERATIONS):
                return SearchResult(self.nodes[key], self.spent, "stuck")

    def _stop_before(self, root: Key, budget: Budget) -> Stop | None:
        if root in self.nodes and self.nodes[root].r == 1:
            return "resolved"
        return "budget" if self.spent.reaches(budget) else None

    # An iteration: descent_iteration, UBFM_iteration, ubfms_iteration.

    def iteration(self, key: Key, state: State) -> Iteration:
        """Follow the best moves down, expand, and back the labels up.

        It starts at the given root, or where the early stop of the last iteration left the path.
        """
        done = Iteration(expanded=[])
        if self.path:
            node, _ = self.path.pop()
            key, state = node.key, node.state
        while True:
            if state.is_terminal:
                node = self.add_terminal(key, state)
                break
            if key in self.nodes:
                node = self.nodes[key]
            else:
                node = self.expand(key, state)
                done.expanded.append(node)
                if self.config.iteration_end == "expansion":
                    break
            if node.r == 1:
                break
            unresolved = [a for a in node.edges if a.r == 0]
            done.tied |= len(best_by_value(state, unresolved)) > 1
            edge = self.follow(state, unresolved, self.random)
            edge.n += 1
            self.path.append((node, edge))
            key, state = edge.key, edge.child
        self.back_up(node, done.expanded)
        self.spent.iterations += 1
        return done

    def back_up(self, node: Node, expanded: list[Node]) -> None:
        """Carry the labels of the last node up the path.

        With the early stop only as far as they change anything: the path then ends with the node
        that kept its label, where the next iteration begins. A node that the iteration expanded
        had no label before, so it has changed.
        """
        for i in reversed(range(len(self.path))):
            parent, edge = self.path[i]
            before = parent.label
            edge.r, edge.c, edge.v = node.label
            edge.guess = False
            self.update(parent)
            node = parent
            unchanged = node.label == before and node not in expanded
            if self.config.early_stop and unchanged:
                self.path = self.path[: i + 1]
                return
        self.path = []

    # The labels.

    def expand(self, key: Key, state: State) -> Node:
        """Add a state to S: label its children and then the state itself."""
        node = Node(state, key)
        self.nodes[key] = node
        for move, child in zip(state.legal_moves(), state.children(), strict=True):
            node.edges.append(Edge(move, child, self.child_key(key, move, child)))
        self.spent.expansions += 1
        self.label_edges(node)
        self.update(node)
        return node

    def label_edges(self, node: Node) -> None:
        """Give the edges of a new state their labels; children without any are evaluated."""
        leaves = [a for a in node.edges if not (a.child.is_terminal or self.is_labelled(a))]
        self.spent.evaluations += self.evaluations.add((a.key, a.child) for a in leaves)
        for edge in node.edges:
            edge.r, edge.c, edge.v = self.first_label(edge)

    def is_labelled(self, edge: Edge) -> bool:
        """Return whether the child has labels already, here or in the memory."""
        if edge.key in self.nodes:
            return self.config.reuse
        return self.config.completion and self.memory_key(edge.child) in self.memory

    def first_label(self, edge: Edge) -> tuple[int, int, float]:
        """Return the labels (r, c, v) of an edge at the expansion of its state."""
        if edge.child.is_terminal:
            return self.add_terminal(edge.key, edge.child).label
        if not self.is_labelled(edge):
            return 0, 0, self.evaluations.values[edge.key]
        if edge.key in self.nodes:
            return self.nodes[edge.key].label
        c, v = self.memory[self.memory_key(edge.child)]
        return 1, c, v

    def add_terminal(self, key: Key, state: State) -> Node:
        """Add a terminal state to S, labelled (1, b_t(s), f_t(s)); (0, 0, f_t(s)) when plain."""
        node = Node(state, key, v=self.terminal_evaluation(state))
        if self.config.completion:
            node.r, node.c = 1, gain(state)
        self.nodes[key] = node
        return node

    def update(self, node: Node) -> None:
        """Read the labels of a state off its edges."""
        best = best_by_value(node.state, node.edges)[0]
        node.c, node.v = best.c, best.v
        node.r = backup_resolution(node)

    # The keys.

    def memory_key(self, state: State) -> Key:
        """Return the key of a state in the memory of resolved states."""
        return state_key(state, self.terminal_evaluation)

    def child_key(self, parent: Key, move: int, child: State) -> Key:
        """Return the key of a child in S: its own, or in a tree its path."""
        if self.config.transpositions:
            return self.memory_key(child)
        assert isinstance(parent, tuple)
        return (*parent, move)

    def root_key(self, state: State) -> Key:
        """Return the key of a root in S: its own; in a tree the path that led there.

        In a tree a path is the key of the first state and the moves since then.
        """
        if self.config.transpositions:
            return self.memory_key(state)
        for root in reversed(self.roots):
            found = self._path_to(state, *root)
            if found is not None:
                return found
        return (self.memory_key(state),)

    def _path_to(self, state: State, key: Key, start: State) -> Key | None:
        if start == state:
            return key
        if start.ply >= state.ply or key not in self.nodes:
            return None
        paths = (self._path_to(state, a.key, a.child) for a in self.nodes[key].edges)
        return next((path for path in paths if path is not None), None)

    # What others read.

    def edges(self, state: State) -> list[Edge]:
        """Return the labelled moves of a searched state."""
        return self.nodes[self.root_key(state)].edges

    def value(self, state: State) -> float:
        """Return v(s) of a state of S."""
        return self.nodes[self.root_key(state)].v

    def learning_states(self) -> list[tuple[State, float]]:
        """Return the states of S with their values: expanded or terminal, oldest first."""
        return [(node.state, node.v) for node in self.nodes.values()]

    def resolved_states(self) -> dict[Key, tuple[int, float]]:
        """Return the (c, v) of the states resolved in this match, to be added to the memory."""
        found: dict[Key, tuple[int, float]] = {}
        for node in self.nodes.values():
            key = self.memory_key(node.state)
            if node.edges and node.r == 1 and key not in self.memory:
                found.setdefault(key, (node.c, node.v))
        return found

    def labels(self) -> dict[Key, list[LabelRow]]:
        """Return all labels, for comparison with other implementations."""
        return label_rows(self.nodes.values())


def ubfms(search: BestFirstSearch, state: State, budget: Budget) -> int:
    """Return the move of unbounded minimax with safe decision."""
    return safest_action(search.search(state, budget).root, search.random).move
