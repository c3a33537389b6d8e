"""The settings of a learning process: one typed tree with a sentence per field.

A complete tree makes a run reproducible; TOML files and `--set a.b=c` hold only overrides, of which
`completion.complete_config` makes one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from athenan._core import Game, Mind, ParameterError, SearchSpec
from athenan.evaluators.backends import BACKENDS
from athenan.games import recorded_game
from athenan.networks.architecture import Architecture

Overrides = dict[str, Any]
MAX_TOML = 50_000  # characters


def one_of(*names: str, also: str = "") -> Callable[[str], str]:
    """Return a check that a text is one of some names, or begins with another one."""

    def check(text: str) -> str:
        if text not in names and not (also and text.startswith(also)):
            raise ValueError(f"accepted are {', '.join(names)}{also and f', {also}1 ...'}")
        return text

    return check


Device = Annotated[str, AfterValidator(one_of("auto", "cpu", "cuda", also="cuda:"))]
Backend = Annotated[str, AfterValidator(one_of("auto", *dict.fromkeys(b.name for b in BACKENDS)))]
Precision = Annotated[
    str, AfterValidator(one_of("auto", *dict.fromkeys(p for b in BACKENDS for p in b.precisions)))
]


class Settings(BaseModel):
    """A branch of the tree: immutable, unknown names refused.

    With the limit of their length, texts that are no Unicode are refused too.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, str_max_length=1 << 16
    )


class SelfPlay(Settings):
    """How matches are played."""

    search: str = Field("descent:expansions=50", description="search and budget of each move")
    expert: str = Field(
        "",
        description="expert iteration: this search thinks about one state of each match, and only "
        "that state is learned; empty: what each search finds is learned",
    )
    chooser: str = Field(
        "",
        description="a second search of each state, which chooses the moves, as in "
        "ubfm:expansions=15; what `search` finds is learned; empty: `search` does "
        "both",
    )
    terminal: str = Field(
        "auto", description="terminal evaluation (reinforcement heuristic); auto suits the game"
    )
    selection: str = Field(
        "ordinal:schedule=uniform",
        description="distribution that chooses the move to play; search: the move that the search "
        "decides on",
    )
    matches: int = Field(
        0, ge=0, le=65536, description="matches played at a time; 0 measures what suits the machine"
    )
    random_moves: int = Field(
        0,
        ge=0,
        le=1000,
        description="each match opens with N random moves; N is drawn uniformly from 0 to this "
        "number",
    )
    networks: Literal[1, 2] = Field(
        1,
        description="2: two networks play against each other, and each learns from its own "
        "searches; the first one is the model",
    )
    averaged: bool = Field(
        False, description="play with the averaged weights of learning.averaging, not the latest"
    )
    resolved_memory: bool = Field(
        False, description="keep a table of solved states from match to match"
    )
    forget_hours: float = Field(
        0, ge=0, description="hours between clearings of the solved-state table; 0 for never"
    )
    forget_matches: int = Field(
        0, ge=0, description="matches between clearings of the solved-state table; 0 for never"
    )
    forget_states: int = Field(
        10_000_000,
        ge=1,
        le=1 << 32,
        description="states that the solved-state table holds at most: it is cleared once it "
        "holds so many",
    )

    @property
    def spec(self) -> SearchSpec:
        """The search with its terminal evaluation."""
        return SearchSpec(self.search).updated(f"terminal={self.terminal}")

    @property
    def mind(self) -> Mind:
        """What plays: the search, and how it selects its move."""
        return Mind(self.spec, self._drawing)

    @property
    def chooser_mind(self) -> Mind | None:
        """The search that chooses the moves instead of the mind, if there is one."""
        return Mind(self.choosing_spec, self._drawing) if self.chooser else None

    @property
    def _drawing(self) -> str | None:
        return None if self.selection == "search" else self.selection

    @property
    def expert_mind(self) -> Mind | None:
        """Who labels a state of each match, if anybody does."""
        return Mind(self.thinking_spec) if self.expert else None

    @property
    def thinking_spec(self) -> SearchSpec:
        """The search that most of the work goes into: the expert's, if there is one."""
        return self.spec.updated(self.expert) if self.expert else self.spec

    @property
    def choosing_spec(self) -> SearchSpec:
        """The search that chooses the moves."""
        return self.spec.updated(self.chooser) if self.chooser else self.spec

    @property
    def playing_spec(self) -> SearchSpec:
        """The search that plays best with what this one learns, without a budget."""
        name = self.thinking_spec.name
        better = {"descent": "ubfm-safe", "ubfm": "ubfm-safe", "minimax": "alphabeta"}
        return self.spec.updated(better.get(name, name))


