"""Small games are learned to perfection, from their rules alone, in seconds.

The player with the learned network never gives away what it could hold; the same player with an
untrained network does, so that it is the network that knows.
"""

from __future__ import annotations

import pytest
from athenan.learning import merged
from athenan.learning.settings import Overrides
from athenan.learning.training import Training
from athenan.networks import build_network
from small_games import EXPANSIONS, MATCHES, Machine, machine, mistakes, points_lost, trained

# One process is the same at every run; others, with learning beside self-play, are not.
PROCESSES = [
    (3, True),
    *(pytest.param(seed, False, marks=pytest.mark.slow) for seed in range(4, 9)),
]
# Too many positions to see them all: best moves lead to those that matter in perfect play.
LARGER_GAMES = {
    "selfplay": {"selection": "epsilon-greedy:schedule=fixed,exploitation=0.3"},
    "learning": {"symmetry": True, "batch_size": 256, "replay": {"duplication": 2}},
}


def on_two_threads(deterministic: bool) -> Overrides:
    return {"hardware": {"threads": 2, "deterministic": deterministic}}


def machines(training: Training, expansions: int) -> tuple[Machine, Machine]:
    """Players with the learned network and with the one that learning began with."""
    untrained = build_network(training.network.architecture, training.game, training.config.seed)
    learned, ignorant = (
        machine(training, network, expansions) for network in (training.network, untrained)
    )
    return learned, ignorant


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", pytest.param("hex:size=3", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("seed", "deterministic"), PROCESSES)
def test_no_mistake_in_any_position_that_can_be_met(
    name: str, seed: int, deterministic: bool
) -> None:
    training = trained(name, MATCHES, seed, on_two_threads(deterministic))
    learned, ignorant = machines(training, EXPANSIONS)
    assert len(mistakes(ignorant)) > 10
    assert mistakes(learned) == []


@pytest.mark.parametrize(
    ("name", "matches"),
    [
        ("connect_four:rows=4,columns=4", 500),
        pytest.param("hex:size=4", 350, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize(("seed", "deterministic"), PROCESSES)
def test_optimal_against_a_perfect_opponent(
    name: str, matches: int, seed: int, deterministic: bool
) -> None:
    training = trained(name, matches, seed, merged(on_two_threads(deterministic), LARGER_GAMES))
    learned, ignorant = machines(training, expansions=200)
    assert points_lost(ignorant, plies=4, count=20) > 5
    assert points_lost(learned, plies=4, count=20) == 0
