"""What one worker gets of the machines of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from athenan._core import Error

WORKER_CORES = 8  # of a worker without a GPU, where nobody says how many workers there are
STEPS = 10_000  # in which Ray counts a GPU

Nodes = Sequence[dict[str, float]]
"""What each machine has, in Ray's words."""


@dataclass(frozen=True)
class Share:
    """What one worker gets of a machine."""

    cpus: int
    gpus: float = 0.0


def fair_share(nodes: Nodes, threads: int, on_cpu: bool, workers: int) -> Share:
    """Return what each of so many workers gets: a GPU or a part of one, or a group of cores.

    Without a number of workers it is one GPU, or a group of cores. A share has a place somewhere.
    """
    usable = [node for node in nodes if node.get("CPU")]
    if not usable:
        raise Error(
            "the cluster has no machine with cores for work yet: ray start --address=... on one "
            "begins to share it"
        )
    cards = [] if on_cpu else [node for node in usable if node.get("GPU")]
    share = _of_cards(cards, threads, workers) if cards else _of_cores(usable, threads, workers)
    if not room(usable, share):
        what = f"a worker of {share.cpus} threads" + (" and a GPU" if cards else "")
        largest = int(max(node["CPU"] for node in cards or usable))
        raise Error(f"{what} fits on no machine of the cluster: the largest has {largest} cores")
    return share


def room(nodes: Nodes, share: Share) -> int:
    """Return how many workers with this share there is room for."""
    return sum(
        int(min(node.get("CPU", 0) / share.cpus, _per(node.get("GPU", 0), share.gpus)))
        for node in nodes
    )


def _of_cards(nodes: Nodes, threads: int, workers: int) -> Share:
    count = int(sum(node["GPU"] for node in nodes))
    together = max(1, -(-workers // count))  # workers on one GPU
    cores = min(node["CPU"] / node["GPU"] for node in nodes) / together
    return Share(threads or max(1, int(cores)), STEPS // together / STEPS)


def _of_cores(nodes: Nodes, threads: int, workers: int) -> Share:
    if threads or not workers:
        smallest = int(min(node["CPU"] for node in nodes))
        return Share(threads or max(1, min(WORKER_CORES, smallest)))
    largest = int(max(node["CPU"] for node in nodes))
    fitting = (cpus for cpus in range(largest, 1, -1) if room(nodes, Share(cpus)) >= workers)
    return Share(next(fitting, 1))


def _per(there: float, each: float) -> float:
    return there / each if each else float("inf")
