"""The plan of a tournament, from the options of the command or from a TOML file.

game = "hex:size=7"
matches = 40
time = "5+0.1"

[players]
strong = "mcts:iterations=400"
weak = "mcts:iterations=100"
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from athenan._core import Error, did_you_mean
from athenan.arena.tournament import Form


class Plan(BaseModel):
    """What a tournament is made of; each name is that of an option of `athenan tournament`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    players: dict[str, str]
    """Texts by the names that tables show."""
    game: str | None = None
    matches: Annotated[int, Field(ge=1, le=10**5)] = 20
    form: Form = "round-robin"
    seconds: Annotated[float | None, Field(ge=0.001, le=1e6)] = None
    expansions: Annotated[int | None, Field(ge=1, le=10**12)] = None
    openings: str = "random"
    seed: Annotated[int, Field(ge=0, le=2**63)] = 0
    workers: Annotated[int, Field(ge=0, le=1024)] = 0
    time: str | None = None
    margin: Annotated[float | None, Field(ge=0, le=1e6)] = None
    adjudicate: list[str] = []
    faults: Literal["void", "lose"] = "void"
    save: Path | None = None

    @field_validator("players", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        """Take a list of texts, which are their own names, for a table."""
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            if len(set(value)) < len(value):
                raise ValueError("a player is named twice: give each a name of its own")
            return {text: text for text in value}
        return value


def read_plan(path: Path, given: Plan) -> Plan:
    """Read a plan; what the file does not name is as the options of the command say."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise Error(f"{path} is not a TOML file: {problem}") from None
    others = given.model_dump(exclude={"players"})
    try:
        return Plan.model_validate({**others, **data})
    except ValidationError as problem:
        raise Error(f"{path}: {_sentence_of(problem)}") from None


def _sentence_of(problem: ValidationError) -> str:
    """Say what is wrong with a plan, and what is accepted."""
    first, known = problem.errors()[0], list(Plan.model_fields)
    where = ".".join(map(str, first["loc"])) or "players"
    if first["type"] == "extra_forbidden":
        return f"there is no {where!r}{did_you_mean(where, known)}; a plan has {', '.join(known)}"
    if where == "players" and first["type"] in ("missing", "dict_type"):
        return "players is a list of players, or a table with a name for each"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"
