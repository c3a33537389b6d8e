"""The cluster's source: every match once, whoever dies when; weights and proven states for all."""

from __future__ import annotations

import pickle
import random
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from athenan import Error, Stop, Stopped
from athenan._core import MatchRecord, ParameterError, ResolvedMemory
from athenan.cluster.connection import connected
from athenan.cluster.crew import PATIENCE
from athenan.cluster.messages import LEVEL, Answer, Order, Setup, Task, packed, unpacked
from athenan.cluster.proven import KEPT
from athenan.cluster.reasons import own_version
from athenan.cluster.source import ClusterSource
from athenan.cluster.worker import SelfPlayWorker
from athenan.commands import main
from athenan.learning import merged
from athenan.learning.concurrency import Plan
from athenan.learning.learner import prepare_thread
from athenan.learning.training import Training
from athenan.networks import build_network
from fake_ray import FailedError, FakeCluster, GoneError, LostError, UnavailableError
from small_runs import small_config
from sources import Recorded, Watched

# The precision is given: what is left open is measured, in each process for itself.
CPU = {"hardware": {"threads": 1, "backend": "torch", "precision": "float32"}}
MATCHES = 30


@pytest.fixture
def closing() -> Iterator[list[Any]]:
    opened: list[Any] = []
    yield opened
    for each in opened:
        each.close()


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


def test_a_record_is_the_same_after_its_journey() -> None:
    from athenan import make_game
    from athenan._core import Mind, Pool

    game = make_game("hex:size=4")
    pool = Pool(game, [Mind("descent:expansions=8", "ordinal:schedule=uniform")], "tree")
    pool.add(3, 7, [5])
    while waiting := pool.collect():
        pool.resume(0, np.linspace(-1, 1, waiting, dtype=np.float32))
    (record,) = pool.take_finished()
    data = packed(record)
    other = unpacked(game, data)
    assert other.as_bytes() == record.as_bytes()
    assert (other.index, other.seed, other.moves, other.values) == (
        record.index,
        record.seed,
        record.moves,
        record.values,
    )
    assert (other.outcome, other.memory_full) == (record.outcome, record.memory_full)
    assert [vars_of(each) for each in other.spent] == [vars_of(each) for each in record.spent]
    for mine, its in ((other.targets[0], record.targets[0]), (other.targets[1], record.targets[1])):
        assert mine.dtype == its.dtype
        assert np.array_equal(mine, its)
    resolved = [(each.key, each.value, each.completion) for each in record.resolved]
    assert [(each.key, each.value, each.completion) for each in other.resolved] == resolved
    assert len(resolved) > 0
    assert len(data) < len(record.as_bytes()) / 2
    assert zlib.compress(record.as_bytes(), LEVEL) == data


def vars_of(spent: Any) -> tuple[int, int, int, int, float]:
    kinds = spent.expansions, spent.evaluations, spent.iterations, spent.transpositions
    return (*kinds, spent.seconds)


def test_bytes_that_are_no_record_are_refused() -> None:
    from athenan import make_game
    from athenan._core import Mind, Pool

    game = make_game("tic_tac_toe")
    pool = Pool(game, [Mind("descent:expansions=3", "ordinal:schedule=uniform")], "tree")
    pool.add(0, 1)
    while waiting := pool.collect():
        pool.resume(0, np.zeros(waiting, np.float32))
    whole = pool.take_finished()[0].as_bytes()
    for length in range(0, len(whole), 7):
        with pytest.raises(ParameterError, match="no record"):
            MatchRecord.from_bytes(game, whole[:length])
    with pytest.raises(ParameterError, match="no record"):
        MatchRecord.from_bytes(game, whole + b"\0")
    chance = random.Random(3)
    for _ in range(300):  # never a crash: refused, or another record
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 9)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with suppress(ParameterError):
            MatchRecord.from_bytes(game, bytes(data)).as_bytes()


