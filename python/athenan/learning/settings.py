"""The settings of a learning process: one typed tree with a sentence per field.

Unknown names and impossible values are refused with the field's name and what is accepted. A
complete tree makes a run reproducible; TOML files and `--set a.b=c` hold only overrides.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from athenan._core import Mind, ParameterError, Selection
from athenan.games import make_game
from athenan.networks.architecture import Architecture
from athenan.searches import Search, terminal_evaluations

Overrides = dict[str, Any]
LIMITS = ("seconds", "expansions", "evaluations", "iterations", "depth")  # of a search


class Settings(BaseModel):
    """A branch of the tree: immutable, unknown names refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class SelfPlay(Settings):
    """How matches are played."""

    search: str = Field("descent:expansions=50", description="search and budget of each move")
    terminal: str = Field("classic", description="terminal evaluation (reinforcement heuristic)")
    selection: str = Field(
        "ordinal:schedule=uniform", description="distribution that chooses the move to play"
    )
    matches: int = Field(
        0, ge=0, le=65536, description="matches played at a time; 0 measures what suits the machine"
    )
    random_moves: int = Field(
        0,
        ge=0,
        le=1000,
        description="a match begins with up to so many random moves, each number as likely",
    )
    resolved_memory: bool = Field(
        False, description="keep proven states from match to match, and consult them"
    )
    forget_hours: float = Field(
        0, ge=0, description="empty the memory of resolved states so often; 0 for never"
    )
    forget_matches: int = Field(0, ge=0, description="the same, counted in matches")

    def search_text(self) -> str:
        """Return the search with its terminal evaluation."""
        return self.search + ("," if ":" in self.search else ":") + f"terminal={self.terminal}"


class Replay(Settings):
    """What a learning phase draws from past matches."""

    kind: Literal["experience", "stratified"] = Field(
        "stratified", description="experience replay, or stratified experience replay"
    )
    unit: Literal["pairs", "matches"] = Field(
        "matches", description="what the memory of experience replay counts"
    )
    size: int = Field(100, ge=1, description="μ: matches kept, or pairs with the unit pairs")
    sampling: float = Field(
        0.05, gt=0, le=1, description="σ of experience replay: part of the memory learned per phase"
    )
    duplication: float = Field(
        3, gt=0, le=100, description="δ of stratified replay: how often a state is learned"
    )


class Adam(Settings):
    """The optimiser."""

    learning_rate: float = Field(1e-3, gt=0, le=1, description="λ of Adam")
    final_share: float = Field(
        1,
        gt=0,
        le=1,
        description="part of the learning rate left at the end; falls evenly by ratio",
    )
    beta1: float = Field(0.9, ge=0, lt=1, description="decay of the mean gradient")
    beta2: float = Field(0.999, ge=0, lt=1, description="decay of the mean squared gradient")
    epsilon: float = Field(1e-7, gt=0, le=1, description="added to the denominator")


class Learning(Settings):
    """What is learned from a match, and how."""

    data: Literal["tree", "root", "terminal"] = Field(
        "tree", description="the whole tree, the match, or the match with its final value"
    )
    symmetry: bool = Field(True, description="add one random symmetric copy of each state")
    replay: Replay = Field(Replay(), description="experience replay")
    batch_size: int = Field(256, ge=1, le=1 << 20, description="B: states per minibatch")
    adam: Adam = Field(Adam(), description="the optimiser")
    l2: float = Field(1e-4, ge=0, le=1, description="weight of Σw² over the kernels in the loss")
    pretraining: int = Field(
        0, ge=0, description="final states of random matches learned before the first match"
    )


class Evaluation(Settings):
    """Matches against a fixed opponent during training."""

    opponent: str = Field(
        "mcts:iterations=200",
        description="a search, random, a model file or a run; empty for no evaluation",
    )
    search: str = Field("ubfm-safe:expansions=50", description="how the learner plays them")
    matches: int = Field(40, ge=2, le=100_000, description="matches per evaluation")
    openings: Literal["random", "balanced"] = Field(
        "random", description="any openings, or those that base MCTS finds most even"
    )
    every_minutes: float = Field(0, ge=0, description="time between evaluations; 0 for none")
    every_matches: int = Field(0, ge=0, description="matches learned between evaluations")


class Checkpoints(Settings):
    """How often everything is saved."""

    every_minutes: float = Field(5, ge=0, description="time between checkpoints; 0 for none")
    every_matches: int = Field(0, ge=0, description="matches between checkpoints; 0 for none")
    keep: int = Field(2, ge=1, le=10_000, description="checkpoints kept")


class Stop(Settings):
    """When the learning process ends: t_max. Both 0: when it is interrupted."""

    minutes: float = Field(0, ge=0, description="time of training; 0 for no limit")
    matches: int = Field(0, ge=0, description="matches of training; 0 for no limit")


class Hardware(Settings):
    """Where it runs."""

    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="where networks are run")
    precision: Literal["auto", "float32", "float16", "bfloat16"] = Field(
        "auto", description="of self-play: float32 on a CPU, float16 on a GPU"
    )
    backend: Literal["auto", "onnxruntime", "openvino", "torch"] = Field(
        "auto", description="what runs networks on a CPU: the fastest by measurement, or this one"
    )
    threads: int = Field(0, ge=0, le=1024, description="CPU threads; 0 for all cores")
    deterministic: bool = Field(
        False,
        description="same seed, same weights: needs limits in matches and budgets not in seconds",
    )


