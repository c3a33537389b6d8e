"""Networks: what they look like, how large they are, and the files that hold them.

The shape of a network (`Architecture`, `sized_architecture`, `rounded`) is plain data, and so is
what a file holds of one; only the names that need torch import it, when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from athenan.networks.architecture import Architecture, input_shape
from athenan.networks.own import name_network_file, own_architecture
from athenan.networks.sizing import fitted, rounded, sized_architecture

if TYPE_CHECKING:
    from athenan.networks.model import Model, load_model, save_model
    from athenan.networks.network import Network, build_network, weight_count

__all__ = [
    "Architecture",
    "Model",
    "Network",
    "build_network",
    "fitted",
    "input_shape",
    "load_model",
    "name_network_file",
    "own_architecture",
    "rounded",
    "save_model",
    "sized_architecture",
    "weight_count",
]

_LAZY = {
    "Model": "model",
    "load_model": "model",
    "save_model": "model",
    "Network": "network",
    "build_network": "network",
    "weight_count": "network",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
