"""The settings of a training as commands take them: a preset, flags, and `--set`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from athenan import make_game

if TYPE_CHECKING:
    from athenan.learning.settings import Overrides


def given_settings(
    assignments: list[str] | None,
    device: str | None,
    stop: Overrides | None = None,
    more: Overrides | None = None,
    **named: Any,
) -> Overrides:
    """Return what the options of a command say; `--set` has the last word.

    The game is made here, where the user named it: a Python file is loaded in no other case.
    """
    from athenan.learning import merged, parse_assignments

    given = {name: value for name, value in named.items() if value is not None}
    given |= {"stop": stop} if stop else {}
    given |= {"hardware": {"device": device}} if device is not None else {}
    given = merged(merged(given, more or {}), parse_assignments(assignments or []))
    return given | ({"game": make_game(str(given["game"]))} if given.get("game") else {})


def preset_for(name: str, given: Mapping[str, Any]) -> Overrides:
    """Return the settings of a preset; "auto" is the one that suits the device."""
    from athenan.devices import cuda_devices
    from athenan.learning import preset

    if name != "auto":
        return preset(name)
    hardware = given.get("hardware")
    on_cpu = isinstance(hardware, Mapping) and hardware.get("device") == "cpu"
    return preset("small" if on_cpu or not cuda_devices() else "large")


def layers_for(name: str, given: Mapping[str, Any]) -> tuple[Overrides, Overrides]:
    """Return the settings of a preset, and those of the person's file over it, if it is one."""
    from athenan.learning.completion import preset_and_file

    return preset_and_file(name) if name.endswith(".toml") else (preset_for(name, given), {})
