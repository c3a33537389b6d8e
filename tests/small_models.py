"""Model files with networks so small that they cost nothing; what they play is not good."""

from __future__ import annotations

from pathlib import Path

import athenan
import pytest


def write_model(path: Path, game_id: str, search: str, policy: bool = False) -> None:
    torch = pytest.importorskip("torch")
    from athenan.networks import Architecture, Model, build_network, save_model

    torch.set_num_threads(1)
    game = athenan.make_game(game_id)
    shape = {"filters": 4, "blocks": 0, "dense": (4,), "policy": policy}
    network = build_network(Architecture.model_validate(shape), game, seed=1)
    save_model(path, Model(network, game.id, search))
