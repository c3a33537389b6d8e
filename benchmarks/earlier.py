"""The cost of the engine compared with an earlier commit: the same searches, with free values.

    python benchmarks/earlier.py 11de373 --core 1

Both engines run the cases of `engine_cost.cpp` in turns on one core, and the least processor time
of each counts: other load only adds to it. With --instructions, valgrind counts instead what the
load of the machine does not change. A case in which the two did not do the same is marked.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

import athenan

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "earlier"


@dataclass(frozen=True)
class Case:
    """A search, or with slots a pool of self-play, and how often, or how many matches."""

    game: str
    search: str
    work: int
    slots: int = 0

    @property
    def arguments(self) -> list[str]:
        return [self.game, self.search, str(self.slots), str(self.work)]


CASES = [
    Case("hex:size=11", "descent:expansions=100", 40),
    Case("hex:size=11", "descent:expansions=3000", 3),
    Case("hex:size=11", "descent:expansions=30000", 1),
    Case("hex:size=11", "descent:expansions=3000,completion=false", 3),
    Case("hex:size=11", "ubfm-safe:expansions=100", 40),
    Case("hex:size=11", "ubfm-safe:expansions=3000", 3),
    Case("hex:size=11", "ubfm-safe:expansions=10000", 1),
    Case("othello", "descent:expansions=100", 200),
    Case("othello", "descent:expansions=10000", 3),
    Case("othello", "ubfm-safe:expansions=10000", 3),
    Case("breakthrough", "descent:expansions=10000", 3),
    Case("breakthrough", "ubfm-safe:expansions=10000", 3),
    Case("connect_four", "descent:expansions=20000", 3),
    Case("connect_four", "ubfm-safe:expansions=20000", 3),
    Case("arimaa", "descent:expansions=5000", 3),
    Case("arimaa", "ubfm-safe:expansions=5000", 3),
    Case("hex:size=11", "uct:iterations=20000", 3),
    Case("othello", "uct:iterations=20000", 3),
    Case("hex:size=11", "alphabeta:expansions=3000", 3),
    Case("othello", "alphabeta:expansions=10000", 3),
    Case("connect_four", "alphabeta:expansions=20000", 3),
    Case("hex:size=11", "descent:expansions=50", 128, slots=64),
    Case("othello", "descent:expansions=50", 256, slots=64),
    Case("connect_four", "ubfm-safe:expansions=50", 1000, slots=32),
]


def call(*command: str | Path) -> str:
    return subprocess.run(
        list(map(str, command)), cwd=ROOT, check=True, text=True, capture_output=True
    ).stdout


def program(sources: Path, library: Path, name: str) -> Path:
    """Link the cases with an engine."""
    out = FOLDER / name / "engine_cost"
    out.parent.mkdir(parents=True, exist_ok=True)
    here = Path(__file__).with_name("engine_cost.cpp")
    flags = ["-O2", "-std=c++20", f"-I{sources / 'cpp'}", "-pthread"]
    call(os.environ.get("CXX", "c++"), *flags, here, library, "-o", out)
    return out


def present() -> Path:
    """Link with the engine of this working tree, which the import of athenan has just compiled."""
    assert Path(athenan.__file__).is_relative_to(ROOT), "run it in an editable install"
    built = sorted((ROOT / "build").glob("*cpython*/libathenan_engine.a"), key=os.path.getmtime)
    return program(ROOT, built[-1], "present")


def earlier(commit: str) -> Path:
    """Compile the engine of a commit, once."""
    name = call("git", "rev-parse", "--short", commit).strip()
    sources, build = FOLDER / name / "source", FOLDER / name / "build"
    if not sources.exists():
        call("git", "worktree", "add", "--detach", sources, name)
    if not (build / "libathenan_engine.a").exists():
        call("cmake", "-S", sources, "-B", build, "-DATHENAN_PYTHON=OFF")
        call("cmake", "--build", build, "--target", "athenan_engine", "-j2")
    return program(sources, build / "libathenan_engine.a", name)


def processor_time(engine: Path, case: Case, prefix: list[str]) -> tuple[float, str]:
    """Return seconds, and what was done."""
    seconds, done = call(*prefix, engine, *case.arguments).split(" ", 1)
    return float(seconds), done


def instructions(engine: Path, case: Case) -> tuple[float, str]:
    """Return millions of them, and what was done."""
    valgrind = [
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
    ]
    ended = subprocess.run(
        [*valgrind, str(engine), *case.arguments],
        check=True,
        text=True,
        capture_output=True,
    )
    counted = re.search(r"I\s+refs:\s+([\d,]+)", ended.stderr)
    assert counted
    return int(counted[1].replace(",", "")) / 1e6, ended.stdout.split(" ", 1)[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", help="the earlier one")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--core", type=int, help="on which both run")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--only", default="", help="cases whose text contains this")
    given = parser.parse_args()
    engines = earlier(given.commit), present()
    prefix = ["taskset", "-c", str(given.core)] if given.core is not None else []
    unit = "million instructions" if given.instructions else "seconds of the processor"
    print(f"{'case':55} {given.commit:>10} {'now':>10} {'ratio':>7}   ({unit})")
    ratios = []
    for case in CASES:
        text = shlex.join(case.arguments)
        if given.only not in text:
            continue
        if given.instructions:
            results = [[instructions(engine, case) for engine in engines]]
        else:
            results = [
                [processor_time(engine, case, prefix) for engine in engines]
                for _ in range(given.turns)
            ]
        before, now = (min(turn[k][0] for turn in results) for k in (0, 1))
        mark = "" if results[0][0][1] == results[0][1][1] else "  not the same work"
        ratios.append(now / before)
        print(f"{text:55} {before:10.4g} {now:10.4g} {now / before:7.3f}{mark}", flush=True)
    print(f"ratios from {min(ratios):.3f} to {max(ratios):.3f}, mean {statistics.mean(ratios):.3f}")


if __name__ == "__main__":
    main()
