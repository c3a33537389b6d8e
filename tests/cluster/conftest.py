"""Real clusters of Ray, one per module: three machines of one core each, on this machine."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from athenan.cluster import Cluster, connected

LOCK = Path(tempfile.gettempdir()) / f"athenan-tests-of-the-cluster-{os.getuid()}"
TRIES = 3  # Ray gives a machine 30 seconds to start, which a busy one may need


def patiently(start: Callable[..., Any], **options: Any) -> Any:
    """Start something of Ray; once more where the machine was too busy."""
    for _ in range(TRIES - 1):
        try:
            return start(**options)
        except Exception as problem:
            if "timed out" not in str(problem):
                raise
    return start(**options)


@pytest.fixture
def closing() -> Iterator[list[Any]]:
    """What is put into this list is closed when the test has ended."""
    opened: list[Any] = []
    yield opened
    for each in opened:
        each.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """The process that gets it first has it alone: no two clusters share the cores."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'athenan[cluster]'")
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 (Ray spells it so)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_agent_register_timeout_ms"] = "60000"  # noqa: SIM112
    os.environ["RAY_AUTH_MODE"] = "disabled"  # whatever token this machine has
    import ray
    from ray.cluster_utils import Cluster as Machines

    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        options = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 2 * 10**8}
        machines = patiently(Machines, initialize_head=True, head_node_args=options)
        for _ in range(3):
            patiently(machines.add_node, num_cpus=1, object_store_memory=10**8)
        try:
            with connected(machines.address) as connection:
                connection.machines = machines  # type: ignore[attr-defined]
                yield connection
        finally:
            ray.shutdown()
            machines.shutdown()
