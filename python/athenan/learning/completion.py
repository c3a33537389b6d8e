"""From presets and overrides to complete settings that make sense together.

Presets are TOML files that hold only what differs from the defaults. `paper-…` have the numbers
that the paper prints for its experiments; a comment says what was decided where it prints none, or
two that disagree. `fast-…` are the same with widths rounded up to multiples of 32 and many matches
at a time; `small` and `large` fit any game, on a CPU and on a GPU.

Whatever is wrong with settings is one sentence that names the setting and what is accepted.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, get_args

from pydantic import BaseModel, ValidationError

from athenan._core import (
    Game,
    ParameterError,
    Search,
    SearchSpec,
    algorithms,
    did_you_mean,
    terminal_evaluations,
)
from athenan.expected import expect
from athenan.games import make_game, record_of
from athenan.games.check import refuse_broken_rules
from athenan.learning.dormant import dormant, names_given, value_at, without_dormant
from athenan.learning.meant import meant_setting
from athenan.learning.settings import Config, Overrides, SelfPlay, merged, read_toml
from athenan.networks import fitted, rounded, sized_architecture
from athenan.networks.architecture import MoveAnswers

if TYPE_CHECKING:
    from athenan.networks import Network

MAX_VALUE = 80  # characters of a wrong value that are repeated
HEADS = {"policy": ("a policy", "policy"), "values": ("values of moves", "move_values")}
"""What a second head says of moves, and the setting of the network that gives it one."""
LONG = 400  # plies above which the depth of a win is no measure of it


def preset_names() -> list[str]:
    """Return the names of the presets."""
    return _names("presets")


def preset(name: str) -> Overrides:
    """Return the settings of a preset, or of a TOML file, over those of its base."""
    return _named("preset", expect(name, str, "the name of a preset, as in 'small'"), ())


def preset_and_file(name: str) -> tuple[Overrides, Overrides]:
    """Return the settings of a preset, and those of a person's file over it, if it is one."""
    whole = preset(name)
    if not name.endswith(".toml"):
        return whole, {}
    own = read_toml(Path(name))
    base = own.pop("base", None)
    return ({} if base is None else preset(str(base))), own


def method_names() -> list[str]:
    """Return the names of the methods: how matches are played, what is learned of them, and how."""
    return _names("methods")


def method(name: str) -> Overrides:
    """Return the settings of a method, or of a TOML file, which go over those of a preset."""
    return _named("method", expect(name, str, "the name of a method, as in 'athenan'"), ())


def _names(folder: str) -> list[str]:
    entries = (files("athenan.learning") / folder).iterdir()
    return sorted(entry.name.removesuffix(".toml") for entry in entries)


def _named(kind: str, name: str, derived: tuple[Path, ...]) -> Overrides:
    """Read a file of settings over its base; `derived` are the files that it is the base of."""
    names = _names(f"{kind}s")
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise ParameterError(f"there is no settings file {name!r}")
    elif name in names:
        path = Path(str(files("athenan.learning") / f"{kind}s" / f"{name}.toml"))
    else:
        raise ParameterError(
            f"there is no {kind} {name!r}{did_you_mean(name, names)}; "
            f"accepted are {', '.join(names)}, "
            "or the name of a .toml file"
        )
    if path.resolve() in derived:
        raise ParameterError(f"the settings file {name!r} is its own base")
    settings = read_toml(path)
    base = settings.pop("base", None)
    if base is None:
        return settings
    return merged(_named(kind, str(base), (*derived, path.resolve())), settings)


def network_for_preset(name: str, game: str | None = None) -> Network:
    """Build the untrained network of a preset; a preset without a game needs one.

    >>> import athenan
    >>> athenan.network_for_preset("small", "hex:size=5").weight_count
    138369
    """
    from athenan.networks import build_network

    settings = preset(name)
    if game is not None:
        settings["game"] = make_game(game)
    config = complete_config(settings)
    return build_network(config.network, config.make_game(), config.seed)


