"""Matches against a fixed opponent during training: how strong has it become?"""

from __future__ import annotations

from collections.abc import Callable

from athenan._core import Error, Game, Search
from athenan.arena import OPENINGS, Player, Tally, play_matches, player
from athenan.arena.players import EvaluatorFactory
from athenan.evaluators import Evaluator
from athenan.evaluators.evaluator import Answer, Planes
from athenan.evaluators.network import NetworkEvaluator, network_evaluator
from athenan.learning.settings import Evaluation
from athenan.learning.training import Training
from athenan.runs.metrics import Line


class Examiner:
    """Plays the learner against the opponent of the settings, with the same openings each time."""

    def __init__(self, game: Game, settings: Evaluation, terminal: str) -> None:
        self.game = game
        self.settings = settings
        self.opponent = player(settings.opponent, game)
        self.openings = OPENINGS[settings.openings](game, (settings.matches + 1) // 2, 0)
        separator = "," if ":" in settings.search else ":"
        scale = "" if "terminal=" in settings.search else f"{separator}terminal={terminal}"
        self.search = settings.search + scale
        search = Search(game, self.search)
        if search.wants_policy or not search.needs_evaluator:
            raise Error(
                f"the setting evaluation.search is {settings.search!r}, which does not play by the "
                "values of a network: use ubfm-safe, ubfm, descent, alphabeta, minimax or uct"
            )

    def examine(self, training: Training, stopped: Callable[[], bool]) -> Line | None:
        """Play a series and return its metrics line; None if it was stopped before its end.

        The training must be paused. Its evaluator is given the latest weights.
        """
        matches, seconds = training.counters.matches, training.seconds()
        training.evaluator.update(training.network)
        learner = Player("learner", self.search, evaluator=self._evaluators(training))
        tally = Tally()
        series = play_matches(
            self.game, learner, self.opponent, self.settings.matches, openings=self.openings
        )
        for result in series:
            tally = tally.with_result(result)
            if stopped():
                return None
        counts = tally.counts
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

    def _evaluators(self, training: Training) -> EvaluatorFactory:
        """Return what makes the learner's evaluators.

        Without a clock all matches share one, and so do those on a GPU, which the arena then plays
        one after the other. With a clock each worker on a CPU has its own, of one thread.
        """
        timed = self.opponent.is_timed or Player("learner", self.search).is_timed
        if not timed or training.device.type != "cpu":
            return lambda _threads: _Shared(training.evaluator)

        def own(threads: int) -> Evaluator:
            evaluator = network_evaluator(training.network, device="cpu", threads=threads)
            evaluator(self.game.encode(self.game.initial_state().children()))  # the first is slow
            return evaluator

        return own


class _Shared:
    """The training's own evaluator, which the arena may not close."""

    def __init__(self, evaluator: NetworkEvaluator) -> None:
        self._evaluator = evaluator
        self.device = evaluator.device

    def __call__(self, planes: Planes) -> Answer:
        return self._evaluator(planes)
