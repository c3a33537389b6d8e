"""Presets: named settings, kept as TOML files that hold only what differs from the defaults.

`paper-…` are the paper's experiments to the letter; `fast-…` the same with widths rounded up to
multiples of 32 and many matches at a time; `small` and `large` fit any game, on a CPU and on a GPU.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from athenan._core import Game, ParameterError
from athenan.games import make_game
from athenan.learning.settings import (
    Config,
    Overrides,
    make_config,
    merged,
    read_toml,
)
from athenan.networks import Architecture, rounded, sized_architecture
from athenan.searches import terminal_evaluations

if TYPE_CHECKING:
    from athenan.networks import Network


LONG = 400  # plies above which the depth of a win is no measure of it


def preset_names() -> list[str]:
    """Return the names of the presets."""
    folder = files("athenan.learning") / "presets"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir())


def preset(name: str) -> Overrides:
    """Return the settings of a preset, or of a TOML file, over those of its base."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise ParameterError(f"there is no settings file {name!r}")
    elif name in preset_names():
        path = Path(str(files("athenan.learning") / "presets" / f"{name}.toml"))
    else:
        raise ParameterError(
            f"there is no preset {name!r}; accepted are {', '.join(preset_names())}, "
            "or the name of a .toml file"
        )
    settings = read_toml(path)
    base = settings.pop("base", None)
    return settings if base is None else merged(preset(str(base)), settings)


def complete_config(settings: Overrides) -> Config:
    """Return the checked settings with everything that depends on the game decided."""
    settings = dict(settings)
    multiple = settings.pop("round_widths_to", 0)
    if not isinstance(multiple, int) or multiple < 0:
        raise ParameterError(f"round_widths_to is a whole number from 0, not {multiple!r}")
    if "game" not in settings:
        raise ParameterError("no game was given: name one, as in hex:size=5")
    game = make_game(str(settings["game"]))
    settings["game"] = game.id
    selfplay = settings.get("selfplay", {})
    if isinstance(selfplay, dict) and selfplay.get("terminal", "auto") == "auto":
        terminal = natural_terminal(game)
        settings["selfplay"] = selfplay | {"terminal": terminal}
    config = make_config(settings)
    network = config.network
    if config.weights:
        network = sized_architecture(config.weights, game, network)
    if multiple:
        network = rounded(network, multiple)
    return config.model_copy(update={"network": network, "weights": 0.0})


def natural_terminal(game: Game) -> str:
    """Return the terminal evaluation to take when none is asked for.

    The score where there is one; otherwise the additive depth, which makes a search win early and
    lose late, unless matches can be so long that its values would say little of who wins.
    """
    if "score" in terminal_evaluations(game):
        return "score"
    return "classic" if game.datasheet.max_length > LONG else "additive_depth"


def network_for_preset(name: str, game: str | None = None) -> Network:
    """Build the untrained network of a preset; a preset without a game needs one."""
    from athenan.networks import build_network

    settings: dict[str, Any] = preset(name)
    if game is not None:
        settings["game"] = game
    config = complete_config(settings)
    architecture: Architecture = config.network
    return build_network(architecture, make_game(config.game), config.seed)
