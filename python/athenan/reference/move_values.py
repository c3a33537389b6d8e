"""Best-first searches that ask for the values of moves instead of those of children.

Not in the paper. A network with a second head says of a state s both v(s) and, for each legal move,
q(s, a), which it has learned to be v(a(s)): an expansion then takes one pass of the network, where
it takes one for each child otherwise. Children whose value is known (ended, resolved, expanded or
evaluated before) keep it; the others have their q, a guess. Some of these may be judged: v of the
child is asked for and takes the place of q.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from athenan._core import State
from athenan.reference.best_first import BestFirst, BestFirstSearch, Resolved
from athenan.reference.draws import RandomSource, sample
from athenan.reference.evaluation import Evaluator, Planes, PolicyEvaluator, Values, encoded
from athenan.reference.labels import Edge, Node, best_by_value, first_player, float32
from athenan.reference.terminal_evaluation import TerminalEvaluation


@dataclass(frozen=True)
class MoveValued:
    """Which of the guesses of an expansion are judged."""

    judged: int = 0
    """How many of the best moves of the player to move are judged first."""
    sampled: int = 0
    """How many of the other moves are judged too, drawn at random, for q to learn from."""
    judge_best: bool = False
    """How many more are judged at a time, until the best move is no guess."""


class MoveValuedSearch(BestFirstSearch):
    """Any best-first search, with values of moves."""

    def __init__(
        self,
        config: BestFirst,
        judging: MoveValued,
        evaluate: PolicyEvaluator,
        terminal_evaluation: TerminalEvaluation,
        random: RandomSource,
        memory: Resolved | None = None,
    ) -> None:
        super().__init__(config, _values_of(evaluate), terminal_evaluation, random, memory)
        self.judging = judging
        self.evaluate_with_moves = evaluate

    def label_edges(self, node: Node) -> None:
        """Give the edges of a new state their labels, those of unknown children by guesses."""
        for edge in node.edges:
            edge.guess = not self.is_known(edge)
        self.label_known(node.edges)
        guesses = [edge for edge in node.edges if edge.guess]
        if not guesses:
            return
        self.guess(node, guesses)
        liked = self.best_guesses(node)
        others = [edge for edge in guesses if edge not in liked]
        chosen = liked + sample(others, min(self.judging.sampled, len(others)), self.random)
        while chosen:
            self.judge(node, chosen)
            is_open = self.judging.judge_best and best_by_value(node.state, node.edges)[0].guess
            chosen = self.best_guesses(node) if is_open else []

    def is_known(self, edge: Edge) -> bool:
        """Return whether the value of the child is known, of itself or by its evaluation."""
        labelled = edge.child.is_terminal or self.is_labelled(edge)
        return labelled or edge.key in self.evaluations.values

    def label_known(self, edges: Sequence[Edge]) -> None:
        """Label the edges that are no guesses."""
        for edge in edges:
            if not edge.guess:
                edge.r, edge.c, edge.v = self.first_label(edge)

    def guess(self, node: Node, edges: Sequence[Edge]) -> None:
        """Ask for v(s) and q(s, ·) of the state in one pass."""
        values, numbers = self.evaluate_with_moves(encoded([node.state]))
        self.spent.evaluations += 1
        self.evaluations.values[node.key] = float32(values[0])
        for edge in edges:
            edge.v = float32(numbers[0, edge.move])

    def best_guesses(self, node: Node) -> list[Edge]:
        """Return the guesses that are judged next, best first; among equals in their order."""
        guesses = [edge for edge in node.edges if edge.guess]
        return sorted(guesses, key=_worth_to_mover(node.state))[: self.judging.judged]

    def judge(self, node: Node, chosen: Sequence[Edge]) -> None:
        """Ask for v of some children."""
        self.spent.evaluations += self.evaluations.add((a.key, a.child) for a in chosen)
        judged = [edge for edge in node.edges if edge.guess and self.is_known(edge)]
        for edge in judged:
            edge.guess = False
        self.label_known(judged)

    def move_targets(self, node: Node) -> list[tuple[int, float]]:
        """Return what q is to learn of an expanded state: its moves that are no guesses."""
        return [(edge.move, edge.v) for edge in node.edges if not edge.guess]


def _values_of(evaluate: PolicyEvaluator) -> Evaluator:
    def values(planes: Planes) -> Values:
        return evaluate(planes)[0]

    return values


def _worth_to_mover(state: State) -> Callable[[Edge], float]:
    sign = -1 if first_player(state) else 1
    return lambda edge: sign * edge.v
