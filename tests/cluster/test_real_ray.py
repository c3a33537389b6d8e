"""Self-play on a real cluster of Ray, with several machines in one, and workers that are killed."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import processes
import pytest
from athenan.cluster import Cluster, ClusterSource
from athenan.cluster.reasons import reason
from athenan.cluster.shares import Share
from athenan.learning import complete_config, merged, preset
from athenan.learning.concurrency import Plan
from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from athenan.networks import build_network
from athenan.runs import Run
from athenan.runs.checkpoint import latest_readable
from small_games import EXPANSIONS, MATCHES, SETTINGS, machine, mistakes
from small_runs import saved_matches, small_config, small_flags
from sources import Watched

SETTINGS_OF_A_RUN = {"hardware": {"threads": 1}, "checkpoints": {"every_matches": 20}}
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


def self_players() -> list[int]:
    """The processes of Ray that play for a training."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::SelfPlayWorker"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def wait_until(holds: Callable[[], Any], seconds: float = 90.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_a_machine_joins_and_is_lost(cluster: Cluster) -> None:
    """It gets a worker; when it is gone, its matches are played by the others."""
    machines = cluster.machines  # type: ignore[attr-defined]
    config = small_config(CPU, {"stop": {"matches": 0}, "selfplay": {"matches": 10}})
    plan = Plan.of(config)
    source = ClusterSource(cluster, config, plan)
    watched = Watched(source)
    training = Training(config, plan=plan, source=watched)
    there = len(cluster.nodes)
    node, lost_at = None, 0
    try:
        for event in training.events():
            if not isinstance(event, MatchLearned):
                continue
            if node is None and event.at.matches >= 10:
                assert len(source.crew.workers) == there
                node = machines.add_node(num_cpus=1, object_store_memory=10**8)
                source.crew._next_look = 0.0
            newest = source.crew.workers[-1]
            if node and not lost_at and len(source.crew.workers) > there and newest.tasks:
                machines.remove_node(node, allow_graceful=False)
                lost_at = event.at.matches
            if lost_at and newest.lost and event.at.matches > lost_at + 30:
                training.stop.request()
    finally:
        training.close()
    assert source.crew.losses >= 1
    assert source.handed_out_again >= 1
    ended = [record.index for record in watched.ended]
    assert len(set(ended)) == len(ended) >= training.counters.matches


@pytest.mark.slow
def test_what_ray_lost_on_the_way_is_no_mistake_of_the_worker(cluster: Cluster) -> None:
    """Ray tells of both in the same way."""

    def zeros(count: int) -> bytes:
        return bytes(count)

    def count(data: bytes) -> int:
        return len(data)

    ray = cluster.ray
    machines = cluster.machines  # type: ignore[attr-defined]
    node = machines.add_node(num_cpus=2, object_store_memory=10**8)  # only it has two cores
    lost = cluster.task(zeros, Share(2)).remote(10**6)
    ray.wait([lost], fetch_local=False)
    machines.remove_node(node, allow_graceful=False)
    for argument, is_raised, why in (
        (lost, False, "Failed to retrieve"),
        (5, True, "object of type 'int'"),
    ):
        with pytest.raises(ray.exceptions.RayTaskError) as told:
            ray.get(cluster.task(count, Share(1)).remote(argument))
        assert cluster.is_raised(told.value) == is_raised
        assert reason(told.value).startswith(why)


@pytest.mark.slow
def test_the_learner_is_interrupted_and_killed_and_resumed(
    cluster: Cluster, tmp_path: Path
) -> None:
    """No match is learned twice or left out, and no worker outlives its learner."""
    run, address = tmp_path / "run", cluster.machines.address  # type: ignore[attr-defined]
    flags = small_flags(SETTINGS_OF_A_RUN, {"stop": {"matches": 400}})
    place = ["--cluster", address, "--workers", "2"]
    learner = processes.athenan("train", *flags, "--run", str(run), *place)
    checkpoints = run / "checkpoints"
    wait_until(lambda: any(checkpoints.glob("*.safetensors")) and saved_matches(run) >= 20)
    seconds, _ = processes.seconds_to_end(learner, signal.SIGINT)
    assert learner.returncode == 130
    assert seconds < 15
    wait_until(lambda: not self_players(), 20)
    before = saved_matches(run)
    assert 20 <= before < 400
    learner = processes.athenan("resume", str(run), *place)
    wait_until(lambda: saved_matches(run) >= before + 20)
    learner.send_signal(signal.SIGKILL)
    learner.communicate()
    assert before + 20 <= saved_matches(run) < 400
    wait_until(lambda: not self_players(), 60)
    learner = processes.athenan("resume", str(run), *place)
    out, problems = learner.communicate(timeout=120)
    assert learner.returncode == 0, out + problems
    _, _, values = latest_readable(Run(run).checkpoints)
    counters = values["counters"]
    assert (counters["matches"], counters["started"], counters["unfinished"]) == (400, 400, [])
