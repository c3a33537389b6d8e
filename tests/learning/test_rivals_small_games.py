"""Small games are learned to perfection by the rivals, too."""

import pytest
from athenan.networks import build_network
from rivals_learn import errors, trained_by


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("alphazero", "tic_tac_toe"),
        ("alphazero", "connect_four:rows=4,columns=4"),
        ("gumbel", "tic_tac_toe"),
        ("gumbel", "connect_four:rows=4,columns=4"),
        ("exit", "tic_tac_toe"),
    ],
)
def test_nothing_is_given_away(name: str, game: str) -> None:
    """The same player with an untrained network gives away what it could hold."""
    training = trained_by(name, game, 1, {})
    config = training.config
    untrained = build_network(config.network, training.game, config.seed)
    assert errors(name, training, untrained) > 3
    assert errors(name, training, training.network) == 0
