"""Nested rollout policy adaptation: search for games without an opponent.

C. D. Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011. It is not
in the paper of Athénan. A policy is a number for each move, whatever the state; a playout draws its
moves by the softmax of these numbers over the legal moves. The number of a move in its game is its
code, so a move is the same one wherever it is legal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, inf, log

from athenan._core import ParameterError, State
from athenan.reference.budget import Budget, Spent
from athenan.reference.draws import RandomSource
from athenan.reference.labels import added
from athenan.reference.terminal_evaluation import TerminalEvaluation

Policy = dict[int, float]
"""The numbers of the moves; that of a move not listed is 0."""
CERTAIN = 260 * log(10)
"""No number of a policy is greater, and none is less than its negative."""


@dataclass(frozen=True)
class Nrpa:
    """How deeply searches are nested, N and α."""

    level: int = 4
    per_level: int = 100
    alpha: float = 1.0
    repetitions: int = 0
    """Not in the paper: a search that has found its best moves so often again ends; 0: never."""


@dataclass(frozen=True)
class Ply:
    """A move and the legal moves among which it was drawn."""

    move: int
    legal: Sequence[int]


@dataclass(frozen=True)
class Line:
    """A sequence of moves to an end, f_t of this end, and its score where the game has one."""

    plies: Sequence[Ply] = ()
    value: float = -inf
    score: float = -inf

    @property
    def worth(self) -> tuple[float, float]:
        """What lines are compared by."""
        return self.value, self.score

    @property
    def moves(self) -> list[int]:
        """The moves alone."""
        return [ply.move for ply in self.plies]


def adapted(policy: Policy, line: Line, alpha: float) -> Policy:
    """Return the policy after a step towards a line: the procedure Adapt."""
    out = defaultdict(float, policy)
    for ply in line.plies:
        weights = [exp(policy.get(move, 0.0)) for move in ply.legal]
        total = added(weights)
        out[ply.move] += alpha
        for move, weight in zip(ply.legal, weights, strict=True):
            out[move] -= alpha * weight / total
    return {move: max(-CERTAIN, min(CERTAIN, number)) for move, number in out.items()}


@dataclass
class NrpaSearch:
    """The searches of one match: the best line is kept from move to move, and nothing else."""

    config: Nrpa
    terminal_evaluation: TerminalEvaluation
    random: RandomSource
    best: Line = field(default_factory=Line)
    counts: dict[int, int] = field(default_factory=dict)
    """How many playouts began with each move of the root; the line kept is one of them."""
    values: dict[int, float] = field(default_factory=dict)
    """The value of the best of them."""
    spent: Spent = field(default_factory=Spent)
    root: State | None = None

    def search(self, root: State, budget: Budget) -> Line:
        """Search from a state until the budget is spent; without one, through the top level."""
        if root.game.datasheet.players != 1:
            raise ParameterError("nested rollout policy adaptation is for games for one player")
        self.keep_line_below(root)
        self.root, self.budget, self.spent = root, budget, Spent()
        self.counts = dict.fromkeys(root.legal_moves(), 0)
        self.values = dict.fromkeys(root.legal_moves(), -inf)
        if self.best.plies:
            self.note(self.best)
        while not self.is_over():
            self.nested(self.config.level, {})
            if budget == Budget():
                break
        return self.best

    def is_over(self) -> bool:
        """Return whether there is a line, and the budget is spent or nothing can be better."""
        if not self.best.plies:
            return False
        return self.spent.reaches(self.budget) or self.cannot_improve()

    def cannot_improve(self) -> bool:
        """Return whether the best line wins and nothing tells wins apart."""
        assert self.root is not None
        rated = self.root.game.datasheet.has_score
        return not rated and self.terminal_evaluation.name == "classic" and self.best.value == 1

    def nested(self, level: int, policy: Policy) -> Line:
        """Return the best line of a search of a level: the procedure NRPA."""
        if level == 0:
            return self.playout(policy)
        best, repeated = Line(), 0
        for _ in range(self.config.per_level):
            found = self.nested(level - 1, policy)
            if found.worth >= best.worth:
                repeated = repeated + 1 if sorted(found.moves) == sorted(best.moves) else 0
                best = found
            if self.is_over() or 0 < self.config.repetitions == repeated:
                break
            policy = adapted(policy, best, self.config.alpha)
        return best

    def playout(self, policy: Policy) -> Line:
        """Play to an end by a policy."""
        assert self.root is not None
        state, plies = self.root, list[Ply]()
        while not state.is_terminal:
            legal = state.legal_moves()
            weights = [exp(policy.get(move, 0.0)) for move in legal]
            ply = Ply(legal[self.draw(weights)], legal)
            state, plies = state.play(ply.move), [*plies, ply]
        score = state.score if state.game.datasheet.has_score else 0.0
        assert score is not None
        line = Line(plies, self.terminal_evaluation(state), score)
        self.spent.iterations += 1
        self.spent.expansions += len(plies)
        self.note(line)
        if line.worth > self.best.worth:
            self.best = line
        return line

    def draw(self, weights: Sequence[float]) -> int:
        """Return an index, drawn in proportion to the weights by one number."""
        left = self.random.uniform() * added(weights)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        return len(weights) - 1

    def note(self, line: Line) -> None:
        """Count a playout for its first move."""
        first = line.plies[0].move
        self.counts[first] += 1
        self.values[first] = max(self.values[first], line.value)

    def keep_line_below(self, root: State) -> None:
        """Keep what is left of the best line where this root lies on it."""
        state, plies = self.root, self.best.plies
        while state is not None and plies and state != root:
            state, plies = state.play(plies[0].move), plies[1:]
        kept = Line(plies, self.best.value, self.best.score)
        self.best = kept if plies else Line()

    def decide(self) -> int:
        """Return the first move of the best line."""
        return self.best.plies[0].move