class Config(Settings):
    """A whole learning process."""

    game: str = Field(description="the game with its options, as in hex:size=11")
    seed: int = Field(0, ge=0, lt=1 << 63, description="all randomness comes from it")
    network: Architecture = Field(Architecture(), description="the adaptive evaluation function")
    weights: float = Field(
        0, ge=0, le=1e10, description="size the network to this many weights; 0 as described"
    )
    selfplay: SelfPlay = Field(SelfPlay(), description="how matches are played")
    learning: Learning = Field(Learning(), description="what is learned, and how")
    evaluation: Evaluation = Field(Evaluation(), description="matches against an opponent")
    checkpoints: Checkpoints = Field(Checkpoints(), description="how often everything is saved")
    stop: Stop = Field(Stop(), description="when the learning process ends")
    hardware: Hardware = Field(Hardware(), description="where it runs")


def make_config(overrides: Mapping[str, Any]) -> Config:
    """Return the checked settings; a mistake is one sentence that names the field."""
    try:
        config = Config.model_validate(overrides)
    except ValidationError as mistake:
        raise ParameterError(_sentence(mistake)) from None
    _check_against_game(config)
    return config


def merged(base: Mapping[str, Any], overrides: Mapping[str, Any]) -> Overrides:
    """Return `base` with the values of `overrides`, branch by branch."""
    out = dict(base)
    for name, value in overrides.items():
        inner = out.get(name)
        both = isinstance(value, Mapping) and isinstance(inner, Mapping)
        out[name] = merged(inner, value) if both else value  # type: ignore[arg-type]
    return out


def parse_assignments(assignments: Iterable[str]) -> Overrides:
    """Read `learning.batch_size=128` and the like; values are TOML, or plain text."""
    out: Overrides = {}
    for text in assignments:
        path, equals, value = text.partition("=")
        if not equals or not path.strip():
            raise ParameterError(
                f"the setting {text!r} is not of the form name=value, as in learning.batch_size=128"
            )
        branch: Overrides = {path.split(".")[-1].strip(): _value(value.strip())}
        for name in reversed(path.split(".")[:-1]):
            branch = {name.strip(): branch}
        out = merged(out, branch)
    return out


def read_toml(path: Path) -> Overrides:
    """Read a settings file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as mistake:
        raise ParameterError(f"{path} is not a TOML file: {mistake}") from None


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _sentence(mistake: ValidationError) -> str:
    first = mistake.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return (
            f"there is no setting {where}; accepted are {', '.join(_fields_beside(first['loc']))}"
        )
    if first["type"] == "missing":
        return f"the setting {where} is missing"
    return f"the setting {where} is {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}"


def _fields_beside(location: tuple[int | str, ...]) -> list[str]:
    branch: type[BaseModel] = Config
    for name in location[:-1]:
        found = branch.model_fields[str(name)].annotation
        assert isinstance(found, type)
        branch = found
    return list(branch.model_fields)


def _check_against_game(config: Config) -> None:
    """Refuse a search, selection or terminal evaluation that makes no sense for the game."""
    game = make_game(config.game)
    if config.selfplay.terminal not in (accepted := terminal_evaluations(game)):
        raise ParameterError(
            f"the setting selfplay.terminal is {config.selfplay.terminal!r}; for {game.name} "
            f"accepted is one of {', '.join(accepted)}"
        )
    Selection(config.selfplay.selection)
    _check_search(config.selfplay.search)
    search = Search(game, config.selfplay.search_text())
    if search.wants_policy or not search.needs_evaluator:
        raise ParameterError(
            f"the setting selfplay.search is {config.selfplay.search!r}; a search that learns by a "
            "value network is needed: descent, ubfm, ubfm-safe, alphabeta, minimax or uct"
        )
    if config.network.policy:
        raise ParameterError("the setting network.policy must be false: values alone are learned")
    if config.hardware.deterministic:
        _check_deterministic(config)


def _check_search(search: str) -> None:
    """Refuse a search that might never end, and one on another scale than the rest."""
    options = dict(item.split("=", 1) for item in Mind(search).search.partition(":")[2].split(","))
    if "terminal=" in search:
        raise ParameterError(
            f"the setting selfplay.search is {search!r}: give the terminal evaluation as "
            "selfplay.terminal, for pre-training and evaluation need it too"
        )
    if not any(float(options.get(name, 0)) for name in LIMITS):
        raise ParameterError(
            f"the setting selfplay.search is {search!r}, which has no limit: give it one, as in "
            f"{search.partition(':')[0]}:expansions=50"
        )


def _check_deterministic(config: Config) -> None:
    timed = {
        "stop.minutes": config.stop.minutes,
        "checkpoints.every_minutes": config.checkpoints.every_minutes,
        "selfplay.forget_hours": config.selfplay.forget_hours,
        "seconds in selfplay.search": "seconds=" in config.selfplay.search,
    }
    for name, value in timed.items():
        if value:
            raise ParameterError(
                f"a deterministic run cannot depend on the clock: {name} must be 0; count in "
                "matches and expansions instead"
            )
