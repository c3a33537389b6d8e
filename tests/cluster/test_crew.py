"""The crew: workers that join, die, come back, hang or fail."""

from __future__ import annotations

import pickle
import time
from typing import Any

import pytest
from athenan import Error, Stop, Stopped
from athenan.cluster.crew import PATIENCE
from athenan.cluster.messages import Answer, Order, Setup, Task
from athenan.cluster.reasons import own_version
from athenan.cluster.worker import SelfPlayWorker
from athenan.learning.training import Training
from cluster.in_process import sourced
from fake_ray import FailedError, FakeCluster, GoneError, LostError, UnavailableError
from small_runs import small_config


def test_machines_that_join_get_workers(closing: list[Any]) -> None:
    cluster = FakeCluster(1)
    source, _, config = sourced(cluster, {"stop": {"matches": 60}, "selfplay": {"matches": 6}})
    training = Training(config, source=source)
    closing.append(training)
    for event in training.events():
        if event.at.matches == 3:
            cluster.processors = 3
            source.crew._next_look = 0.0
    assert len(cluster.actors) == 3
    assert all(worker.work.evaluations > 0 for worker in source.crew.workers)


def test_a_worker_that_cannot_live_ends_the_training(closing: list[Any]) -> None:
    cluster = FakeCluster(1)
    source, _, _ = sourced(cluster)
    closing.append(source)

    def before_each_wait() -> None:
        cluster.actors[0].die()

    cluster.ray.before_each_wait = before_each_wait
    with pytest.raises(Error, match="worker 1 dies whenever it begins: killed"):
        source.prepare(Stop())


def test_a_worker_on_its_way_back_is_waited_for(closing: list[Any]) -> None:
    cluster = FakeCluster(1)
    source, _, _ = sourced(cluster)
    closing.append(source)
    calls = 0

    def before_each_wait() -> None:
        nonlocal calls
        calls += 1
        if calls < 8:
            cluster.actors[0].die(problem=UnavailableError("restarting"))

    cluster.ray.before_each_wait = before_each_wait
    source.prepare(Stop())
    assert calls >= 8
    assert source.crew.is_complete


def test_what_a_worker_raises_is_told(closing: list[Any]) -> None:
    cluster = FakeCluster(1)
    source, _, _ = sourced(cluster)
    closing.append(source)
    source.prepare(Stop())
    source.add(0, 0, 0.0, [4, 4])
    source._send()
    with pytest.raises(Error, match="worker 1 failed: IllegalMoveError"):
        source._listen()


def test_only_a_worker_that_owes_an_answer_for_long_is_killed(closing: list[Any]) -> None:
    cluster = FakeCluster(1)
    source, _, config = sourced(cluster, {"selfplay": {"matches": 2}})
    training = Training(config, source=source)
    closing.append(training)
    source.prepare(Stop())
    (worker,) = source.crew.workers
    source.add(0, 0, 0.0)
    source._send()
    worker.heard -= 2 * PATIENCE
    cluster.actors[0].work()  # it has answered, while the learner did something else
    source.crew._next_look = 0.0
    source.crew.look_around()
    assert cluster.ray.killed == []
    worker.calls.popleft()
    source.crew._next_look = 0.0
    source.crew.look_around()
    assert cluster.ray.killed == cluster.actors


def test_a_worker_that_never_survives_an_order_ends_the_training(closing: list[Any]) -> None:
    cluster = FakeCluster(1)
    source, _, _ = sourced(cluster)
    closing.append(source)
    source.prepare(Stop())
    source.add(0, 0, 0.0)

    def before_each_wait() -> None:
        actor = cluster.actors[0]
        if actor.calls and actor.calls[0].method == "play":
            actor.die(problem=LostError("out of memory"))

    cluster.ray.before_each_wait = before_each_wait

    deadline = time.monotonic() + 60

    def steps() -> None:
        while time.monotonic() < deadline:
            source.step()

    with pytest.raises(Error, match="worker 1 dies whenever it plays: out of memory"):
        steps()


def test_an_order_that_could_not_be_fetched_is_given_again(closing: list[Any]) -> None:
    """What Ray raises for the arguments of a call is no mistake of the worker's."""
    cluster = FakeCluster(2)
    source, _, _ = sourced(cluster)
    closing.append(source)
    source.prepare(Stop())
    source.add(0, 0, 0.0)
    source._send()
    (busy,) = [actor for actor in cluster.actors if actor.calls]
    busy.die(problem=FailedError(GoneError("the object was lost")))
    ended: list[int] = []
    while not ended:
        ended += [record.index for record in source.step()]
    assert ended == [0]
    assert source.crew.losses == 1


def test_an_order_to_an_earlier_life_is_refused() -> None:
    answer = SelfPlayWorker().play(Order("another", 1.0), None)
    assert answer.life != "another"
    assert answer == Answer(answer.life)


def test_a_worker_of_two_threads_answers_while_it_plays_on() -> None:
    """Its lanes do not wait for one another: when one has a match, the other is under way."""
    wide = {"hardware": {"threads": 2, "backend": "torch"}, "selfplay": {"matches": 4}}
    config = small_config(wide, {"game": "hex:size=4"})
    worker = SelfPlayWorker()
    life = worker.begin(own_version(), pickle.dumps(Setup(config, (), 4))).life
    tasks = tuple(Task(index, index, 0.0, ()) for index in range(12))
    records = list(worker.play(Order(life, 0.01, tasks), None).records)
    deadline = time.monotonic() + 60
    while len(records) < len(tasks) and time.monotonic() < deadline:
        records += worker.play(Order(life, 0.01), None).records
    assert len(records) == len(tasks)


def test_a_request_to_stop_ends_the_wait_for_workers(closing: list[Any]) -> None:
    source, _, _ = sourced(FakeCluster(1))
    closing.append(source)
    stop = Stop()
    stop.request()
    with pytest.raises(Stopped):
        source.prepare(stop)
