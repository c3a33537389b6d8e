"""Matches during training: how strong has it become?

A game for two is played against a fixed opponent, and the win rate counts; a game for one is played
alone, and the score counts.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from athenan._core import Game, ParameterError, SearchSpec, Stop, Stopped
from athenan.arena import (
    OPENINGS,
    EvaluatorFactory,
    Opening,
    SearchPlayerSpec,
    play_alone,
    solo_openings,
    tally_of,
)
from athenan.arena.players import settings_player
from athenan.arena.series import PlaySeries, SeriesSpec, in_turn
from athenan.evaluators import Evaluator, network_evaluator
from athenan.learning.completion import check_plays_by_network
from athenan.learning.settings import Config
from athenan.learning.training import Training
from athenan.networks.network import Network
from athenan.runs.metrics import Line

T = TypeVar("T")
Report = Callable[[int, int], None]
"""Hears how many matches of how many have been played."""


class Examiner(ABC):
    """Plays a series of matches with the learner, with the same openings each time."""

    def __init__(self, config: Config, play: PlaySeries | None = None) -> None:
        self._play = play
        """Who plays the matches, if not this process."""
        settings = self.settings = config.evaluation
        said = config.network.says_of_moves
        check_plays_by_network("evaluation.search", SearchSpec(settings.search), said)
        self.spec = config.selfplay.spec.updated(settings.search)
        _refuse_endless("search", settings.search, self.spec)
        self.game = config.make_game()
        self._openings: list[Opening] = []
        self._report: Report = lambda _played, _total: None

    def examine(
        self, training: Training, stop: Stop, report: Report = lambda _played, _total: None
    ) -> Line | None:
        """Play a series and return its metrics line; None if it was stopped before its end.

        The training must be paused. `report` is called with the number of matches played.
        """
        standing = training.standing
        self._report = report
        try:
            report(0, self.settings.matches)
            self._openings = self._openings or self._drawn(stop)
            found = self._played(training, stop)
        except Stopped:
            return None
        at = {"matches": standing.matches, "seconds": round(standing.seconds, 3)}
        return {"kind": "evaluation"} | at | {"search": str(self.spec)} | found

    @abstractmethod
    def _drawn(self, stop: Stop) -> list[Opening]:
        """Draw the openings of all series."""

    @abstractmethod
    def _played(self, training: Training, stop: Stop) -> Line:
        """Play a series and return what came of it."""

    def _told(self, played: Iterable[T]) -> Iterator[T]:
        """Tell of each match that has been played."""
        for count, each in enumerate(played, 1):
            self._report(count, self.settings.matches)
            yield each

    @property
    def _is_timed(self) -> bool:
        """Whether a clock limits thinking."""
        return self.spec.is_timed

    def _learner(self, training: Training) -> SearchPlayerSpec:
        return SearchPlayerSpec("learner", self.spec, self._values(training))

    def _values(self, training: Training) -> Evaluator | EvaluatorFactory:
        """Return the learner's evaluator with its latest weights, or what makes some.

        Without a clock all matches share that of self-play, and so do those on a GPU, which the
        arena then plays one after the other. With a clock each worker on a CPU has its own.
        """
        if self._play is not None:
            network = copy.deepcopy(training.best_network).cpu()
            return partial(travelling_evaluator, network, self.game)
        shared, device = training.evaluator, training.plan.device
        if shared is not None and (device != "cpu" or not self._is_timed):
            shared.update(training.best_network)
            return shared

        def own(threads: int) -> Evaluator:
            evaluator = network_evaluator(training.best_network, device=device, threads=threads)
            evaluator(self.game.encode(self.game.initial_state().children()))  # the first is slow
            return evaluator

        return own


class Duels(Examiner):
    """Matches against the opponent of the settings."""

    def __init__(self, config: Config, play: PlaySeries | None = None) -> None:
        super().__init__(config, play)
        named = self.settings.opponent
        self.opponent = settings_player(named, "evaluation.opponent").spec(self.game)
        if isinstance(self.opponent, SearchPlayerSpec):
            _refuse_endless("opponent", named, self.opponent.search)

    def _drawn(self, stop: Stop) -> list[Opening]:
        draw = OPENINGS[self.settings.openings]
        return draw(self.game, (self.settings.matches + 1) // 2, 0, stop)

    def _played(self, training: Training, stop: Stop) -> Line:
        players = self._learner(training), self.opponent
        series = SeriesSpec(self.game, *players, self.settings.matches, self._openings)
        played = (self._play or in_turn)([series], stop)
        tally = tally_of(self._told(match for _, match in played))
        counts, (low, high) = tally.counts, tally.interval
        return {
            "opponent": self.settings.opponent,
            "played": counts.matches,
            "wins": counts.wins,
            "draws": counts.draws,
            "losses": counts.losses,
            "win_rate": round(counts.score, 4),
            "low": round(low, 4),
            "high": round(high, 4),
        }

    @property
    def _is_timed(self) -> bool:
        return super()._is_timed or self.opponent.is_timed


class Solos(Examiner):
    """Matches of a game for one: the first from the start, the others from distinct openings."""

    def _drawn(self, stop: Stop) -> list[Opening]:  # noqa: ARG002 (nobody judges them)
        return solo_openings(self.game, self.settings.matches)

    def _played(self, training: Training, stop: Stop) -> Line:
        played = play_alone(
            self.game,
            self._learner(training),
            self.settings.matches,
            openings=self._openings,
            threads=training.plan.threads,
            stop=stop,
        )
        scores = [each.score for each in self._told(played)]
        return {
            "played": len(scores),
            "mean_score": round(sum(scores) / len(scores), 4),
            "best_score": max(scores),
        }


def _refuse_endless(setting: str, text: str, search: SearchSpec) -> None:
    """Refuse a search that only a proof would end."""
    if not search.is_limited:
        own = SearchSpec.names_algorithm(text)
        named = f"{search.name}:" if own else f"{text.partition('@')[0]}@"
        raise ParameterError(
            f"the setting evaluation.{setting} is {text!r}, which has no limit: give it one, as in "
            f"{named}expansions=50"
        )


def travelling_evaluator(network: Network, game: Game, threads: int) -> Evaluator:
    """Return the evaluator of a network that came from another process."""
    evaluator = network_evaluator(network, device="auto", threads=threads)
    evaluator(game.encode(game.initial_state().children()))  # the first is slow
    return evaluator


def make_examiner(config: Config, play: PlaySeries | None = None) -> Examiner | None:
    """Return who plays the evaluation matches, if the settings want some.

    `play` plays those of two players elsewhere.
    """
    settings = config.evaluation
    if not settings.opponent or not (settings.every_minutes or settings.every_matches):
        return None
    alone = config.make_game().datasheet.players == 1
    return Solos(config) if alone else Duels(config, play)
