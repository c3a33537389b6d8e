"""Standard streams that are closed, full, without a reader or poor in characters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from processes import ENVIRONMENT

ATHENAN = f"{sys.executable} -m athenan"


def run(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", command],
        env={**ENVIRONMENT, **environment},
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_poor_characters_are_enough(encoding: str) -> None:
    ended = run(f"{ATHENAN} games hex", PYTHONIOENCODING=encoding)
    assert ended.returncode == 0
    assert b"hex" in ended.stdout.decode(encoding).encode()
    assert ended.stderr == b""


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_traceback(closed: str) -> None:
    assert run(f"{ATHENAN} show hex {closed}").returncode == 0
    ended = run(f"{ATHENAN} play tic_tac_toe --opponent random {closed} < /dev/null")
    assert b"Traceback" not in ended.stderr


def test_a_reader_that_leaves_is_no_traceback() -> None:
    for command in ("show hex", "games hex"):
        ended = run(f"set -o pipefail; {ATHENAN} {command} | true")
        assert ended.returncode in (0, 1), command  # 0 if all was written before
        assert ended.stderr == b"", command


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_one_sentence() -> None:
    ended = run(f"{ATHENAN} show hex > /dev/full")
    assert ended.returncode == 2
    assert ended.stderr.count(b"\n") == 1
    assert b"No space left" in ended.stderr


def test_the_shell_completes_commands(tmp_path: Path) -> None:
    words = {"COMP_WORDS": "athenan tra", "COMP_CWORD": "1", "HOME": str(tmp_path)}
    ended = run(ATHENAN, _ATHENAN_COMPLETE="complete_bash", **words)
    assert ended.stdout.split() == [b"train"], ended
