"""What a container leaves to a process: cores and memory, in both versions of its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from athenan import machine

GB = 1 << 30


@pytest.fixture
def container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(machine, "CONTAINER", tmp_path)
    monkeypatch.setattr(machine, "_system_memory", lambda: 64 * GB)
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: set(range(8)), raising=False)
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"{text}\n")


NEW = {"memory.max": "{limit}", "memory.current": "{used}", "memory.stat": "inactive_file {files}"}
OLD = {
    "memory/memory.limit_in_bytes": "{limit}",
    "memory/memory.usage_in_bytes": "{used}",
    "memory/memory.stat": "cache 5\ntotal_inactive_file {files}",
}


@pytest.mark.parametrize("files", [NEW, OLD])
@pytest.mark.parametrize(
    ("used", "of_files", "free"), [(1, 0, 3), (4, 3, 3), (3, 1, 2), (4, 0, 0), (0, 0, 4)]
)
def test_files_in_memory_count_as_free(
    files: dict[str, str], used: int, of_files: int, free: int, container: Path
) -> None:
    values = {"limit": 4 * GB, "used": used * GB, "files": of_files * GB}
    write(container, {name: text.format(**values) for name, text in files.items()})
    assert machine.available_memory() == max(1, free * GB), "0 would say that it is unknown"


@pytest.mark.parametrize("limit", ["max", str(1 << 62)])
def test_a_container_without_a_limit_has_the_memory_of_the_machine(
    limit: str, container: Path
) -> None:
    write(container, {"memory.max": limit, "memory.current": str(GB)})
    assert machine.available_memory() == 64 * GB


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, 8),
        ({"cpu.max": "max 100000"}, 8),
        ({"cpu.max": "200000 100000"}, 2),
        ({"cpu.max": "150000 100000"}, 2),
        ({"cpu.max": "10000 100000"}, 1),
        ({"cpu.max": "6400000 100000"}, 8),
        ({"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"}, 3),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, 8),
    ],
)
def test_a_container_may_have_fewer_cores(
    files: dict[str, str], cores: int, container: Path
) -> None:
    write(container, files)
    assert machine.available_cores() == cores
