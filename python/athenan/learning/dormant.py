"""Settings that other settings leave without effect: who asks for one would wait for it in vain.

One entry per reason, in a list. A value that a person gives is refused with it; one that comes from
the base of what they give, such as a preset, goes back to its default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from athenan._core import Game, SearchSpec, algorithms
from athenan.games import record_of
from athenan.learning.settings import Config, Overrides

NETWORK = ("filters", "convolutions", "margin", "blocks", "squeeze", "pooling", "dense", "output")
EVALUATION = ("opponent", "search", "matches", "openings")
REPLAY = {
    "experience": ("sampling", "unit"),
    "stratified": ("duplication",),
    "growing": ("every", "held_out", "patience"),
}
PERIODS = ("every_minutes", "every_matches")
REMEMBERING = [
    each.name for each in algorithms() if "completion" in {p.name for p in each.parameters}
]
"""Completed searches: they know which states are resolved."""


@dataclass(frozen=True)
class Reason:
    """Why some settings have no effect, and when."""

    names: tuple[str, ...]
    holds: Callable[[Config, Game], bool]
    words: str


def _within(branch: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{branch}.{name}" for name in names)


REASONS = (
    Reason(
        ("game_sha256",),
        lambda config, game: record_of(game)[1] != config.game_sha256,
        "the game is not written in Python",
    ),
    Reason(
        (*_within("network", NETWORK), "fit_to_board", "weights", "round_widths_to"),
        lambda config, _: bool(config.network.code),
        "the network is your own (network.code), and its file says how it is built",
    ),
    Reason(
        ("network.code_sha256",),
        lambda config, _: not config.network.code,
        "the network is not your own: set network.code, or give --network",
    ),
    Reason(
        ("keep_optimiser",),
        lambda config, _: not config.origin,
        "there is no run to take it from: begin with --from RUN",
    ),
    Reason(
        _within("selfplay", ("forget_hours", "forget_matches", "forget_states")),
        lambda config, _: not config.selfplay.resolved_memory,
        "there is no table of solved states to forget: set selfplay.resolved_memory=true",
    ),
    Reason(
        ("selfplay.resolved_memory",),
        lambda config, _: not SearchSpec(config.selfplay.search).options.get("completion"),
        "selfplay.search resolves no states to remember: take one of "
        f"{', '.join(REMEMBERING)}, with completion",
    ),
    Reason(
        ("selfplay.averaged",),
        lambda config, _: not config.learning.averaging,
        "no weights are averaged: set learning.averaging, as in learning.averaging=1000000",
    ),
    Reason(
        ("learning.averaging",),
        lambda config, _: config.learning.replay.kind == "growing",
        "growing replay learns with a new network each time and keeps its best weights",
    ),
    Reason(
        _within("learning", ("moves_weight", "temperature")),
        lambda config, _: config.learning.moves == "none",
        "nothing is learned of moves: set learning.moves",
    ),
    Reason(
        ("learning.temperature",),
        lambda config, _: config.learning.moves == "values",
        "values of moves have none: it belongs to learning.moves=policy",
    ),
    Reason(
        ("learning.moves_taught",),
        lambda config, _: config.learning.moves != "values",
        "no values of moves are learned: set learning.moves=values",
    ),
    Reason(
        ("learning.symmetry",),
        lambda config, game: config.learning.symmetry == "all" and game.symmetries == 1,
        "the game has no symmetries",
    ),
    *(
        Reason(
            _within("learning.replay", names),
            lambda config, _, kind=kind: config.learning.replay.kind != kind,  # type: ignore[misc]
            f"it belongs to another kind of replay: set learning.replay.kind={kind}",
        )
        for kind, names in REPLAY.items()
    ),
    Reason(
        ("learning.adam.final_share",),
        lambda config, _: not config.stop.limits,
        "the learning rate falls towards the end of the training, which has none: set "
        "stop.matches or stop.minutes",
    ),
    Reason(
        ("checkpoints.snapshots",),
        lambda config, _: not config.stop.limits,
        "fractions of the training are known only where it has an end: set stop.minutes or "
        "stop.matches",
    ),
    Reason(
        _within("evaluation", ("opponent", "openings")),
        lambda _, game: game.datasheet.players == 1,
        "the game is for one: its matches are evaluated by their scores",
    ),
    Reason(
        _within("evaluation", (*EVALUATION[1:], *PERIODS)),
        lambda config, _: not config.evaluation.opponent,
        "nothing is evaluated: evaluation.opponent is empty",
    ),
    Reason(
        _within("evaluation", EVALUATION),
        lambda config, _: not any(getattr(config.evaluation, name) for name in PERIODS),
        "nothing is evaluated: set evaluation.every_matches or evaluation.every_minutes",
    ),
)


def dormant(config: Config, game: Game) -> dict[str, str]:
    """Return the settings that are not at their defaults and have no effect, and why.

    An empty opponent is not one of them: it is how evaluation is turned off.
    """
    found: dict[str, str] = {}
    for reason in REASONS:
        if reason.holds(config, game):
            for name in reason.names:
                if value_at(config, name) not in (default_of(name), *_OFF.get(name, ())):
                    found.setdefault(name, reason.words)
    unheard = _unheard_options(SearchSpec(config.selfplay.search))
    if unheard and config.selfplay.selection != "search":
        found["selfplay.search"] = (
            f"self-play draws its moves by selfplay.selection: leave out {unheard}"
        )
    return found


_OFF = {"evaluation.opponent": ("",)}


def _unheard_options(spec: SearchSpec) -> str:
    """Return the options of a search that self-play does not ask for."""
    entry = next(each for each in algorithms() if each.name == spec.name)
    usual = {parameter.name: parameter.default for parameter in entry.parameters}
    given = spec.options.get("decision")
    return f"decision={given}" if given is not None and given != usual["decision"] else ""


def without_dormant(config: Config, game: Game) -> Config:
    """Return the settings with those at their defaults that have no effect and may not wake.

    A setting at its default may leave others without effect, which are then at theirs too.
    """
    names = [name for name in dormant(config, game) if name != "selfplay.search"]
    asleep = [name for name in names if not may_wake(name)]
    return without_dormant(reduce(_at_default, asleep, config), game) if asleep else config


def may_wake(name: str) -> bool:
    """Whether a preset may have a setting that has no effect as yet: how to evaluate, if at all."""
    return name.startswith("evaluation.")


def value_at(config: Any, name: str) -> Any:
    """Return a setting by its name, as in learning.batch_size."""
    return reduce(getattr, name.split("."), config)


def default_of(name: str) -> Any:
    """Return what a setting is unless it is given."""
    *branches, last = name.split(".")
    branch: Any = Config
    for each in branches:
        branch = branch.model_fields[each].annotation
    return branch.model_fields[last].default


def names_given(settings: Mapping[str, Any], within: str = "") -> set[str]:
    """Return the names of all settings that a tree of overrides gives."""
    names: set[str] = set()
    for name, value in settings.items():
        path = f"{within}{name}"
        names |= names_given(value, f"{path}.") if isinstance(value, Mapping) else {path}
    return names


def _at_default(config: Config, name: str) -> Config:
    """Return the settings with one of them at its default."""
    branch, _, last = name.rpartition(".")
    update: Overrides = {last: default_of(name)}
    if not branch:
        return config.model_copy(update=update)
    outer, _, inner = branch.partition(".")
    part = value_at(config, branch).model_copy(update=update)
    if inner:
        part = getattr(config, outer).model_copy(update={inner: part})
    return config.model_copy(update={outer: part})
