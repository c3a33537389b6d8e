"""Every game of the registry can be trained end to end, at a small size and budget.

A run is started, stopped at a checkpoint and resumed; what it learned shows in the error on the
states of its matches, against the error of the network it began with.
"""

from pathlib import Path

import numpy as np
import pytest
import torch
from athenan import Game, game_names, make_game
from athenan._core import encode_packed
from athenan.arena import play_matches, player, tally_of
from athenan.learning import complete_config, merged, preset
from athenan.learning.table import Data
from athenan.networks import build_network, load_model, save_model
from athenan.networks.network import Network
from athenan.runs.run import Run
from athenan.runs.session import Session

SMALL = {
    "connect_four": "connect_four:rows=4,columns=5",
    "hex": "hex:size=4",
    "othello": "othello:size=4",
    "breakthrough": "breakthrough:rows=5,columns=4",
    "amazons": "amazons:size=6",
    "clobber": "clobber:rows=4,columns=4",
    "go": "go:size=3",
    "outer_open_gomoku": "outer_open_gomoku:size=6",
    "connect6": "connect6:size=6",
    "havannah": "havannah:size=3",
    "surakarta": "surakarta:no_capture=10",
    "xiangqi": "xiangqi:no_capture=20",
}
SETTINGS = {
    "network": {"filters": 8, "blocks": 1, "dense": [16]},
    "selfplay": {"search": "ubfm:expansions=1", "matches": 2},
    "learning": {
        "pretraining": 256,
        "batch_size": 16,
        "replay": {"size": 2, "duplication": 30},
        "adam": {"learning_rate": 3e-3},
    },
    "evaluation": {"opponent": ""},
    "checkpoints": {"every_minutes": 0},
    "hardware": {"device": "cpu", "threads": 1, "deterministic": True},
}


def error(network: Network, game: Game, data: Data) -> float:
    """The mean squared error on states with their values."""
    planes = torch.from_numpy(encode_packed(game, data.states, np.arange(len(data)), 1)).float()
    with torch.inference_mode():
        return float((network(planes) - torch.from_numpy(data.values)).square().mean())


@pytest.mark.parametrize("name", game_names())
def test_a_run_learns_stops_and_resumes(name: str, tmp_path: Path) -> None:
    settings = merged(merged(preset("small"), SETTINGS), {"game": SMALL.get(name, name)})
    config = complete_config(settings | {"stop": {"matches": 2}})
    run = Run(tmp_path / "run")
    first = Session(run, config)
    first.begin()
    first.train()
    first.close()
    longer = config.model_copy(update={"stop": config.stop.model_copy(update={"matches": 3})})
    second = Session(run, longer)
    second.resume()
    assert second.training.counters.matches == 2
    second.train()
    second.close()
    assert second.training.counters.matches == 3
    model = load_model(run.model)
    game = make_game(config.game)
    learned = second.training.study.memory.table.all()
    untrained = build_network(config.network, game, config.seed)
    assert error(model.network, game, learned) < 0.97 * error(untrained, game, learned)
    if game.datasheet.players == 2:
        plays_to_the_end(game, run.path)


def plays_to_the_end(game: Game, run: Path) -> None:
    """Two matches with what was learned, and no crash on the way; it is too little to win by."""
    learner, opponent = player(f"{run}@expansions=2", game), player("random", game)
    counts = tally_of(play_matches(game, learner, opponent, 2, workers=1)).counts
    assert counts.matches == 2


def test_what_was_learned_beats_who_plays_anything(tmp_path: Path) -> None:
    """And it is what was learned: the same search with the untrained network does worse."""
    changes = {
        "game": "connect_four:rows=4,columns=5",
        "selfplay": {"search": "descent:expansions=10", "matches": 8},
        "learning": {"replay": {"size": 40, "duplication": 3}},
        "stop": {"matches": 120},
    }
    config = complete_config(merged(merged(preset("small"), SETTINGS), changes))
    session = Session(Run(tmp_path / "run"), config)
    session.begin()
    game = session.training.game
    save_model(tmp_path / "untrained.safetensors", session.training.model)
    session.train()
    session.close()
    scores = [
        tally_of(
            play_matches(game, player(f"{tmp_path / name}@expansions=1", game), opponent, 60)
        ).counts.score
        for opponent in [player("random", game)]
        for name in ("run", "untrained.safetensors")
    ]
    assert scores[0] > 0.8
    assert scores[0] > scores[1] + 0.1
