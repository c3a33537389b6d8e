"""The plan of an experiment: a TOML file that says what is compared, and how.

games = ["hex:size=5", "othello:size=6"]
repetitions = 3

[budget]                      # of each training; the stop.* of its settings
evaluations = 2_000_000

[settings]                    # of every variant
learning.batch_size = 128

[variants.plain]              # the first variant is the zero of the scale
[variants.averaged]
learning.averaging = 100_000

[sweep]                       # and a variant for each combination of some values
learning.batch_size = [64, 128]

[contest]
budget = "expansions=50"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, ValidationError

from athenan._core import Error, ParameterError
from athenan.experiments.checks import check
from athenan.experiments.sweeps import swept
from athenan.learning.completion import complete_config, method, preset, sentence_of
from athenan.learning.settings import Config, Overrides, Settings, Stop, merged, read_toml
from athenan.runs import Run

QUIET: Overrides = {"evaluation": {"opponent": "", "every_minutes": 0, "every_matches": 0}}


class ContestSettings(Settings):
    """The matches between trainings."""

    budget: str = Field("expansions=50", description="of each move, for both sides")
    matches: int = Field(
        20, ge=2, le=100_000, multiple_of=2, description="of each pair of trainings"
    )
    openings: Literal["random", "balanced"] = Field(
        "random", description="random, or the most even of them"
    )
    play: dict[str, str] = Field(
        {},
        description="searches that each training plays itself with, by name, in the place of "
        "the variants: what a search is worth, with the same networks; also online and a search",
    )
    fractions: tuple[Annotated[float, Field(gt=0, le=1)], ...] = Field(
        (1.0,), min_length=1, max_length=100, description="of the training, whose models play"
    )
    pairings: Literal["all", "first"] = Field(
        "all", description="all variants meet each other, or only the first one"
    )
    earlier: Literal["all", "opponents"] = Field(
        "all", description="whom models of earlier fractions than the last one meet"
    )
    opponents: tuple[str, ...] = Field((), description="players that every training meets too")


class ExperimentPlan(Settings):
    """What is compared, and how."""

    games: tuple[str, ...] = Field(min_length=1, description="the games, with their options")
    variants: dict[str, Overrides] = Field(
        min_length=1, description="settings that differ; also preset, and method"
    )
    without: dict[str, tuple[str, ...]] = Field(
        {}, description="by game, the variants that make no sense there"
    )
    repetitions: int = Field(3, ge=1, le=1000, description="trainings of each variant and game")
    seed: int = Field(0, ge=0, lt=1 << 63, description="the seed of all seeds")
    preset: str = Field("small", description="the settings that all variants begin with")
    settings: Overrides = Field({}, description="settings of all variants")
    budget: Stop = Field(description="of each training")
    at_a_time: int = Field(
        0, ge=0, le=1000, description="trainings side by side; 0: one per core, or one on a GPU"
    )
    contest: ContestSettings = Field(ContestSettings(), description="the matches between them")

    def jobs(self, folder: Path) -> Iterator[Job]:
        """Yield all trainings: repetition by repetition, so that each stage is a whole result."""
        for repetition in range(self.repetitions):
            for game in self.games:
                for variant in self.variants_of(game):
                    yield Job(game, variant, repetition, folder / "runs")

    def variants_of(self, game: str) -> list[str]:
        """Return the variants that are trained for a game."""
        return [name for name in self.variants if name not in self.without.get(game, ())]

    def entrants_of(self, game: str) -> list[str]:
        """Return what the matches of a game compare: variants, or searches of one variant."""
        return list(self.contest.play) or self.variants_of(game)

    @property
    def terms(self) -> str:
        """With what the matches are played: results with other terms are not of this plan."""
        contest = self.contest
        searches = ", ".join(f"{name}: {search}" for name, search in contest.play.items())
        return f"{searches or contest.budget}; {contest.openings} openings; seed {self.seed}"

    def config(self, job: Job) -> Config:
        """Return the settings of a training."""
        variant = dict(self.variants[job.variant])
        base = preset(str(variant.pop("preset", self.preset)))
        base = merged(base, method(str(variant.pop("method", "athenan"))))
        number = list(self.variants).index(job.variant)
        seeds = np.random.SeedSequence([self.seed, number, job.repetition])
        own: Overrides = {
            "game": job.game,
            "seed": int(seeds.generate_state(1)[0]),
            "stop": self.budget.model_dump(),
            "checkpoints": {"snapshots": sorted(self.contest.fractions), "keep": 1},
        }
        usual = merged(merged(base, QUIET), self.settings)
        return complete_config(merged(variant, own), usual)


@dataclass(frozen=True)
class Job:
    """One training of an experiment."""

    game: str
    variant: str
    repetition: int
    folder: Path

    @property
    def run(self) -> Run:
        """Where it is trained."""
        game = self.game.replace(":", "-").replace("=", "").replace(",", "-")
        return Run(self.folder / game / f"{self.variant}-{self.repetition + 1}")

    @property
    def name(self) -> str:
        """What a person calls it."""
        return f"{self.game} {self.variant} {self.repetition + 1}"


def read_plan(path: Path) -> ExperimentPlan:
    """Read a plan; whatever is wrong with it, or with a variant, is one sentence."""
    if not path.is_file():
        raise ParameterError(f"there is no plan {str(path)!r}")
    return plan_of(read_toml(path), str(path))


def plan_of(data: Overrides, source: str) -> ExperimentPlan:
    """Return the plan that some data describe; `source` is named where they are wrong."""
    try:
        plan = ExperimentPlan.model_validate(_with_sweep(data))
        check(plan)
    except ValidationError as mistake:
        raise ParameterError(f"{source}: {sentence_of(mistake, ExperimentPlan)}") from None
    except Error as mistake:
        raise ParameterError(f"{source}: {mistake}") from None
    return plan


def _with_sweep(data: Overrides) -> Overrides:
    """Return a plan with the variants of its sweep after the others."""
    if "sweep" not in data:
        return data
    others = {name: value for name, value in data.items() if name != "sweep"}
    named, found = others.get("variants", {}), swept(data["sweep"])
    if not isinstance(named, Mapping):
        return others  # which is refused for its variants
    if both := sorted(named.keys() & found.keys()):
        raise ParameterError(f"the variant {both[0]!r} is also one of the sweep: rename it")
    return others | {"variants": {**named, **found}}
