"""A match judged move by move, in slices: one position in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from athenan._core import State, Stop
from athenan.analysis import JudgedMove, Judgement, MatchAnalysis, judge, judged_match
from athenan.web.analysis import finite
from athenan.web.bench import Bench, Thinker

SECONDS = 0.15  # per position
SHOWN_PLIES = 8


@dataclass(eq=False)
class Review:
    """The judgement of a whole match; `__call__` judges one more position."""

    thinker: Thinker
    states: Sequence[State]
    moves: Sequence[str]
    heard: Callable[[dict[str, Any]], None]
    judgements: list[Judgement] = field(default_factory=list)

    def __call__(self, bench: Bench, stop: Stop) -> bool:
        """Judge one more position; tell whether there are others."""
        if stop.requested:
            return False
        state = self.states[len(self.judgements)]
        spec = bench.spec(self.thinker.model, state.game, f"seconds={SECONDS}")
        evaluator = bench.evaluator(self.thinker.model, state.game)
        self.judgements += judge([state], spec, evaluator, stop=stop)
        if len(self.judgements) < len(self.states):
            done, total = len(self.judgements), len(self.states)
            self.heard({"is": "progress", "done": done, "total": total})
            return True
        found = judged_match(self.states, self.moves, self.judgements)
        self.heard(
            {
                "is": "review",
                "values": [finite(each.value) for each in self.judgements],
                "mistakes": mistakes_of(found),
                "mean_loss": [round(found.mean_loss(side), 4) for side in (0, 1)],
            }
        )
        return False


def mistakes_of(found: MatchAnalysis) -> list[dict[str, Any]]:
    """Return the mistakes of a match, ready for JSON."""
    return [_mistake(each) for each in found.mistakes]


def _mistake(judged: JudgedMove) -> dict[str, Any]:
    better = judged.better
    return {
        "ply": judged.ply,
        "player": judged.player,
        "move": judged.move,
        "loss": finite(judged.loss),
        "lost_outcome": judged.lost_outcome,
        "proven": judged.after.proven_outcome,
        "better": better.move if better else None,
        "line": list(better.line[:SHOWN_PLIES]) if better else [],
    }
