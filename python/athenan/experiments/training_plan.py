"""A training plan: many models, little time, and who gets the next stretch of it.

[items.hex-11]
game = "hex:size=11"
preset = "fast-hex11"
origin = "hex-11"              # a model to begin with, if any
stretch = 20                   # minutes of training at a time
target = 0.6                   # the score of its evaluation that is wanted
weight = 3                     # how much it matters
settings.evaluation.opponent = "..."

The next stretch goes to the item with the largest expected gain per minute: its weight times what
it may still gain, by the rate of its last stretch as far as the interval of its score allows for
luck. An item that was not measured yet may gain all that it lacks, one that stood still a small
part of it; one that reached its target, or its limit of minutes, gets nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from athenan._core import Error, ParameterError, SearchSpec
from athenan.experiments.checks import refuse_code
from athenan.experiments.results import lines_of
from athenan.learning.completion import complete_config, preset, sentence_of
from athenan.learning.settings import Config, Overrides, Settings, Stop, merged, read_toml
from athenan.zoo import model_file, stated_by
from athenan.zoo.card import in_percent, table

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
NEVER = "–"
DECIDED = {
    "game": "it by the item's game",
    "origin": "it by the item's origin",
    "stop": "how long an item is trained: give a limit, in minutes",
}
"""What the settings of an item may not have, and who decides it."""
SHAPING = ("weights", "round_widths_to", "fit_to_board")
"""Settings of a preset that make a network of another size; a model's stays as it is."""
MIN_SHARE = 0.05
"""Of all that an item lacks: what it may gain though it stood still, so that it is tried again."""


class Item(Settings):
    """A model that is to be trained."""

    game: str = Field(description="with its options, as in hex:size=11")
    preset: str = Field("small", description="the settings to begin with")
    origin: str = Field("", description="a model to begin with: its name or its file")
    settings: Overrides = Field({}, description="what differs from the preset")
    stretch: float = Field(10, gt=0, le=10_000, description="minutes of training at a time")
    limit: float = Field(0, ge=0, description="minutes in all; 0 for no limit")
    target: float = Field(1, gt=0, description="the score of the evaluation that is wanted")
    weight: float = Field(1, gt=0, le=1000, description="how much it matters")

    def config(self, minutes: float) -> Config:
        """Return the settings of its run, which ends after so many minutes."""
        if decided := [name for name in DECIDED if name in self.settings]:
            raise ParameterError(
                f"settings has {decided[0]}, and the plan decides {DECIDED[decided[0]]}"
            )
        given: Overrides = {"game": self.game, "stop": Stop(minutes=minutes).model_dump()}
        given["evaluation"] = {"every_minutes": self.stretch}
        if self.origin:
            file = model_file(self.origin).absolute()
            stated = stated_by(file)
            terminal = SearchSpec(stated.search).options["terminal"]
            given |= {"origin": str(file), "selfplay": {"terminal": terminal}}
            given |= {"network": stated.architecture, **dict.fromkeys(SHAPING, 0)}
        return complete_config(merged(given, self.settings), preset(self.preset))

    def is_measured_by(self, stretch: Stretch) -> bool:
        """Whether a stretch was evaluated, and against the opponent that now counts."""
        wanted = self.settings.get("evaluation", {}).get("opponent", "")
        return stretch.score is not None and stretch.opponent in ("", wanted or stretch.opponent)


class TrainingPlan(Settings):
    """All that is to be trained."""

    side_by_side: int = Field(1, ge=1, le=64, description="trainings at a time")
    items: dict[str, Item] = Field(min_length=1, description="by the name of the model")


class Stretch(Settings):
    """Some minutes of training that an item got, and where it stood afterwards."""

    item: str
    hardware: str = ""
    minutes: float = Field(ge=0, description="of this stretch")
    minutes_in_all: float = Field(ge=0)
    matches: int = Field(ge=0, description="learned in all")
    run_minutes: float = Field(0, ge=0, description="of its run, whatever came before that")
    run_matches: int = Field(0, ge=0, description="likewise")
    opponent: str = ""
    played: int = Field(0, ge=0)
    score: float | None = None
    low: float | None = None
    high: float | None = None


