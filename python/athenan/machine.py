"""What this machine lets the process use."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

__all__ = ["available_cores", "available_memory", "megabytes_per_tree"]

LARGEST_TREE = 10**6  # megabytes: the most that a search accepts
CONTAINER = Path("/sys/fs/cgroup")
"""What the container of this process may use, if it has one, and what it uses."""
CORES = (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"))
"""Time of the processor per period, in the two versions of such files."""
MEMORY = (
    ("memory.max", "memory.current", "memory.stat", "inactive_file"),
    (
        "memory/memory.limit_in_bytes",
        "memory/memory.usage_in_bytes",
        "memory/memory.stat",
        "total_inactive_file",
    ),
)
"""Likewise the limit, what is used, and what of it holds files that were read or written once."""


def available_cores() -> int:
    """Return how many cores this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    bounds = [cores or 1]
    for files in CORES:
        found = _numbers(*files)
        if len(found) == 2 and min(found) > 0:
            quota, period = found
            bounds.append(-(-quota // period))
    return min(bounds)


def available_memory() -> int:
    """Return the bytes that can still be allocated without swapping; 0 if that is unknown.

    What files take counts as free: it is given back where somebody needs it.
    """
    system = _system_memory()
    bounds = [system] if system else []
    for limit, used, statistics, files in MEMORY:
        if len(found := _numbers(limit, used)) == 2:
            bounds.append(found[0] - found[1] + _statistic(statistics, files))
    return max(1, min(bounds)) if bounds else 0


def _numbers(*files: str) -> list[int]:
    """Return the numbers in files of the container; none if one is absent or says "max"."""
    with contextlib.suppress(OSError, ValueError):
        return [int(word) for file in files for word in (CONTAINER / file).read_text().split()]
    return []


def _statistic(file: str, name: str) -> int:
    with contextlib.suppress(OSError, ValueError):
        lines = (line.split() for line in (CONTAINER / file).read_text().splitlines())
        return sum(int(number) for key, number in lines if key == name)
    return 0


def megabytes_per_tree(trees: int) -> int:
    """Return the `memory_mb` of each of several trees that share half of the available memory.

    A search of a second grows its tree by some 100 MB, and keeps it for the whole match.
    """
    if not (memory := available_memory()):
        return 0  # no limit
    return min(max(1, memory // (2 * trees << 20)), LARGEST_TREE)


def _system_memory() -> int:
    with contextlib.suppress(OSError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 0