class Replay(Settings):
    """What a learning phase draws from past matches."""

    kind: Literal["experience", "stratified", "growing"] = Field(
        "stratified",
        description="experience: plain experience replay; stratified: stratified replay; growing: "
        "at intervals, a new network learns everything, until it no longer improves "
        "on what is held out",
    )
    unit: Literal["pairs", "matches"] = Field(
        "matches", description="what the size of plain experience replay counts"
    )
    size: int = Field(100, ge=1, description="μ: how many matches (or pairs) are kept")
    sampling: float = Field(
        0.05, gt=0, le=1, description="σ of plain replay: fraction of the memory learned per match"
    )
    duplication: float = Field(
        3, gt=0, le=100, description="δ of stratified replay: how often each state is learned"
    )
    every: int = Field(
        100, ge=1, description="matches from one learning phase of growing replay to the next"
    )
    held_out: float = Field(
        0.1, gt=0, lt=1, description="fraction that growing replay holds out to judge progress"
    )
    patience: int = Field(
        3,
        ge=1,
        le=1000,
        description="a phase of growing replay ends after this many epochs without progress",
    )


class Adam(Settings):
    """The optimiser."""

    learning_rate: float = Field(1e-3, gt=0, le=1, description="λ: the step size")
    final_share: float = Field(
        1,
        gt=0,
        le=1,
        description="exponential decay of the learning rate to this fraction at the end",
    )
    beta1: float = Field(0.9, ge=0, lt=1, description="β₁: decay rate of the mean gradient")
    beta2: float = Field(
        0.999, ge=0, lt=1, description="β₂: decay rate of the mean squared gradient"
    )
    epsilon: float = Field(1e-7, gt=0, le=1, description="ε: added to the denominator")


class Learning(Settings):
    """What is learned from a match, and how."""

    data: Literal["tree", "root", "terminal"] = Field(
        "tree",
        description="tree: learn the whole tree; root: the states of the match; terminal: these "
        "with the final value of the match",
    )
    moves: Literal["none", "policy", "values"] = Field(
        "none",
        description="what is learned about moves: nothing; a policy, from the shares that the "
        "search gave the moves of each state of a match; or values, those of the "
        "states that the moves lead to",
    )
    moves_taught: int = Field(
        8,
        ge=0,
        description="how many moves of a state have their values learned, drawn from those that "
        "the search has judged; 0: all of these",
    )
    moves_weight: float = Field(
        1, gt=0, le=1e6, description="weight of the moves in the loss, beside the values"
    )
    values_weight: float = Field(
        1, ge=0, le=1e6, description="weight of the values in the loss, beside the moves"
    )
    temperature: float = Field(
        1, gt=0, le=1e6, description="temperature of the softmax over the policy, as in the search"
    )
    value_loss: Literal["squared", "likelihood"] = Field(
        "squared",
        description="squared: squared errors of the values; likelihood: cross entropy of the "
        "outcome and (1+v)/2",
    )
    symmetry: Literal[False, True, "all"] = Field(
        True,
        description="also learn a random symmetric copy of each state; all: every symmetric copy",
    )
    replay: Replay = Field(Replay(), description="experience replay")
    batch_size: int = Field(256, ge=1, le=1 << 20, description="B: states per minibatch")
    adam: Adam = Field(Adam(), description="the optimiser")
    loss: Literal["mean", "sum"] = Field(
        "mean",
        description="mean or sum of the squared errors of a minibatch; beside the sum, the L2 "
        "penalty weighs less by the number of states",
    )
    l2: float = Field(1e-4, ge=0, le=1, description="weight of the L2 penalty on the kernels")
    averaging: int = Field(
        0,
        ge=0,
        description="the model's weights are a moving average over this many learned states; 0: "
        "the latest weights",
    )
    pretraining: int = Field(
        0, ge=0, description="final states of random matches to learn before the first match"
    )


class Stage(Settings):
    """Matches that come before the others, and are played and learned in another way."""

    matches: int = Field(ge=1, description="how many matches")
    search: str = Field(description="as in selfplay")
    selection: str = Field("search", description="as in selfplay")
    expert: str = Field("", description="as in selfplay")
    values_weight: float = Field(1, ge=0, le=1e6, description="as in learning")

    @property
    def selfplay(self) -> Overrides:
        """What is different in self-play."""
        return {"search": self.search, "selection": self.selection, "expert": self.expert}


class Evaluation(Settings):
    """Matches during training, against a fixed opponent; in a game for one, alone."""

    opponent: str = Field(
        "mcts:iterations=200",
        description="a search, random, a model file or a run; unused in a game for one; empty "
        "for no evaluation",
    )
    search: str = Field("ubfm-safe:expansions=50", description="search of the learner")
    matches: int = Field(40, ge=2, le=100_000, description="matches per evaluation")
    openings: Literal["random", "balanced"] = Field(
        "random", description="random openings, or the most even of them as judged by plain MCTS"
    )
    every_minutes: float = Field(
        0, ge=0, description="minutes of training between evaluations; 0 for none"
    )
    every_matches: int = Field(
        0, ge=0, description="matches learned between evaluations; 0 for none"
    )


class Checkpoints(Settings):
    """How often everything is saved."""

    every_minutes: float = Field(
        5, ge=0, description="minutes of training between checkpoints; 0 for none"
    )
    every_matches: int = Field(
        0, ge=0, description="matches learned between checkpoints; 0 for none"
    )
    keep: int = Field(2, ge=1, le=10_000, description="how many checkpoints are kept")
    snapshots: tuple[Annotated[float, Field(gt=0, le=1)], ...] = Field(
        (), max_length=1000, description="fractions of the training after which a model is kept"
    )


