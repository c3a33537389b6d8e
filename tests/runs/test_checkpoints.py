"""Checkpoints: whole or refused, and never lost."""

import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from athenan import Error
from athenan.runs.checkpoint import (
    checkpoints_in,
    latest_readable,
    prune,
    read_checkpoint,
    write_checkpoint,
)
from numpy.typing import NDArray

ARRAYS: dict[str, NDArray[Any]] = {
    "a": np.arange(1000, dtype=np.float32).reshape(10, 100),
    "b": np.arange(7, dtype=np.uint64),
    "empty": np.empty((0, 5), np.uint8),
    "number": np.array(3.5, np.float32),
}
VALUES = {"counters": {"matches": 12}, "random": {"state": 2**127 + 5}}


def test_a_checkpoint_reads_back_as_it_was(tmp_path: Path) -> None:
    path = write_checkpoint(tmp_path / "checkpoints", 12, ARRAYS, VALUES)
    arrays, values = read_checkpoint(path)
    assert values == VALUES
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert np.array_equal(arrays[name], array)
    assert list((tmp_path / "checkpoints").iterdir()) == [path]


def test_a_damaged_checkpoint_is_refused_and_the_one_before_is_taken(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 1, ARRAYS, VALUES)
    path = write_checkpoint(tmp_path, 2, ARRAYS, VALUES)
    whole = path.read_bytes()
    for place in range(0, len(whole), 97):
        damaged = bytearray(whole)
        damaged[place] ^= 0x11
        path.write_bytes(damaged)
        with pytest.raises(Error, match="000000002") as refusal:
            read_checkpoint(path)
        assert "\n" not in str(refusal.value).strip()
        assert latest_readable(tmp_path)[0].name == "000000001.safetensors"
    for length in range(0, len(whole), 211):
        path.write_bytes(whole[:length])
        with pytest.raises(Error, match="000000002"):
            read_checkpoint(path)


def test_a_folder_without_checkpoints_says_so(tmp_path: Path) -> None:
    with pytest.raises(Error, match="there is no checkpoint"):
        latest_readable(tmp_path)


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    for number in range(5):
        write_checkpoint(tmp_path, number, ARRAYS, VALUES)
    (tmp_path / ".000000009.safetensors.0a1b.tmp").write_bytes(b"half")
    (tmp_path / "000000008.tmp").write_bytes(b"half, as older versions named it")
    prune(tmp_path, 2)
    assert [path.stem for path in checkpoints_in(tmp_path)] == ["000000003", "000000004"]
    assert not list(tmp_path.glob("*.tmp"))


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from athenan import Error
from athenan.runs.checkpoint import write_checkpoint
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    write_checkpoint(Path(sys.argv[1]), 2, {"big": np.zeros(1_000_000)}, {})
except Error as problem:
    print(problem)
else:
    print("written?")
"""


def test_a_full_disk_leaves_the_previous_checkpoint(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 1, ARRAYS, VALUES)
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "could not be written" in done.stdout, done.stderr
    assert "previous checkpoint is intact" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["000000001.safetensors"]
    assert latest_readable(tmp_path)[2] == VALUES
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 20_000
