"""Trainings whose workers are in this process, beyond a Ray that is none."""

from __future__ import annotations

from typing import Any

from athenan.cluster.source import ClusterSource
from athenan.learning.concurrency import Plan
from athenan.learning.training import Training
from fake_ray import FakeCluster
from small_runs import small_config
from sources import Watched

# The precision is given: what is left open is measured, in each process for itself.
CPU = {"hardware": {"threads": 1, "backend": "torch", "precision": "float32"}}
MATCHES = 30


def sourced(
    cluster: FakeCluster, *changes: Any, workers: int = 0
) -> tuple[ClusterSource, Plan, Any]:
    config = small_config(CPU, {"stop": {"matches": MATCHES}}, *changes)
    plan = Plan.of(config)
    return ClusterSource(cluster, config, plan, workers), plan, config


def trained(cluster: FakeCluster, closing: list[Any], *changes: Any) -> tuple[Training, Watched]:
    source, plan, config = sourced(cluster, *changes)
    watched = Watched(source)
    training = Training(config, plan=plan, source=watched)
    closing.append(training)
    for _ in training.events():
        pass
    return training, watched


def assert_each_match_once(training: Training, watched: Watched) -> None:
    ended = [record.index for record in watched.ended]
    assert sorted(ended) == list(range(MATCHES))
    assert training.counters.matches == MATCHES
    assert training.counters.unfinished == []
