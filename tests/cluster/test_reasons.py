"""What goes wrong on another machine is told here in one sentence."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path
from typing import Any

import pytest
from athenan import Error, Stop, make_game
from athenan.arena import Tournament, distinct_openings, player
from athenan.cluster import Cluster, ClusterSource, ClusterTrainers, play_as_tasks
from athenan.cluster.connection import connected
from athenan.cluster.reasons import own_version, raised, reason, refuse_another_version
from athenan.cluster.shares import Share
from athenan.learning.concurrency import Plan
from athenan.runs import Run
from athenan.runs.session import Session
from fake_ray import FakeCluster
from small_runs import small_config

CPU = {"hardware": {"threads": 2, "backend": "torch"}}
MISSING = """The remote function failed to import on the worker. This may be because ['/a', '/b']:

Traceback (most recent call last):
  File "function_manager.py", line 314, in fetch
ModuleNotFoundError: No module named 'athenan.cluster'; 'athenan' is not a package
"""
MISMATCH = """Version mismatch: The cluster was started with:
    Ray: 2.40.0
    Python: 3.12.1
This process on 10.0.0.1 was started with:
    Ray: 2.60.0
"""


def test_many_lines_become_one_sentence() -> None:
    assert reason(None) == "no reason given"
    assert reason(ValueError()) == "ValueError"
    assert reason(ValueError("one\ntwo")) == "one"
    assert reason(ValueError("\x1b[36mray::play()\x1b[39m died")) == "ray::play() died"
    assert reason(RuntimeError(MISMATCH)) == (
        "Version mismatch: The cluster was started with: Ray: 2.40.0 Python: 3.12.1 "
        "This process on 10.0.0.1 was started with: Ray: 2.60.0"
    )
    sentence = (
        "athenan could not be imported there (ModuleNotFoundError: No module named "
        "'athenan.cluster'; 'athenan' is not a package): every machine needs the same version"
    )
    assert reason(RuntimeError(MISSING)) == raised(RuntimeError(MISSING)) == sentence
    assert raised(Error("no such game")) == "no such game"
    assert raised(KeyError("b")) == "KeyError: 'b'"


def test_a_cluster_with_another_version_of_ray_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")

    def init(**_: object) -> None:
        raise RuntimeError(MISMATCH)

    monkeypatch.setattr(ray, "init", init)
    with pytest.raises(Error, match=r"Ray: 2\.40\.0.*Ray: 2\.60\.0"), connected("auto"):
        pass


def test_ray_tells_of_lost_workers_apart_from_what_commands_print(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cluster.nodes
    import ray._private.worker as inner

    page = {"lines": ["\x1b[36mA worker died. To troubleshoot:\nread the logs"], "pid": "raylet"}
    inner.print_to_stdstream(page, ignore_prefix=False)
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "Ray: A worker died\n")
    assert "print_to_stdstream(" in inspect.getsource(inner.listen_error_messages)


def test_a_worker_with_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    config = small_config(CPU, {"hardware": {"threads": 1}})
    monkeypatch.setattr("athenan.cluster.crew.own_version", lambda: "9.9")
    source = ClusterSource(FakeCluster(1), config, Plan.of(config))
    version = own_version().replace(".", r"\.")
    sentence = rf"^worker 1 failed: \S+ has athenan {version}, and the machine of the command 9\.9:"
    with pytest.raises(Error, match=sentence):
        source.prepare(Stop())
    refuse_another_version(own_version())


def test_what_an_older_version_cannot_read_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The version is looked at first."""
    from athenan.cluster.parts import play_part
    from athenan.cluster.trainer import Trainer
    from athenan.cluster.worker import SelfPlayWorker

    def loads(_data: bytes) -> Any:
        raise AssertionError

    monkeypatch.setattr(pickle, "loads", loads)
    with pytest.raises(Error, match=r"9\.9"):
        SelfPlayWorker().begin("9.9", b"")
    with pytest.raises(Error, match=r"9\.9"):
        play_part(("9.9", b"", ()), [0], 1)
    with pytest.raises(Error, match=r"9\.9"):
        Trainer().train("9.9", {})


def test_machines_without_athenan_are_told_of(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the machine without it has two cores."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['athenan'] = None\n")
    machines = cluster.machines  # type: ignore[attr-defined]
    with monkeypatch.context() as patched:
        patched.setenv("PYTHONPATH", str(tmp_path))
        node = machines.add_node(num_cpus=2, object_store_memory=10**8)
    sentence = r"athenan could not be imported there \(ModuleNotFoundError: .*\): every[^\n]*$"
    config = small_config(CPU)
    try:
        source = ClusterSource(cluster, config, Plan.of(config))
        with pytest.raises(Error, match=f"^worker 1 dies whenever it begins: {sentence}"):
            source.prepare(Stop())
        source.close()
        game = make_game("tic_tac_toe")
        players = tuple(player(text, game) for text in ("mcts:iterations=30", "random"))
        cup = Tournament(game, players, distinct_openings(game, 4), matches=4)
        with pytest.raises(Error, match=f"^a worker failed: {sentence}"):
            list(cup.play(play=play_as_tasks(cluster, 2)))
        run = Run(tmp_path / "run")
        session = Session(run, config)
        session.begin()
        session.close()
        training = ClusterTrainers(cluster, Share(2)).begin(run)
        while not training.has_ended:
            training.wait(0.1)
        with pytest.raises(Error, match=sentence):
            training.check()
    finally:
        machines.remove_node(node)
