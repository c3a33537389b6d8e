"""Matches against a fixed opponent during training: how strong has it become?"""

from __future__ import annotations

from athenan._core import SearchSpec, Stop, Stopped
from athenan.arena import (
    OPENINGS,
    EvaluatorFactory,
    Opening,
    SearchPlayerSpec,
    play_matches,
    player,
    tally_of,
)
from athenan.evaluators import Evaluator, network_evaluator
from athenan.learning.completion import check_learns_values
from athenan.learning.settings import Config
from athenan.learning.training import Training
from athenan.runs.metrics import Line


class Examiner:
    """Plays the learner against the opponent of the settings, with the same openings each time."""

    def __init__(self, config: Config) -> None:
        settings = self.settings = config.evaluation
        check_learns_values("evaluation.search", SearchSpec(settings.search))
        self.spec = config.selfplay.spec.updated(settings.search)
        game = config.make_game()
        self.game = game
        self.opponent = player(settings.opponent, game)
        self._openings: list[Opening] = []

    def examine(self, training: Training, stop: Stop) -> Line | None:
        """Play a series and return its metrics line; None if it was stopped before its end.

        The training must be paused.
        """
        standing, matches = training.standing, self.settings.matches
        players = SearchPlayerSpec("learner", self.spec, self._values(training)), self.opponent
        try:
            if not self._openings:
                draw = OPENINGS[self.settings.openings]
                self._openings = draw(self.game, (matches + 1) // 2, 0, stop)
            series = play_matches(self.game, *players, matches, openings=self._openings, stop=stop)
            counts = tally_of(series).counts
        except Stopped:
            return None
        low, high = counts.interval
        return {
            "kind": "evaluation",
            "matches": standing.matches,
            "seconds": round(standing.seconds, 3),
            "opponent": self.settings.opponent,
            "search": str(self.spec),
            "played": counts.matches,
            "wins": counts.wins,
            "draws": counts.draws,
            "losses": counts.losses,
            "win_rate": round(counts.score, 4),
            "low": round(low, 4),
            "high": round(high, 4),
        }

    def _values(self, training: Training) -> Evaluator | EvaluatorFactory:
        """Return the learner's evaluator with its latest weights, or what makes some.

        Without a clock all matches share that of self-play, and so do those on a GPU, which the
        arena then plays one after the other. With a clock each worker on a CPU has its own.
        """
        shared, device = training.evaluator, training.plan.device
        timed = self.opponent.is_timed or self.spec.is_timed
        if shared is not None and (device != "cpu" or not timed):
            shared.update(training.network)
            return shared

        def own(threads: int) -> Evaluator:
            evaluator = network_evaluator(training.network, device=device, threads=threads)
            evaluator(self.game.encode(self.game.initial_state().children()))  # the first is slow
            return evaluator

        return own
