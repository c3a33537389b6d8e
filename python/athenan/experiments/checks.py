"""What is refused of a plan before anything is trained: all that would fail later, after hours."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from athenan._core import ParameterError, SearchSpec, make_builtin_game
from athenan.arena import SearchPlayerSpec
from athenan.arena.online import search_of
from athenan.arena.players import settings_player
from athenan.games.python_files import is_python_file

if TYPE_CHECKING:
    from athenan.experiments.plan import ExperimentPlan
    from athenan.learning.settings import Config

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+]*")
DECIDED = {"game": "games", "seed": "seed", "stop": "budget"}
"""Settings of every training that the plan decides, and by what."""


def check(plan: ExperimentPlan) -> None:
    """Refuse what cannot be, in one sentence."""
    _check_games(plan)
    _check_names(plan)
    _check_without(plan)
    _check_searches(plan)
    _check_opponents(plan)
    _check_settings(plan)


def _check_games(plan: ExperimentPlan) -> None:
    for game in plan.games:
        if is_python_file(game):
            raise ParameterError(
                f"the game {game!r} is in a Python file, and an experiment trains only games that "
                "come with athenan: use athenan train and athenan compare"
            )
    if len({make_builtin_game(game).id for game in plan.games}) < len(plan.games):
        raise ParameterError("a game is named twice")


def _check_names(plan: ExperimentPlan) -> None:
    contest, names = plan.contest, (*plan.variants, *plan.contest.play)
    for name in names:
        if not NAME.fullmatch(name):
            raise ParameterError(
                f"the variant {name!r} needs a name of letters, digits, '.', '_' and '+'"
            )
    if both := [name for name in names if name in contest.opponents]:
        raise ParameterError(f"{both[0]!r} is the name of a variant and an opponent: rename it")
    _refuse_twice(contest.opponents, "contest.opponents")
    _refuse_twice(contest.fractions, "contest.fractions")


def _refuse_twice(values: Sequence[Hashable], setting: str) -> None:
    for value in values:
        if values.count(value) > 1:
            raise ParameterError(f"{setting} has {value!r} twice")


def _check_without(plan: ExperimentPlan) -> None:
    """Refuse names that would silently leave out nothing, and games with nothing left."""
    for game, names in plan.without.items():
        if game not in plan.games:
            raise ParameterError(f"without names the game {game!r}, which the plan has not")
        if unknown := [name for name in names if name not in plan.variants]:
            raise ParameterError(f"without names the variant {unknown[0]!r}, which is none")
        if not plan.variants_of(game):
            raise ParameterError(f"without leaves no variant for {game}")


def _check_searches(plan: ExperimentPlan) -> None:
    contest = plan.contest
    for text in (contest.budget, *contest.play.values()):
        budget = SearchSpec("ubfm-safe").updated(search_of(text))
        if budget.is_timed or not budget.is_limited:
            raise ParameterError(
                f"the budget of the contest is {text!r}; results must not depend on the load of "
                "the machine: give it as in expansions=50"
            )
        if not budget.algorithm.needs_evaluator:
            raise ParameterError(
                f"the contest plays by {text!r}, which asks no network: all trainings would play "
                "the same; give a budget, as in expansions=50"
            )
    if contest.play and len(plan.variants) > 1:
        raise ParameterError(
            "contest.play compares searches with the networks of one variant, and there are "
            f"{len(plan.variants)}"
        )


def _check_opponents(plan: ExperimentPlan) -> None:
    contest = plan.contest
    for game in map(make_builtin_game, plan.games):
        is_for_one = game.datasheet.players == 1
        for opponent in contest.opponents:
            player = settings_player(opponent, "an opponent").spec(game, contest.budget)
            if player.is_timed:
                raise ParameterError(
                    f"the opponent {opponent!r} has a clock; give it a budget that does not depend "
                    "on the load of the machine"
                )
            if is_for_one and not isinstance(player, SearchPlayerSpec):
                raise ParameterError(f"{opponent!r} is no search: it cannot play {game.id} alone")
        for text in contest.play.values():
            if is_for_one and search_of(text) != text:
                raise ParameterError(f"{text!r} needs an opponent: it cannot play {game.id} alone")


def _says(value: object) -> bool:
    """Whether a setting says anything; limits of 0 take away those of a preset, and say nothing."""
    return any(value.values()) if isinstance(value, Mapping) else value is not None


def _check_settings(plan: ExperimentPlan) -> None:
    if not plan.budget.limits:
        limits = list(type(plan.budget).model_fields)
        raise ParameterError(
            f"the budget has no limit: give {', '.join(limits[:-1])} or {limits[-1]}"
        )
    for owner, settings in (("settings", plan.settings), *plan.variants.items()):
        if decided := [name for name in DECIDED if _says(settings.get(name))]:
            raise ParameterError(
                f"{owner} has {decided[0]}, which is that of no single training: give it as "
                f"{DECIDED[decided[0]]} of the plan"
            )
    for job in plan.jobs(Path()):
        if job.repetition > 0:
            continue
        try:
            refuse_code(plan.config(job))
        except ParameterError as mistake:
            raise ParameterError(f"variant {job.variant} of {job.game}: {mistake}") from None


def refuse_code(config: Config) -> None:
    """Refuse what the processes of a plan would not run."""
    if config.network.code:
        raise ParameterError(
            f"the network {config.network.code!r} is in a Python file, and a plan runs no such "
            "files: use athenan train"
        )
