"""The experiments of the paper, as data: plans of several sizes, and what was published.

Each file of `paper/` is a plan, what differs in its sizes, and the tables that are read off it. To
add one, add a file: nothing here names them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from athenan._core import ParameterError, SearchSpec
from athenan.experiments.plan import ExperimentPlan, plan_of
from athenan.learning.completion import sentence_of
from athenan.learning.settings import Overrides, Settings, merged, read_toml

Size = Literal["tiny", "small", "paper"]
SIZES: tuple[Size, ...] = ("tiny", "small", "paper")
FOLDER = Path(str(files("athenan.experiments") / "paper"))


class Claim(Settings):
    """That one variant is better than another, as the paper says in words or by one number."""

    better: str
    worse: str
    games: tuple[str, ...] = Field(
        (), description="where: on any board, or on one as in hex:size=13; empty: on average"
    )
    gain: float = Field(0, description="in points of percent, where it is printed")
    radius: float = Field(0, ge=0, description="of its interval, where it is printed")
    text: str = Field(description="what is printed")


class Against(Settings):
    """A published result against another program."""

    program: str
    score: float = Field(ge=0, le=100, description="percent, a draw being half a win")
    radius: float = Field(0, ge=0)
    matches: int = Field(ge=0)
    text: str = Field(description="under which conditions")


class Table(Settings):
    """A table or a figure of the paper, read off the results of a plan."""

    item: str = Field(description="what the paper calls it")
    question: str
    variants: tuple[str, ...] = Field((), description="that it compares; empty: all of the plan")
    published: dict[str, dict[str, float]] = Field(
        {}, description="percentages by game, and by variant; mean is the mean over its games"
    )
    radius: float = Field(0, ge=0, description="the largest published radius of an interval")
    claims: tuple[Claim, ...] = ()
    against: tuple[Against, ...] = ()
    best_score: float = Field(0, description="published, in a game for one")
    note: str = Field("", description="how the paper's conditions and these differ")


class Source(Settings):
    """A file of `paper/`."""

    plan: Overrides
    sizes: dict[Size, Overrides]
    tables: dict[str, Table] = Field(min_length=1)


class Reproduction(Settings):
    """A table of the paper at one size."""

    name: str
    size: Size
    source: str = Field(description="the name of its file, which other tables may share")
    table: Table
    plan: ExperimentPlan

    @property
    def folder(self) -> Path:
        """Where it is kept by default; tables of one plan share their trainings."""
        return Path("experiments") / f"{self.source}-{self.size}"

    @property
    def has_curves(self) -> bool:
        """Whether models of several moments of the training meet opponents."""
        return len(self.plan.contest.fractions) > 1 and bool(self.plan.contest.opponents)

    def variants_in(self, game: str) -> list[str]:
        """Return the variants that the table compares in a game."""
        chosen = self.table.variants or self.plan.entrants_of(game)
        return [name for name in self.plan.entrants_of(game) if name in chosen]


@cache
def _sources() -> dict[str, Source]:
    found = {}
    for file in sorted(FOLDER.glob("*.toml")):
        try:
            found[file.stem] = Source.model_validate(read_toml(file))
        except ValidationError as mistake:
            raise ParameterError(f"{file}: {sentence_of(mistake, Source)}") from None
    return found


def reproductions() -> dict[str, tuple[str, Table]]:
    """Return all tables by name, each with the file that it is in."""
    return {
        name: (source, table)
        for source, each in _sources().items()
        for name, table in each.tables.items()
    }


def reproduction(name: str, size: Size) -> Reproduction:
    """Return a table of the paper at a size."""
    known = reproductions()
    if name not in known:
        raise ParameterError(f"there is no reproduction {name!r}; accepted are {', '.join(known)}")
    source, table = known[name]
    each = _sources()[source]
    if size not in each.sizes:
        raise ParameterError(f"{name} has no size {size!r}; accepted are {', '.join(each.sizes)}")
    data = merged(each.plan, each.sizes[size])
    if per_move := data.pop("per_move", None):
        data = _with_budget(data, str(per_move))
    plan = plan_of(data, f"{source}.toml, size {size}")
    return Reproduction(name=name, size=size, source=source, table=table, plan=plan)


def _with_budget(data: Overrides, budget: str) -> Overrides:
    """Give every search of self-play that has no limit the budget of a move."""

    def limited(settings: Overrides) -> Overrides:
        search = settings.get("selfplay", {}).get("search")
        if not search or SearchSpec(search).is_limited:
            return settings
        comma = "," if ":" in search else ":"
        return merged(settings, {"selfplay": {"search": f"{search}{comma}{budget}"}})

    variants = {name: limited(each) for name, each in data["variants"].items()}
    return data | {"settings": limited(data.get("settings", {})), "variants": variants}