class Stop(Settings):
    """When the learning process ends: t_max. All 0: when it is interrupted."""

    minutes: float = Field(0, ge=0, le=1e8, description="minutes of training; 0 for no limit")
    matches: int = Field(0, ge=0, description="matches to learn; 0 for no limit")
    expansions: int = Field(0, ge=0, description="expansions of self-play; 0 for no limit")
    evaluations: int = Field(
        0, ge=0, description="states that the network evaluates in self-play; 0 for no limit"
    )
    cpu_minutes: float = Field(
        0,
        ge=0,
        description="minutes of processor time of playing and learning; 0 for no limit",
    )

    @property
    def limits(self) -> dict[str, float]:
        """The limits that are set, by name."""
        return {name: limit for name, limit in self.model_dump().items() if limit}


class Hardware(Settings):
    """Where it runs."""

    device: Device = Field(
        "auto", description="where networks run: auto, cpu, cuda, or one GPU such as cuda:1"
    )
    precision: Precision = Field(
        "auto",
        description="precision of self-play, and on a CPU of learning too; auto: float16 on a "
        "GPU, and on a CPU the faster of bfloat16 and float32, as measured",
    )
    backend: Backend = Field(
        "auto", description="what runs the networks of self-play; auto measures which is fastest"
    )
    threads: int = Field(0, ge=0, le=1024, description="CPU threads; 0 for one per core")
    learners: int = Field(
        1,
        ge=1,
        le=64,
        description="processes that share each learning step, each on its own GPU",
    )
    deterministic: bool = Field(
        False, description="same seed, same weights; nothing may depend on the clock"
    )


class Config(Settings):
    """A whole learning process."""

    game: str = Field(description="the game with its options, as in hex:size=11")
    game_sha256: str = Field("", description="SHA-256 of the file of a Python game")
    seed: int = Field(0, ge=0, lt=1 << 63, description="the seed of all randomness")
    network: Architecture = Field(Architecture(), description="the adaptive evaluation function")
    fit_to_board: bool = Field(
        False, description="leave out convolutions of the stem that the board is too small for"
    )
    weights: float = Field(
        0, ge=0, le=1e10, description="scale the network to this many weights; 0 leaves it as it is"
    )
    round_widths_to: int = Field(
        0, ge=0, le=1024, description="round widths of the network up to its multiples; 0 for none"
    )
    origin: str = Field("", description="the model file whose weights the run began with")
    keep_optimiser: bool = Field(
        False, description="begin with the moments of Adam too, from the run that origin belongs to"
    )
    selfplay: SelfPlay = Field(SelfPlay(), description="how matches are played")
    learning: Learning = Field(Learning(), description="what is learned, and how")
    stages: tuple[Stage, ...] = Field(
        (), max_length=100, description="matches that come first, and differ from the others"
    )
    evaluation: Evaluation = Field(Evaluation(), description="matches against an opponent")
    checkpoints: Checkpoints = Field(Checkpoints(), description="how often everything is saved")
    stop: Stop = Field(Stop(), description="when the learning process ends")
    hardware: Hardware = Field(Hardware(), description="where it runs")

    def stage_end(self, matches: int) -> int | None:
        """Return after how many matches the present stage ends, if there is one."""
        end = 0
        for stage in self.stages:
            end += stage.matches
            if matches < end:
                return end
        return None

    def in_stage(self, matches: int) -> Config:
        """Return the settings of the stage that follows this many matches."""
        end = 0
        for stage in self.stages:
            end += stage.matches
            if matches < end:
                selfplay = self.selfplay.model_copy(update=stage.selfplay)
                learning = self.learning.model_copy(update={"values_weight": stage.values_weight})
                return self.model_copy(update={"selfplay": selfplay, "learning": learning})
        return self

    def make_game(self) -> Game:
        """Make the game; a Python file only if the user has named it, for settings run no code."""
        game = recorded_game(self.game, self.game_sha256)
        if game is None:
            raise ParameterError(
                f"the settings name the Python game {self.game}; name its file yourself, as in "
                f"athenan train {self.game}, or give make_game({self.game!r}) in Python"
            )
        return game


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
    return parse_toml(toml_text(path), str(path))


def toml_text(path: Path) -> str:
    """Read the text of a settings file, as much of it as may be parsed."""
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(MAX_TOML + 1)
    except UnicodeDecodeError as mistake:
        raise ParameterError(f"{path} is not a TOML file: {mistake}") from None


def parse_toml(text: str, name: str) -> Overrides:
    """Read the text of a settings file, which has no reason to be large."""
    if len(text) > MAX_TOML:
        raise ParameterError(f"{name} is not a settings file: it has over {MAX_TOML:,} characters")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as mistake:
        raise ParameterError(f"{name} is not a TOML file: {mistake}") from None
    except (RecursionError, ValueError):  # brackets in brackets, or digits, by the thousand
        raise ParameterError(
            f"{name} is not a settings file: its values are nested too deeply or too large"
        ) from None


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text
