"""The connection to a cluster: what is no cluster is refused at once, and in one sentence."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from athenan import Error
from athenan.cluster.connection import connected
from athenan.commands import main


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
