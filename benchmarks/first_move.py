"""The time from the command to the first move: what a person waits for besides the thinking.

    python benchmarks/first_move.py [NAME...] --seconds 0.1 --runs 3

`athenan play NAME --second` is run in its own process, as a person runs it. Wall time depends on
the load of the machine; processor time is that of all threads, thinking included.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from typing import NamedTuple

from athenan.zoo import zoo

PROGRAM = "import sys; from athenan.commands import main; sys.exit(main())"


class Wait(NamedTuple):
    """What one start took, in seconds."""

    wall: float
    """Until the move was there."""
    processor: float
    """Until the process had ended."""


def start(name: str, seconds: float) -> Wait:
    arguments = ["play", name, "--second", "--seconds", f"{seconds:g}", "--seed", "1"]
    began, before = time.perf_counter(), os.times()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        wall = 0.0
        for line in process.stdout:
            if not wall and line.startswith(f"{name} plays "):
                wall = time.perf_counter() - began
    after = os.times()
    used = after.children_user + after.children_system
    return Wait(wall, used - before.children_user - before.children_system)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.1, help="of thinking")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    for name in given.names or zoo():
        waits = [start(name, given.seconds) for _ in range(given.runs)]
        wall = min(wait.wall for wait in waits)
        processor = min(wait.processor for wait in waits)
        print(f"{name}: {wall:.2f} s until the move, {processor:.2f} s of processor time")


if __name__ == "__main__":
    main()