def complete_config(
    settings: Mapping[str, Any],
    base: Mapping[str, Any] | None = None,
    file: Mapping[str, Any] | None = None,
) -> Config:
    """Return the checked settings with everything that depends on the game decided.

    The game is a text, or a `Game`: one in a Python file must be, for a text runs no file. What
    `settings` leave out they take from a `file` of the person's, and what this leaves out from
    `base`, such as a preset. Of a layer below, some settings may be left without effect by a layer
    above; any other setting without effect is refused.
    """
    layers = (base or {}, file or {}, settings)
    config = _validated(merged(merged(*layers[:2]), settings))
    game = config.make_game()
    config = _awake(config, game, *layers)
    network, selfplay = config.network, config.selfplay
    if config.fit_to_board:
        network = fitted(network, game)
    if config.weights:
        network = sized_architecture(config.weights, game, network)
    if config.round_widths_to:
        network = rounded(network, config.round_widths_to)
    if selfplay.terminal == "auto":
        selfplay = selfplay.model_copy(update={"terminal": natural_terminal(game)})
    decided = {"game": game.id, "network": network, "selfplay": selfplay}
    done = {"fit_to_board": False, "weights": 0.0, "round_widths_to": 0}
    config = config.model_copy(update=decided | done)
    _check(config, game)
    return config


def recorded_config(settings: Mapping[str, Any]) -> Config:
    """Return the settings of a run: what had no effect was accepted once, and is left out."""
    config = _validated(settings)
    return complete_config({}, without_dormant(config, config.make_game()).model_dump())


def _validated(settings: Mapping[str, Any]) -> Config:
    if not (given := settings.get("game")):
        raise ParameterError("no game was given: name one, as in hex:size=5")
    if isinstance(given, Game):
        settings = {**settings, **dict(zip(("game", "game_sha256"), record_of(given), strict=True))}
    try:
        return Config.model_validate(settings)
    except ValidationError as mistake:
        raise ParameterError(sentence_of(mistake)) from None


def _awake(config: Config, game: Game, *layers: Mapping[str, Any]) -> Config:
    """Return the settings without what a preset has and others leave without effect.

    What a person gives is refused instead. `layers` go one over the other, and are complete with
    the last one: the preset, the person's file, and what the person says beside it.
    """
    found = dormant(config, game)
    below = dict(layers[0]) | {"game": config.game, "game_sha256": config.game_sha256}
    for layer in layers[1:] if found else ():
        below = merged(below, layer)
        asleep, given = dormant(_validated(below), game), names_given(layer)
        for name, reason in found.items():
            if name in given and name in asleep:
                value = value_at(config, name)
                raise ParameterError(f"the setting {name} is {value!r} and has no effect: {reason}")
    return without_dormant(config, game)


def natural_terminal(game: Game) -> str:
    """Return the terminal evaluation to take when none is asked for.

    The score where there is one; otherwise the additive depth, which makes a search win early and
    lose late, unless matches can be so long that its values would say little of who wins.
    """
    if "score" in terminal_evaluations(game):
        return "score"
    return "classic" if game.datasheet.max_length > LONG else "additive_depth"


def check_plays_by_network(setting: str, spec: SearchSpec, said: MoveAnswers) -> None:
    """Refuse a search that does not play by what a network says of states and, maybe, of moves."""
    asking = [SearchSpec(each.name) for each in algorithms() if each.needs_evaluator]
    able = [each.name for each in asking if each.asks_of_moves in ("none", said)]
    asked = spec.asks_of_moves
    if spec.name in able and asked in ("none", said):
        return
    if asked != "none":
        what, head = HEADS[asked]
        raise ParameterError(
            f"the setting {setting} is {str(spec)!r}, which needs {what}: set network.{head} to "
            f"true and learning.moves to {asked}"
        )
    raise ParameterError(
        f"the setting {setting} is {str(spec)!r}; a search that plays by a network is needed: "
        f"{', '.join(able[:-1])} or {able[-1]}"
    )


def _check(config: Config, game: Game) -> None:
    """Refuse what makes no sense for the game, then what makes none together."""
    refuse_broken_rules(game)
    selfplay = config.selfplay
    if selfplay.terminal not in (accepted := terminal_evaluations(game)):
        raise ParameterError(
            f"the setting selfplay.terminal is {selfplay.terminal!r}"
            f"{did_you_mean(selfplay.terminal, accepted)}; for {game.name} accepted is one of "
            f"auto, {', '.join(accepted)}"
        )
    said = config.network.says_of_moves
    check_plays_by_network("selfplay.search", SearchSpec(selfplay.search), said)
    for where, each in _played(config):
        _check_searches(where, game, each)
        if each.spec.asks_of_moves not in ("none", said):  # a stage may do without a network
            check_plays_by_network(f"{where}.search", each.spec, said)
        _check_expert(f"{where}.expert", config, each)
    _check_chooser(config, game)
    _check_moves(config)
    _check_together(config)
    if config.hardware.deterministic:
        _check_deterministic(config)


