"""What each worker gets of the machines: so that all workers that are wanted have a place."""

from __future__ import annotations

import pytest
from athenan import Error
from athenan.cluster.connection import Cluster
from athenan.cluster.shares import Share
from athenan.cluster.source import ClusterSource
from athenan.learning.concurrency import Plan
from fake_ray import FakeRay
from small_runs import small_config

Nodes = list[dict[str, float]]


class Machines(Cluster):
    """A cluster of these machines."""

    def __init__(self, nodes: Nodes, *, grows: bool = True) -> None:
        super().__init__(FakeRay(), grows=grows)  # type: ignore[arg-type]
        self._nodes = nodes

    @property
    def nodes(self) -> Nodes:
        return self._nodes


def cores(*counts: int) -> Nodes:
    return [{"CPU": float(count)} if count else {} for count in counts]


def cards(*counts: int, cpus: int = 64) -> Nodes:
    return [{"CPU": float(cpus), "GPU": float(count)} for count in counts]


@pytest.mark.parametrize(
    ("nodes", "workers", "each"),
    [
        (cores(8, 8), 3, 4),  # fives would leave the third worker without a place
        (cores(8, 8), 2, 8),
        (cores(2), 5, 1),
        (cores(64), 4, 16),
        (cores(64), 0, 8),
        (cores(4, 64), 2, 32),
        (cores(0, 6), 0, 6),
    ],
)
def test_cores_are_shared_so_that_every_worker_has_a_place(
    nodes: Nodes, workers: int, each: int
) -> None:
    cluster = Machines(nodes)
    share = cluster.share(0, on_cpu=True, workers=workers)
    assert share == Share(each)
    if workers <= sum(node.get("CPU", 0) for node in nodes):
        assert cluster.room(share) >= workers


@pytest.mark.parametrize("workers", [0, 1, 2, 3, 5, 7, 13, 16, 29])
@pytest.mark.parametrize("nodes", [cards(1), cards(1, 1), cards(4, 2), [*cards(2), {"GPU": 1.0}]])
def test_cards_are_shared_so_that_every_worker_has_a_place(nodes: Nodes, workers: int) -> None:
    cluster = Machines(nodes)
    share = cluster.share(1, on_cpu=False, workers=workers)
    assert cluster.room(share) >= workers
    # Ray counts in steps of a ten-thousandth: what it rounds up must not be too much for a card.
    assert share.gpus == round(share.gpus, 4)
    assert round(1 / share.gpus - 0.5) * share.gpus <= 1
    with_cores = [node for node in nodes if node.get("CPU")]
    count = sum(node["GPU"] for node in with_cores)
    whole = 1 / max(1, -(-workers // count))
    assert whole - 1e-4 < share.gpus <= whole


def test_a_worker_that_fits_nowhere_is_refused() -> None:
    with pytest.raises(Error, match=r"8 threads fits on no machine.*: the largest has 2 cores$"):
        Machines(cores(2, 1)).share(8, on_cpu=True, workers=2)
    with pytest.raises(Error, match=r"128 threads and a GPU fits on no machine .* 64 cores$"):
        Machines(cards(1, 2)).share(128, on_cpu=False, workers=0)
    idle: list[Nodes] = [[], [{}], [{"GPU": 1.0}]]
    for nodes in idle:
        with pytest.raises(Error, match="the cluster has no machine with cores for work yet: "):
            Machines(nodes).share(0, on_cpu=True, workers=0)


def test_workers_that_must_wait_for_a_place_are_told_of() -> None:
    config = small_config({"hardware": {"threads": 2}})
    machines = Machines(cores(4, 4))
    assert ClusterSource(machines, config, Plan.of(config)).shortage == ""
    machines.ray.left = 2.0
    shortage = ClusterSource(machines, config, Plan.of(config)).shortage
    assert shortage.startswith("the cluster has room for 1 of 4 workers now: the others begin when")
    assert "for 1 of 9 workers" in ClusterSource(machines, config, Plan.of(config), 9).shortage


def test_workers_that_one_machine_has_no_room_for_are_refused() -> None:
    """Nobody joins a cluster of one machine: they would be waited for in vain."""
    config = small_config({"hardware": {"threads": 2}})
    alone = Machines(cores(3), grows=False)
    with pytest.raises(Error, match=r"2 workers of 2 threads each need 4 cores.* room for 1$"):
        ClusterSource(alone, config, Plan.of(config), workers=2)
    ClusterSource(Machines(cores(3)), config, Plan.of(config), workers=2)
