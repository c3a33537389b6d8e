"""Proofs beside a search that proves nothing, such as MCTS.

Completed best-first search without any values finds what is decided close by: wins, losses and
draws that random playouts only make probable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from athenan._core import Budget, Search, SearchSpec, State, Stop
from athenan.analysis.judgement import Candidate, Judgement

EXPANSIONS = 400
"""Of a proof; a small part of what a search of MCTS costs."""
MEMORY_MB = 64


@dataclass(frozen=True)
class Proofs:
    """What is proven of a state and of its moves, for the first player."""

    outcome: int | None
    best_move: str
    moves: dict[str, int]


def is_needed(spec: SearchSpec, state: State) -> bool:
    """Say whether a search would leave unsaid what could be proven."""
    proves = "completion" in spec.options or "depth" in spec.options
    has_values = spec.algorithm.needs_evaluator or "rollouts" in spec.options
    return not proves and has_values and state.game.datasheet.players == 2


def proofs_of(state: State, stop: Stop) -> Proofs:
    """Try to prove the outcome of a state and of its moves."""
    spec = SearchSpec("ubfm-safe").with_(memory_mb=MEMORY_MB)
    search = Search(state.game, spec)
    search.begin(state, Budget(expansions=EXPANSIONS))
    search.run_fake(0, stop)
    return Proofs(
        search.root_completion if search.root_resolved else None,
        state.move_to_string(search.decide()),
        {
            state.move_to_string(each.move): each.completion
            for each in search.root_moves
            if each.resolved
        },
    )


def with_proofs(judgement: Judgement, proofs: Proofs) -> Judgement:
    """Return a judgement that knows what is proven; a proof goes before a value."""
    sign = -1 if judgement.state.to_move else 1
    candidates = [_proven(each, proofs.moves.get(each.move)) for each in judgement.candidates]
    best = judgement.best_move
    known = {each.move: each.proven_outcome for each in candidates}
    if proofs.outcome is not None and known.get(best or "") != proofs.outcome:
        best = proofs.best_move
    elif best is not None and known[best] == -sign:  # a loss, and something else is open
        open_moves = [each.move for each in candidates if each.proven_outcome != -sign]
        best = open_moves[0] if open_moves else best
    candidates.sort(key=lambda each: (each.move != best, -sign * (each.proven_outcome or 0)))
    proven = judgement.proven_outcome if proofs.outcome is None else proofs.outcome
    chance = judgement.win_probability if proven is None else (proven + 1) / 2
    return replace(
        judgement,
        best_move=best,
        proven_outcome=proven,
        win_probability=chance,
        candidates=tuple(candidates),
    )


def _proven(candidate: Candidate, outcome: int | None) -> Candidate:
    if outcome is None:
        return candidate
    return replace(candidate, proven_outcome=outcome, win_probability=(outcome + 1) / 2)
