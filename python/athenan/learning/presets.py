"""Presets: named settings, kept as TOML files that hold only what differs from the defaults.

`paper-…` are the paper's experiments to the letter; `fast-…` the same with widths rounded up to
multiples of 32 and many matches at a time; `small` and `large` fit any game, on a CPU and on a GPU.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from athenan._core import ParameterError
from athenan.games import make_game
from athenan.learning.completion import complete_config
from athenan.learning.settings import Overrides, merged, read_toml

if TYPE_CHECKING:
    from athenan.networks import Network


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


def network_for_preset(name: str, game: str | None = None) -> Network:
    """Build the untrained network of a preset; a preset without a game needs one."""
    from athenan.networks import build_network

    settings: dict[str, Any] = preset(name)
    if game is not None:
        settings["game"] = game
    config = complete_config(settings)
    return build_network(config.network, make_game(config.game), config.seed)
