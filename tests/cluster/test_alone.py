"""A training on one machine has nothing of Ray in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from small_runs import small_flags

TRAIN = """
import sys
from athenan.commands import main

assert main(sys.argv[1:]) == 0
found = [name for name in sys.modules if name.split(".")[0] == "ray" or "athenan.cluster" in name]
assert not found, found
"""


def test_a_training_without_workers_imports_nothing_of_ray(tmp_path: Path) -> None:
    flags = small_flags({"stop": {"matches": 4}})
    arguments = ["train", *flags, "--run", str(tmp_path / "run")]
    done = subprocess.run(
        [sys.executable, "-c", TRAIN, *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 matches learned" in done.stdout