def _played(config: Config) -> list[tuple[str, SelfPlay]]:
    """Return how matches are played, by the branch of the settings that says so."""
    staged = [config.selfplay.model_copy(update=stage.selfplay) for stage in config.stages]
    return [
        ("selfplay", config.selfplay),
        *((f"stages.{number}", each) for number, each in enumerate(staged)),
    ]


def _check_searches(where: str, game: Game, selfplay: SelfPlay) -> None:
    """Refuse searches of self-play, or of a stage of it, that make no sense for the game."""
    if (named := selfplay.spec.updated(selfplay.search)) != selfplay.spec:
        raise ParameterError(
            f"the setting {where}.search has terminal={named.options['terminal']}: give it as "
            "selfplay.terminal, because pre-training and evaluation need it too"
        )
    _check_search(f"{where}.search", game, selfplay.spec)
    _check_search(f"{where}.expert", game, selfplay.thinking_spec)


def _check_search(setting: str, game: Game, spec: SearchSpec) -> None:
    """Refuse a search that would not end, and one whose options do not fit together."""
    if not spec.is_limited:
        raise ParameterError(
            f"the setting {setting} is {str(spec)!r}, which has no limit: give it one, "
            f"as in {spec.name}:expansions=50"
        )
    try:
        Search(game, spec)
    except ParameterError as problem:
        raise ParameterError(f"the setting {setting} is {str(spec)!r}: {problem}") from None


def _check_chooser(config: Config, game: Game) -> None:
    """Refuse a second search that cannot choose the moves, or that is not needed."""
    selfplay, spec = config.selfplay, config.selfplay.choosing_spec
    if not selfplay.chooser:
        return
    check_plays_by_network("selfplay.chooser", spec, config.network.says_of_moves)
    _check_search("selfplay.chooser", game, spec)
    if spec.options["terminal"] != selfplay.terminal:
        raise ParameterError(
            f"the setting selfplay.chooser is {selfplay.chooser!r}, and both searches take the "
            "values of selfplay.terminal: leave out its terminal"
        )
    if selfplay.networks == 2 or selfplay.expert or config.stages:
        raise ParameterError(
            "the setting selfplay.chooser goes with one network, without an expert and without "
            "stages: leave out selfplay.networks, selfplay.expert and stages, or the chooser"
        )


def _check_expert(setting: str, config: Config, selfplay: SelfPlay) -> None:
    """Refuse an expert that the network cannot help, or from whom nothing is learned."""
    if not selfplay.expert:
        return
    check_plays_by_network(setting, selfplay.thinking_spec, config.network.says_of_moves)
    if config.learning.moves != "policy":
        raise ParameterError(
            f"the setting {setting} teaches a policy: set learning.moves to policy"
        )


def _check_moves(config: Config) -> None:
    """Refuse a head for moves that is not learned, and the learning of one that there is not."""
    learning, network = config.learning, config.network
    if network.says_of_moves != learning.moves:
        kind = learning.moves if learning.moves != "none" else network.says_of_moves
        what, head = HEADS[kind]
        raise ParameterError(
            f"the settings network.{head} = {str(getattr(network, head)).lower()} and "
            f"learning.moves = {learning.moves!r} do not fit: a network has {what} to learn "
            f"{'it' if kind == 'policy' else 'them'}"
        )
    if learning.moves == "policy" and learning.data == "tree":
        raise ParameterError(
            f"the setting learning.moves is {learning.moves!r}, and moves are learned of the "
            "states of a match: set learning.data to root or terminal"
        )
    if learning.moves == "values":
        _check_move_values(config)


def _check_move_values(config: Config) -> None:
    """Refuse what gives no values of moves to learn, or only those of moves that were liked."""
    if config.learning.data != "tree":
        raise ParameterError(
            f"the setting learning.data is {config.learning.data!r}, and values of moves are "
            "learned of the whole tree: set it to tree"
        )
    for where, each in _played(config):
        setting, text, spec = f"{where}.search", each.search, SearchSpec(each.search)
        if "values" not in spec.options:
            able = [some.name for some in algorithms() if "values" in SearchSpec(some.name).options]
            raise ParameterError(
                f"the setting {setting} is {text!r}, and values of moves are learned from the tree "
                f"of a best-first search: take {', '.join(able[:-1])} or {able[-1]}"
            )
        if spec.asks_of_moves == "values" and not spec.options["sampled"]:
            raise ParameterError(
                f"the setting {setting} is {text!r}, and judges only moves that it likes, from "
                "which a network learns nothing of the others: add sampled=2 or so"
            )


