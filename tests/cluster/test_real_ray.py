"""Self-play on a real cluster of Ray, with several machines in one, and workers that are killed."""

from __future__ import annotations

import os
import random
import signal
from typing import Any

import pytest
from athenan.cluster import Cluster, ClusterSource
from athenan.learning import complete_config, merged, preset
from athenan.learning.concurrency import Plan
from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from athenan.networks import build_network
from small_games import EXPANSIONS, MATCHES, SETTINGS, machine, mistakes
from small_runs import small_config
from sources import Watched

CPU = {"hardware": {"threads": 1, "backend": "torch"}}


def train_and_kill(cluster: Cluster, matches: int, kills: int, *changes: Any) -> ClusterSource:
    """Train with four workers, of which one dies now and then; look that each match counts once."""
    limits = {"stop": {"matches": matches}, "selfplay": {"matches": 8}}
    config = small_config(CPU, limits, *changes)
    plan = Plan.of(config)
    source = ClusterSource(cluster, config, plan, workers=4)
    watched = Watched(source)
    training = Training(config, plan=plan, source=watched)
    chance, generated, learned = random.Random(7), 0, 0
    killed: list[int] = []
    try:
        for event in training.events():
            if not isinstance(event, MatchLearned):
                continue
            generated, learned = generated + event.generated, learned + event.learned
            alive = [each.ready.pid for each in source.crew.ready if each.ready and each.tasks]
            alive = [pid for pid in alive if pid not in killed]
            due = event.at.matches >= matches * (len(killed) + 1) / (kills + 1)
            if len(killed) < kills and alive and due:
                killed.append(chance.choice(alive))
                os.kill(killed[-1], signal.SIGKILL)
    finally:
        training.close()
    assert len(killed) == kills
    ended = [record.index for record in watched.ended]
    assert sorted(ended) == list(range(matches))
    counters = training.counters
    assert counters.unfinished == []
    assert (counters.matches, counters.generated, counters.learned) == (
        matches,
        generated,
        learned,
    )
    return source


def test_four_workers_of_which_two_are_killed(cluster: Cluster) -> None:
    source = train_and_kill(cluster, 60, 2)
    assert source.crew.losses == 2
    assert source.handed_out_again > 0
    assert source.work.evaluations > 0


@pytest.mark.slow
def test_twenty_workers_are_killed(cluster: Cluster) -> None:
    source = train_and_kill(cluster, 600, 20)
    assert source.crew.losses == 20


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tic_tac_toe", "hex:size=3"])
def test_four_workers_learn_as_one_process_does(cluster: Cluster, game: str) -> None:
    """The same examination as of a single process, which now and then leaves a mistake too."""
    limits: dict[str, Any] = {"game": game, "seed": 4, "stop": {"matches": MATCHES}}
    beside = {"hardware": {"threads": 1, "deterministic": False}}
    config = complete_config(merged(merged(merged(preset("small"), SETTINGS), beside), limits))
    plan = Plan.of(config)
    source = ClusterSource(cluster, config, plan, workers=4)
    training = Training(config, plan=plan, source=source)
    try:
        for _ in training.events():
            pass
    finally:
        training.close()
    untrained = build_network(config.network, training.game, config.seed)
    ignorant = mistakes(machine(training, untrained, EXPANSIONS))
    learned = mistakes(machine(training, training.network, EXPANSIONS))
    print(f"{game}: {len(learned)} mistakes, {len(ignorant)} without learning: {learned}")
    assert len(ignorant) > 10
    assert len(learned) <= 2