def read_training_plan(path: Path) -> TrainingPlan:
    """Read a plan; whatever is wrong with it, or with an item, is one sentence."""
    if not path.is_file():
        raise ParameterError(f"there is no plan {str(path)!r}")
    try:
        plan = TrainingPlan.model_validate(read_toml(path))
    except ValidationError as mistake:
        raise ParameterError(f"{path}: {sentence_of(mistake, TrainingPlan)}") from None
    for name, item in plan.items.items():
        if not NAME.fullmatch(name):
            raise ParameterError(
                f"{path}: the item {name!r} needs a name of letters, digits, '.', '_', '+' and '-'"
            )
        try:
            refuse_code(item.config(item.stretch))
        except Error as mistake:
            raise ParameterError(f"{path}: {name}: {mistake}") from None
    return plan


def expected_gain(item: Item, spent: Iterable[Stretch]) -> float:
    """Return what a minute of the next stretch is expected to bring; 0 if it gets none.

    >>> item = Item(game="hex:size=5", stretch=10, target=0.8)
    >>> expected_gain(item, [])
    0.1
    >>> first = Stretch(item="a", minutes=10, minutes_in_all=10, matches=9, score=0.4, high=0.5)
    >>> round(expected_gain(item, [first]), 3)
    0.05
    """
    known = list(spent)
    if item.limit and known and known[-1].minutes_in_all >= item.limit:
        return 0.0
    measured = [each for each in known if item.is_measured_by(each)]
    if not measured:
        return item.weight / item.stretch
    last = measured[-1]
    score = last.score or 0.0
    room = max(0.0, 1 - score / item.target)
    rate = room / item.stretch
    if len(measured) > 1 and room > 0:
        before = measured[-2]
        best = last.high if last.high is not None else score
        elapsed = max(last.minutes_in_all - before.minutes_in_all, 1e-6)
        grown = max(0.0, best - (before.score or 0.0)) / item.target / elapsed
        rate = max(MIN_SHARE * rate, min(rate, grown))
    return item.weight * rate


def next_item(
    plan: TrainingPlan, spent: Iterable[Stretch], busy: Collection[str] = ()
) -> str | None:
    """Return who gets the next stretch; None if nobody of those who are free may gain anything."""
    known = list(spent)
    gains = {
        name: expected_gain(item, (each for each in known if each.item == name))
        for name, item in plan.items.items()
        if name not in busy
    }
    name = max(gains, key=lambda each: gains[each], default=None)
    return name if name is not None and gains[name] > 0 else None


def minutes_of_next(plan: TrainingPlan, name: str, spent: Iterable[Stretch]) -> float:
    """Return how long the next stretch of an item is: no longer than its limit allows."""
    item, known = plan.items[name], [each for each in spent if each.item == name]
    left = item.limit - (known[-1].minutes_in_all if known else 0)
    return min(item.stretch, left) if item.limit else item.stretch


def read_ledger(path: Path) -> list[Stretch]:
    """Return all stretches that were ever trained, oldest first."""
    found = []
    for number, data in lines_of(path):
        try:
            found.append(Stretch.model_validate(data))
        except ValueError:
            raise ParameterError(f"{path}, line {number}: this is no stretch of training") from None
    return found


def report(plan: TrainingPlan, spent: Iterable[Stretch]) -> str:
    """Write what was spent and what it brought, in Markdown: the items, and all stretches."""
    known = list(spent)
    by_item: Mapping[str, list[Stretch]] = {
        name: [each for each in known if each.item == name] for name in plan.items
    }
    heads = ("model", "minutes", "matches", "score", "wanted", "against", "gain a minute")
    rows = []
    for name, stretches in by_item.items():
        item, last = plan.items[name], stretches[-1] if stretches else None
        rows.append(
            (
                f"`{name}`",
                f"{last.minutes_in_all:.1f}" if last else "0",
                f"{last.matches:,}" if last else "0",
                _score(last),
                f"{item.target:g}",
                f"`{last.opponent}`" if last and last.opponent else NEVER,
                f"{expected_gain(item, stretches):.4f}",
            )
        )
    parts = ["# What training brought\n", table(heads, rows)]
    if known:
        parts += ["## All stretches\n", table(STRETCHES, [_row(each) for each in known])]
    return "\n".join(parts)


STRETCHES = ("model", "minutes", "in all", "matches", "score", "hardware")


def _row(each: Stretch) -> tuple[str, ...]:
    minutes = f"{each.minutes:.1f}", f"{each.minutes_in_all:.1f}"
    return (f"`{each.item}`", *minutes, f"{each.matches:,}", _score(each), each.hardware)


def _score(stretch: Stretch | None) -> str:
    if stretch is None or stretch.score is None:
        return NEVER
    if stretch.low is None or stretch.high is None:
        return f"{stretch.score:g} in {stretch.played}"
    return f"{in_percent(stretch.score, stretch.low, stretch.high)} of {stretch.played}"