def _check_together(config: Config) -> None:
    """Refuse settings that need others to be different."""
    selfplay = config.selfplay
    if config.network.output == "tanh" and selfplay.terminal != "classic":
        raise ParameterError(
            f"the setting network.output is 'tanh', which stays between -1 and 1, and the values "
            f"of selfplay.terminal = {selfplay.terminal!r} do not: set network.output to linear, "
            "or selfplay.terminal to classic"
        )
    _check_value_loss(config)
    for where, each in _played(config):
        if "schedule=annealed" in (each.mind.selection or "") and not config.stop.limits:
            raise ParameterError(
                f"the setting {where}.selection is {each.selection!r}, which needs to know when "
                "the training ends: set stop.minutes or stop.matches, or take schedule=uniform"
            )
    if selfplay.networks == 2 and config.network.two_heads:
        raise ParameterError(
            "the setting selfplay.networks is 2, and two networks learn values of states alone: "
            f"set network.{HEADS[config.network.says_of_moves][1]} to false"
        )


def _check_value_loss(config: Config) -> None:
    """Refuse likelihoods of values that are no probabilities: beyond -1 and 1 nothing is learned.

    How far the values of the user's own network reach is not known.
    """
    network, terminal = config.network, config.selfplay.terminal
    if config.learning.value_loss != "likelihood":
        return
    if terminal != "classic" or not (network.output == "tanh" or network.code):
        raise ParameterError(
            "the setting learning.value_loss is 'likelihood', which takes values for "
            "probabilities: set selfplay.terminal to classic and network.output to tanh"
        )


def _check_deterministic(config: Config) -> None:
    timed = {
        "stop.minutes": config.stop.minutes,
        "checkpoints.every_minutes": config.checkpoints.every_minutes,
        "selfplay.forget_hours": config.selfplay.forget_hours,
        "stop.cpu_minutes": config.stop.cpu_minutes,
        "seconds in selfplay.chooser": config.selfplay.choosing_spec.is_timed,
    }
    for where, each in _played(config):
        timed[f"seconds in {where}.search"] = each.spec.is_timed
        timed[f"seconds in {where}.expert"] = each.thinking_spec.is_timed
    for name, value in timed.items():
        if value:
            raise ParameterError(
                f"a deterministic run cannot depend on the clock: {name} must be 0; count in "
                "matches and expansions instead"
            )


def sentence_of(mistake: ValidationError, settings: type[BaseModel] = Config) -> str:
    """Say what is wrong with settings of this type: the first mistake, in one sentence."""
    first = mistake.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        beside = _fields_beside(settings, first["loc"])
        path = [str(part) for part in first["loc"]]
        meant = meant_setting(path, first["input"], all_names(settings))
        return f"there is no setting {where}{meant}; accepted are {', '.join(beside)}"
    if first["type"] == "missing":
        return f"the setting {where} is missing"
    reason = first["msg"].removeprefix("Value error, ")
    value = repr(first["input"])
    value = value if len(value) <= MAX_VALUE else f"{value[:MAX_VALUE]} ..."
    return f"the setting {where} is {value}: {reason[0].lower()}{reason[1:]}"


def all_names(branch: type[BaseModel], within: str = "") -> list[str]:
    """Return the names of all settings of a tree, its branches among them."""
    names = []
    for name, field in branch.model_fields.items():
        names.append(f"{within}{name}")
        if _is_branch(field.annotation):
            names += all_names(field.annotation, f"{within}{name}.")
    return names


def _fields_beside(branch: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Return the settings that there are where a location ends."""
    for name in location[:-1]:  # the others are numbers and names within lists and tables
        if name in branch.model_fields:
            annotation = branch.model_fields[str(name)].annotation
            inside = (annotation, *get_args(annotation))
            branch = next((each for each in inside if _is_branch(each)), branch)
    return list(branch.model_fields)


def _is_branch(annotation: object) -> TypeGuard[type[BaseModel]]:
    return inspect.isclass(annotation) and issubclass(annotation, BaseModel)
