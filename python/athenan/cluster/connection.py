"""The connection to Ray: a cluster of this machine alone, or one that is running."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from athenan._core import Error
from athenan.cluster.reasons import first_sentence, reason
from athenan.cluster.shares import Share, fair_share, room
from athenan.machine import available_cores

__all__ = ["Cluster", "Share", "connected"]

REACH = 10.0  # seconds to reach the head of a cluster
GREETING = b"\0"  # the first byte that the head sends to whoever connects: it speaks HTTP/2


class Cluster:
    """Ray, connected."""

    def __init__(self, ray: ModuleType, dashboard: str = "", *, grows: bool = True) -> None:
        self.ray: Any = ray
        self.dashboard = dashboard
        """The address of Ray's own page; empty if it has none."""
        self.grows = grows
        """Whether other machines may join."""

    @property
    def has_gpus(self) -> bool:
        """Whether any machine has a GPU."""
        return any(node.get("GPU", 0) for node in self.nodes)

    @property
    def nodes(self) -> list[dict[str, float]]:
        """What each living machine has, in Ray's words."""
        return [node["Resources"] for node in self.ray.nodes() if node["Alive"]]

    def share(self, threads: int, on_cpu: bool, workers: int) -> Share:
        """Return what a worker gets: a GPU or a part of one, or a group of cores."""
        return fair_share(self.nodes, threads, on_cpu, workers)

    def room(self, share: Share) -> int:
        """Return how many workers there is room for."""
        return room(self.nodes, share)

    def room_now(self, share: Share) -> int:
        """Return how many workers there is room for beside what others do."""
        return room([self.ray.available_resources()], share)

    def actor(self, kind: type, share: Share, **options: Any) -> Any:
        """Return a class whose instances live elsewhere, and come back when they are killed."""
        limits = {"num_cpus": share.cpus, "num_gpus": share.gpus}
        usual = {"max_restarts": -1, "max_task_retries": 0}
        return self.ray.remote(**(limits | usual | options))(kind)

    def is_raised(self, problem: Exception) -> bool:
        """Whether a worker raised this: Ray says so too where it lost what was to be worked on."""
        errors = self.ray.exceptions
        if not isinstance(problem, errors.RayTaskError):
            return False
        return not isinstance(getattr(problem, "cause", None), errors.ObjectLostError)

    def task(self, function: Any, share: Share) -> Any:
        """Return a function that runs elsewhere, once for each call."""
        limits = {"num_cpus": share.cpus, "num_gpus": share.gpus}
        return self.ray.remote(max_retries=0, **limits)(function)


@contextmanager
def connected(address: str | None = None, *, processes: int = 0) -> Iterator[Cluster]:
    """Connect to a running cluster, or start one of this machine, which ends with the block.

    `address` is "auto" for a cluster that this machine belongs to, or as in "10.0.0.1:6379". One
    of this machine has room for so many processes, even if it has fewer cores.
    """
    if address is not None:
        _refuse_unless_there(address)
    ray = _ray()
    if ray.is_initialized():
        yield Cluster(ray)  # whoever connected goes on with it
        return
    terminated = signal.getsignal(signal.SIGTERM)
    options: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
    if address is None:
        options |= {"num_cpus": max(processes, available_cores()), "address": "local"}
        # None: one that does not start, as on a busy machine, is done without.
        options |= {"include_dashboard": None if _has_dashboard() else False}
    else:
        options |= {"address": address}
    try:
        context = ray.init(**options)
    except Exception as problem:  # Ray raises plain ones too, as where a machine is too busy
        raise Error(_refusal(address, problem)) from None
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, terminated)  # Ray's own ends the process without a checkpoint
    try:
        _shorten_news()
        url = context.dashboard_url
        yield Cluster(ray, f"http://{url}" if url else "", grows=address is not None)
    finally:
        ray.shutdown()


def _refuse_unless_there(address: str) -> None:
    """Refuse an address at which Ray does not listen: it would be waited for for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) >= 1 << 16:
        raise Error(
            f"the address of a cluster is auto, or as in 10.0.0.1:6379, and not {address!r}"
        )
    try:
        with socket.create_connection((host, int(port)), REACH) as head:
            if not _has_encryption() and head.recv(1) != GREETING:
                raise ConnectionRefusedError("what listens there is not Ray's head")
    except OSError as problem:
        raise Error(_refusal(address, problem)) from None


def _has_encryption() -> bool:
    """Whether Ray is told to encrypt everything: its head does not speak first then."""
    return os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true")


def _ray() -> ModuleType:
    if importlib.util.find_spec("ray") is None:
        raise Error("a cluster needs Ray, which is not installed: pip install 'athenan[cluster]'")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
    # Workers are what the machine is for: they do not wait for everybody else.
    os.environ.setdefault("RAY_worker_niceness", "0")
    # A busy machine takes longer than Ray's 15 seconds to start what belongs to it.
    os.environ.setdefault("RAY_agent_register_timeout_ms", "60000")
    if _has_token():  # Ray itself shows it to a cluster that it finds by "auto" only
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    import ray

    return ray


def _shorten_news() -> None:
    """Let Ray tell of lost workers in a sentence each, apart from what commands print.

    There is no setting for it: Ray prints a page to where a command may write JSON.
    """
    import ray._private.worker as inner

    def tell(data: Any, **_: Any) -> None:
        for line in data["lines"]:
            print(f"Ray: {first_sentence(line)}", file=sys.stderr)

    inner.print_to_stdstream = tell  # type: ignore[assignment]


def _has_token() -> bool:
    """Whether this machine has a token for clusters that want one; others do not look at it."""
    named = any(os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"))
    return named or (Path.home() / ".ray" / "auth_token").is_file()


def _has_dashboard() -> bool:
    return all(importlib.util.find_spec(each) for each in ("aiohttp", "aiohttp_cors"))


def _refusal(address: str | None, problem: Exception) -> str:
    if address is None:
        return f"Ray could not be started on this machine: {reason(problem)}"
    return (
        f"there is no cluster at {address!r} ({reason(problem)}): start one with ray start --head, "
        "and name its address, or auto on one of its machines; where it wants a token, the file "
        "~/.ray/auth_token must be the same on all of them"
    )
