"""The types of the C++ core that Python tools see are the ones that the core has."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "python" / "athenan" / "_core.pyi"
PATTERNS = ROOT / "cpp" / "bindings" / "stubs.pat"


def generated(folder: Path) -> str:
    output = folder / "_core.pyi"
    arguments = ["-q", "-m", "athenan._core", "-p", str(PATTERNS), "-o", str(output)]
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", *arguments],
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    return output.read_text()


def test_the_committed_stubs_are_those_of_the_core(tmp_path: Path) -> None:
    assert generated(tmp_path) == COMMITTED.read_text(), "make stubs writes them anew"


def test_the_stubs_are_shipped() -> None:
    assert (COMMITTED.parent / "py.typed").is_file()
    assert "def initial_state(self) -> State" in COMMITTED.read_text()
