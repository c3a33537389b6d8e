"""Matches against a fixed opponent during training: how strong has it become?"""

from __future__ import annotations

from athenan._core import Game
from athenan.arena import Player, play_matches, player, tally_of
from athenan.evaluators.evaluator import Answer, Planes
from athenan.evaluators.network import NetworkEvaluator
from athenan.learning.settings import Evaluation
from athenan.runs.metrics import Line


class Examiner:
    """Plays the learner against the opponent of the settings, with the same openings each time."""

    def __init__(self, game: Game, settings: Evaluation, terminal: str) -> None:
        self.game = game
        self.settings = settings
        self.opponent = player(settings.opponent, game)
        separator = "," if ":" in settings.search else ":"
        scale = "" if "terminal=" in settings.search else f"{separator}terminal={terminal}"
        self.search = settings.search + scale

    def examine(self, evaluator: NetworkEvaluator, matches: int, seconds: float) -> Line:
        """Play a series and return its metrics line. `matches` is how many were learned so far."""
        learner = Player("learner", self.search, evaluator=lambda _threads: _Shared(evaluator))
        series = play_matches(self.game, learner, self.opponent, self.settings.matches)
        counts = tally_of(series).counts
        low, high = counts.interval
        return {
            "kind": "evaluation",
            "matches": matches,
            "seconds": round(seconds, 3),
            "opponent": self.settings.opponent,
            "search": self.search,
            "played": counts.matches,
            "wins": counts.wins,
            "draws": counts.draws,
            "losses": counts.losses,
            "win_rate": round(counts.score, 4),
            "low": round(low, 4),
            "high": round(high, 4),
        }


class _Shared:
    """The learner's own evaluator, which the arena may not close."""

    def __init__(self, evaluator: NetworkEvaluator) -> None:
        self._evaluator = evaluator

    def __call__(self, planes: Planes) -> Answer:
        return self._evaluator(planes)
