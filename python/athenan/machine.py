"""What this machine lets the process use."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

__all__ = ["available_cores", "available_memory", "megabytes_per_tree"]

LARGEST_TREE = 10**6  # megabytes: the most that a search accepts
CGROUP_LIMITS = (  # the limit of a container and what it uses already, in the two versions
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def available_memory() -> int:
    """Return the bytes that can still be allocated without swapping; 0 if that is unknown."""
    bounds = [_system_memory()]
    for limit, used in CGROUP_LIMITS:
        with contextlib.suppress(OSError, ValueError):  # absent, or the word "max"
            bounds.append(int(Path(limit).read_text()) - int(Path(used).read_text()))
    return max(0, min(bounds))


def megabytes_per_tree(trees: int) -> int:
    """Return the `memory_mb` of each of so many trees that share half of the available memory.

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
