"""The source of a cluster: every match once, whoever dies; weights and proven states for all."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pytest
from athenan import Error, Stop
from athenan._core import MatchRecord, ResolvedMemory
from athenan.cluster.messages import packed
from athenan.cluster.proven import KEPT
from athenan.cluster.source import ClusterSource
from athenan.learning import merged
from athenan.learning.learner import prepare_thread
from athenan.learning.training import Training
from athenan.networks import build_network
from cluster.in_process import CPU, MATCHES, assert_each_match_once, sourced, trained
from fake_ray import FakeCluster
from small_runs import small_config
from sources import Recorded, Watched

TWO_NETWORKS: dict[str, Any] = {"selfplay": {"networks": 2}}


STAGES: dict[str, Any] = {
    "stages": [
        {"matches": 7, "search": "descent:expansions=3", "values_weight": 0.5},
        {"matches": 5, "search": "ubfm:expansions=4", "selection": "ordinal"},
    ]
}


@pytest.mark.parametrize("more", [{}, TWO_NETWORKS, STAGES], ids=["plain", "two", "stages"])
def test_one_match_at_a_time_is_the_single_process_to_the_bit(
    more: dict[str, Any], closing: list[Any]
) -> None:
    """The same weights for each match, the same seeds, the same learning: the same network."""
    one = merged(more, {"selfplay": {"matches": 1}})
    prepare_thread()
    alone = Training(small_config(CPU, {"stop": {"matches": MATCHES}}, one))
    closing.append(alone)
    for _ in alone.events():
        pass
    beyond, watched = trained(FakeCluster(2), closing, one)
    assert_each_match_once(beyond, watched)
    assert beyond.counters.learned == alone.counters.learned
    assert beyond.counters.generated == alone.counters.generated
    assert beyond.counters.expansions == alone.counters.expansions
    pairs = [(alone.network, beyond.network)]
    if alone.rival is not None and beyond.rival is not None:
        pairs.append((alone.rival.network, beyond.rival.network))
    assert len(pairs) == (2 if more is TWO_NETWORKS else 1)
    for mine, theirs in pairs:
        for name, value in mine.state_dict().items():
            assert np.array_equal(value.numpy(), theirs.state_dict()[name].numpy()), name


@pytest.mark.parametrize("silently", [0, 1])
def test_every_match_is_learned_once_whoever_dies(silently: int, closing: list[Any]) -> None:
    cluster = FakeCluster(3)
    chance = random.Random(5)
    deaths = 0

    def before_each_wait() -> None:
        nonlocal deaths
        busy = [actor for actor in cluster.actors if actor.calls and actor.inner]
        if busy and chance.random() < 0.4:
            chance.choice(busy).die(silently=silently)
            deaths += 1

    cluster.ray.before_each_wait = before_each_wait
    training, watched = trained(cluster, closing, {"selfplay": {"matches": 6}})
    assert deaths >= 3
    assert_each_match_once(training, watched)
    source = watched.inner
    assert isinstance(source, ClusterSource)
    assert source.crew.losses >= 2
    assert source.handed_out_again >= 1


def test_what_is_learned_is_what_a_single_process_learns_of_the_same_matches(
    closing: list[Any],
) -> None:
    cluster = FakeCluster(2)
    training, watched = trained(cluster, closing)
    again = Recorded(watched.ended)
    again_from = {record.index: record for record in watched.ended}
    order = iter([record.index for record in watched.ended])

    def step(_stop: Stop | None = None) -> list[MatchRecord]:
        index = next(order)
        again.waiting.remove(index)
        return [again_from[index]]

    again.step = step  # type: ignore[method-assign]
    alone = Training(training.config, source=again)
    closing.append(alone)
    for _ in alone.events():
        pass
    assert alone.counters.generated == training.counters.generated
    assert alone.counters.learned == training.counters.learned
    assert alone.counters.expansions == training.counters.expansions


def test_a_record_that_comes_twice_is_handed_over_once(closing: list[Any]) -> None:
    source, _, config = sourced(FakeCluster(1), {"selfplay": {"matches": 2}})
    closing.append(source)
    played = Training(config)
    closing.append(played)
    records = Watched(played.local_source())
    played.source = records
    for _ in played.events():
        pass
    worker: Any = type("Worker", (), {"tasks": {}})()
    record = records.ended[0]
    source.add(record.index, record.seed, 0.0)
    for _ in range(2):
        source._take(worker, packed(record))
    assert source.duplicates == 1
    assert len(source._ended) == 1


def test_at_rest_no_order_is_under_way_and_nothing_is_lost(closing: list[Any]) -> None:
    source, plan, config = sourced(FakeCluster(2), {"selfplay": {"matches": 4}})
    closing.append(source)
    source.take_weights(build_network(config.network, plan.game, 1))
    source.prepare(Stop())
    for index in range(4):
        source.add(index, index, 0.0)
    ended: list[int] = []
    while len(ended) < 4:
        ended += [record.index for record in source.step()]
        source.rest()
        assert not any(worker.calls for worker in source.crew.workers)
    assert sorted(ended) == [0, 1, 2, 3]


def test_nothing_is_handed_over_while_a_worker_is_a_generation_behind(closing: list[Any]) -> None:
    source, _, config = sourced(FakeCluster(2), {"selfplay": {"matches": 4}})
    closing.append(source)
    training = Training(config, source=source)
    source.prepare(Stop())
    for index in range(4):
        source.add(index, index, 0.0)
    while not source._ended and not source.step():
        pass
    slow = next(worker for worker in source.crew.ready if worker.tasks)
    source._handed += 100
    source.take_weights(training.network)
    slow.handed_at, slow.calls = 0, slow.calls
    assert source._is_too_stale
    slow.handed_at = source._handed
    for other in source.crew.ready:
        other.handed_at = source._handed
    assert not source._is_too_stale


def test_workers_take_weights_before_a_sixteenth_of_a_generation_has_passed(
    closing: list[Any],
) -> None:
    _, watched = trained(FakeCluster(2), closing, {"selfplay": {"matches": 8}})
    source = watched.inner
    assert isinstance(source, ClusterSource)
    assert source._weights is not None
    assert source._weights.version > MATCHES / 2
    assert all(0 <= state.staleness <= 8 for state in source.workers)


def test_the_processor_time_of_workers_ends_a_training(closing: list[Any]) -> None:
    """Here workers are in this process: each second of theirs counts as one of its own, too."""
    seconds = 3.0
    limits = {"stop": {"matches": 0, "cpu_minutes": seconds / 60}}
    source, plan, config = sourced(FakeCluster(2), limits)
    training = Training(config, plan=plan, source=source)
    closing.append(training)
    before = time.process_time()
    for _ in training.events():
        pass
    spent = time.process_time() - before
    assert source.cpu_seconds > 0
    assert training.counters.matches > 0
    training.state()
    assert training.counters.cpu_seconds >= seconds
    assert training.counters.cpu_seconds <= spent + source.cpu_seconds
    assert spent < seconds


def test_a_deterministic_training_is_refused() -> None:
    with pytest.raises(Error, match="a deterministic training plays on one machine"):
        sourced(FakeCluster(1), {"hardware": {"deterministic": True}})


def test_workers_know_what_others_have_proven(closing: list[Any]) -> None:
    cluster = FakeCluster(2)
    training, watched = trained(
        cluster,
        closing,
        {"selfplay": {"resolved_memory": True, "search": "descent:expansions=20"}},
        {"selfplay": {"forget_matches": 20}},
    )
    assert_each_match_once(training, watched)
    known = training.study.resolved
    assert isinstance(known, ResolvedMemory)
    assert len(known) > 0
    shared = [len(actor.inner._memory) for actor in cluster.actors if actor.inner]
    assert min(shared) > 0


def test_the_number_of_matches_is_the_workers_where_it_is_open(closing: list[Any]) -> None:
    source, _, config = sourced(FakeCluster(2), {"selfplay": {"matches": 0}})
    closing.append(source)
    assert source.suits is None
    training = Training(config, source=source)
    source.prepare(Stop())
    assert source.suits is not None
    few, many = source.suits
    assert 16 <= few <= many
    training._suit(source)
    assert training.concurrency == many


def test_matches_are_spread_over_all_workers(closing: list[Any]) -> None:
    source, _, _ = sourced(FakeCluster(5), {"selfplay": {"matches": 8}})
    closing.append(source)
    source.prepare(Stop())
    for index in range(8):
        source.add(index, index, 0.0)
    source._send()
    assert sorted(len(worker.tasks) for worker in source.crew.workers) == [1, 1, 2, 2, 2]


def test_a_worker_without_matches_counts_for_nothing(closing: list[Any]) -> None:
    """Its weights are not old, and what was proven is not kept for it."""
    source, _, config = sourced(FakeCluster(3), {"selfplay": {"matches": 2}})
    closing.append(source)
    training = Training(config, source=source)
    source.take_resolved(ResolvedMemory())
    source.prepare(Stop())
    for index in range(2):
        source.add(index, index, 0.0)
    record = None
    while record is None:
        record = next(iter(source.step()), None)
    source.add(2, 2, 0.0)
    source._send()
    idle = next(worker for worker in source.crew.ready if not worker.tasks)
    data = packed(record)
    busy = next(worker for worker in source.crew.ready if worker.tasks)
    for _ in range(KEPT + 50):
        source._under_way.add(record.index)
        source._take(busy, data)
        busy.told = source._proven.news(busy.told)[2]
    assert len(source._proven._parts) <= KEPT + 1
    source._handed += 100
    source.take_weights(training.network)
    states = {state.name: state for state in source.crew.states(source._handed)}
    assert states[idle.name].staleness == 0