def test_what_a_record_says_is_proven_is_finite_and_an_outcome() -> None:
    from athenan import make_game
    from athenan._core import Mind, Pool

    game = make_game("tic_tac_toe")
    pool = Pool(game, [Mind("descent:expansions=9", "ordinal:schedule=uniform")])
    pool.add(0, 1)
    while waiting := pool.collect():
        pool.resume(0, np.zeros(waiting, np.float32))
    (record,) = pool.take_finished()
    proven, whole = len(record.resolved), record.as_bytes()  # it ends with their v, then their c
    nan = np.float32("nan").tobytes()
    values = np.array(record.values, np.float32).tobytes()
    assert proven > 0
    assert MatchRecord.from_bytes(game, whole).resolved
    for wrong in (
        whole[:-1] + b"\x02",
        whole[: -proven - 4] + nan + whole[-proven:],
        whole.replace(values, nan + values[4:]),
    ):
        assert len(wrong) == len(whole)
        with pytest.raises(ParameterError, match="no record"):
            MatchRecord.from_bytes(game, wrong)


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


def test_a_request_to_stop_ends_the_wait_for_workers(closing: list[Any]) -> None:
    source, _, _ = sourced(FakeCluster(1))
    closing.append(source)
    stop = Stop()
    stop.request()
    with pytest.raises(Stopped):
        source.prepare(stop)


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


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("127.0.0.1:1", "there is no cluster at '127.0.0.1:1' .*: start one with ray start --head"),
        ("somewhere", "auto, or as in 10.0.0.1:6379, and not 'somewhere'"),
        ("10.0.0.1:70000", "not '10.0.0.1:70000'"),
        ("", "not ''"),
    ],
)
def test_an_address_without_a_cluster_is_refused_at_once(address: str, sentence: str) -> None:
    with pytest.raises(Error, match=sentence), connected(address):
        pass


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0"])
def test_an_address_of_something_else_is_refused(
    greeting: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of Ray's dashboard, which waits to be spoken to: Ray would wait too, for minutes."""
    monkeypatch.setattr("athenan.cluster.connection.REACH", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        def greet() -> None:
            caller, _ = server.accept()
            with caller, suppress(OSError):
                caller.sendall(greeting)
                caller.recv(1)

        threading.Thread(target=greet, daemon=True).start()
        why = "what listens there is not Ray's head" if greeting else "timed out"
        sentence = rf"there is no cluster at '{address}' \({why}\): start one"
        with pytest.raises(Error, match=sentence), connected(address):
            pass


def test_an_empty_address_is_not_taken_for_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As of a script whose variable is empty: one machine would train in the place of many."""
    run = tmp_path / "run"
    assert main(["train", "tic_tac_toe", "--cluster", "", "--run", str(run)]) != 0
    assert "as in 10.0.0.1:6379, and not ''" in capsys.readouterr().err
    assert not run.exists()


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Ray as it is before it has started; how it starts is up to the test."""
    ray = ModuleType("ray")
    monkeypatch.setattr(ray, "is_initialized", lambda: False, raising=False)
    monkeypatch.setattr(ray, "shutdown", lambda: None, raising=False)
    monkeypatch.setattr("athenan.cluster.connection._ray", lambda: ray)
    monkeypatch.setattr("athenan.cluster.connection._has_dashboard", lambda: True)
    return ray


def test_a_machine_that_is_too_busy_to_start_ray_is_one_sentence(
    starting: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def init(**_: object) -> None:
        raise Exception("The current node timed out during startup. This could be\nfor a reason")

    monkeypatch.setattr(starting, "init", init, raising=False)
    sentence = r"Ray could not be started on this machine: The current node timed out .* be$"
    with pytest.raises(Error, match=sentence), connected(processes=2):
        pass


def test_a_dashboard_that_does_not_start_is_done_without(
    starting: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def init(*, include_dashboard: bool | None, **_: object) -> SimpleNamespace:
        if include_dashboard:  # what is wanted must be: so Ray has it
            raise Exception("The last 20 lines of dashboard.log")
        return SimpleNamespace(dashboard_url="")

    monkeypatch.setattr(starting, "init", init, raising=False)
    with connected(processes=2) as cluster:
        assert cluster.dashboard == ""


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
