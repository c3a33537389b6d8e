"""What follows from the settings of a learning process."""

from __future__ import annotations

import torch

from athenan._core import Error, Game
from athenan.evaluators.network import NetworkEvaluator, network_evaluator
from athenan.learning.settings import Config
from athenan.networks import build_network, sized_architecture
from athenan.networks.network import Network


def network_of(config: Config, game: Game) -> Network:
    """Build the network that the settings describe."""
    architecture = config.network
    if config.weights:
        architecture = sized_architecture(round(config.weights), game, architecture)
    return build_network(architecture, game, config.seed)


def evaluator_of(config: Config, network: Network) -> NetworkEvaluator:
    """Make the evaluator of self-play; its backend is measured unless the run is deterministic."""
    hardware = config.hardware
    measured = hardware.backend == "auto" and not hardware.deterministic
    return network_evaluator(
        network,
        device=torch_device(hardware.device).type,
        threads=hardware.threads,
        precision=hardware.precision,
        backend="fastest" if measured else hardware.backend,
    )


def playing_search(config: Config) -> str:
    """Return the search that plays best with what this process learns."""
    algorithm = config.selfplay.search.partition(":")[0]
    player = {"descent": "ubfm-safe", "ubfm": "ubfm-safe", "minimax": "alphabeta"}
    return f"{player.get(algorithm, algorithm)}:terminal={config.selfplay.terminal}"


def torch_device(name: str) -> torch.device:
    """Return the device; "auto" is the GPU if there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda" and not torch.cuda.is_available():
        raise Error("hardware.device is cuda, and torch finds no CUDA device")
    return torch.device(name)
