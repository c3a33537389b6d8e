"""What follows from the settings of a learning process."""

from __future__ import annotations

import torch

from athenan._core import Error, Game
from athenan.evaluators.cpu_backends import fastest_backend
from athenan.evaluators.network import NetworkEvaluator, network_evaluator
from athenan.games.measure import random_matches
from athenan.learning.estimate import matches_at_a_time
from athenan.learning.settings import Config
from athenan.machine import available_cores
from athenan.networks import build_network, sized_architecture
from athenan.networks.network import Network


def network_of(config: Config, game: Game) -> Network:
    """Build the network that the settings describe."""
    architecture = config.network
    if config.weights:
        architecture = sized_architecture(round(config.weights), game, architecture)
    return build_network(architecture, game, config.seed)


def evaluator_of(config: Config, network: Network, game: Game) -> NetworkEvaluator:
    """Make the evaluator of self-play.

    On a CPU its backend is the fastest one with the batches of a thread's share of the matches, or
    of a single match; a deterministic process does not measure.
    """
    hardware = config.hardware
    device = torch_device(hardware.device).type
    threads = hardware.threads or available_cores()
    backend: str = hardware.backend
    if device == "cpu" and backend == "auto" and not hardware.deterministic:
        matches = config.selfplay.matches or matches_at_a_time(game, device)
        branching = random_matches(game, 10).mean_branching
        batch = round(branching * max(1, matches / threads))
        backend = fastest_backend(network, batch, min(threads, matches))
    return network_evaluator(
        network, device=device, threads=threads, precision=hardware.precision, backend=backend
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
        raise Error(
            "hardware.device is cuda, and torch finds no CUDA device; accepted are auto and cpu"
        )
    return torch.device(name)
