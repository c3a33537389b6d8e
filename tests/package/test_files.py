"""Files: whole or absent, sealed, and held by one process at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from athenan import Error
from athenan.files import (
    locked,
    read_sealed,
    remove_leftovers,
    replacing,
    write_bytes,
    write_sealed,
    write_text,
)
from processes import ENVIRONMENT

ARRAYS = {"a": np.arange(12.0).reshape(3, 4), "none": np.empty((0, 2), np.uint8)}
VALUES = {"text": "é", "number": 2**70}


def test_a_file_is_replaced_at_once_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_text(file, "né\n")
    write_bytes(file, b"new")
    with pytest.raises(TypeError), replacing(file) as temporary:
        temporary.write_text(len("half"))  # type: ignore[arg-type]
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


def test_leftovers_of_killed_writes_are_removed(tmp_path: Path) -> None:
    for name in (".model.safetensors.0a1b.tmp", "000000008.tmp", "kept.txt"):
        (tmp_path / name).touch()
    remove_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_a_sealed_file_reads_back_and_any_damage_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "x.safetensors"
    write_sealed(file, "thing", 3, ARRAYS, VALUES)
    arrays, values = read_sealed(file, "thing", 3)
    assert values == VALUES
    assert all(np.array_equal(arrays[name], ARRAYS[name]) for name in ARRAYS)
    with pytest.raises(Error, match="not a checkpoint of athenan"):
        read_sealed(file, "checkpoint", 3)
    with pytest.raises(Error, match="has the format 3, and this athenan reads 4"):
        read_sealed(file, "thing", 4)
    whole = file.read_bytes()
    for place in range(0, len(whole), 17):
        damaged = bytearray(whole)
        damaged[place] ^= 0x11
        file.write_bytes(damaged)
        with pytest.raises(Error, match=r"x\.safetensors"):
            read_sealed(file, "thing", 3)


HOLD = """
import sys
from pathlib import Path
from athenan.files import locked
with locked(Path(sys.argv[1])) as held:
    print(held, flush=True)
    sys.stdin.readline()
"""


def test_one_process_at_a_time_holds_a_lock(tmp_path: Path) -> None:
    lock = tmp_path / ".lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(lock)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with locked(lock) as held:
            assert not held
        other.kill()
        other.wait()
    with locked(lock) as held:
        assert held
