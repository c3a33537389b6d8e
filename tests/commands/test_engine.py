"""`athenan engine` as a process: what it refuses, how it ends, how soon it stops."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time

import pytest
from athenan.commands import main
from commands.complaints import complaint_of
from processes import ENVIRONMENT

PROMPTLY = 5.0
"""Seconds, on a busy machine; an idle one takes some hundredths."""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["xboard"], "there is no protocol 'xboard'; there are"),
        (["gtp", "--game", "hex"], "gtp does not play hex: it plays go; ugi plays every game"),
        (["ugi"], "none of the players is a model, so the game must be named"),
        (["ugi", "--game", "nothing"], "nothing"),
        (["ugi", "--game", "hex", "--model", "nobody"], "there is no player 'nobody'"),
        (["gtp", "--seconds", "1", "--expansions", "5"], "exclude each other"),
        (["uci", "--game", "othello:size=6"], "UCI has no variant for othello:size=6"),
        (["htp", "--game", "havannah", "--dialect", "x"], "has no dialect 'x' of havannah"),
        (["gtp", "--model", "models/nothing.safetensors"], "there is no player"),
    ],
)
def test_what_it_refuses(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert sentence in complaint_of(capsys, "engine", *arguments)


def test_the_game_of_a_protocol_for_one_game_need_not_be_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("athenan-position\nquit\n"))
    assert main(["engine", "gtp", "--expansions", "5"]) == 0
    assert capsys.readouterr().out == "= 9/9/9/9/9/9/9/9/9 X\n\n=\n\n"


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "athenan", "engine", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


def test_what_has_a_limit_is_answered_when_the_input_ends() -> None:
    process = started("ugi", "--game", "hex:size=5", "--seed", "1")
    out, problems = process.communicate("position startpos\ngo nodes 30\n", timeout=60)
    assert out.splitlines()[-1].startswith("bestmove ")
    assert (process.returncode, problems) == (0, "")


def test_nobody_thinks_on_when_the_client_is_gone() -> None:
    """A limit that takes for ever is answered when the input ends, but only if anybody listens."""
    process = started("ugi", "--game", "hex:size=11", "--model", "mcts")
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write("isready\ngo nodes 999999999999\n")
        process.stdin.flush()
        assert process.stdout.readline() == "readyok\n"
        process.stdin.close()
        time.sleep(0.2)
        assert process.poll() is None
        process.stdout.close()
        process.wait(timeout=60)
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("how", ["quit", "end", "terminate", "close"])
def test_it_ends_promptly_while_it_thinks(how: str) -> None:
    process = started("ugi", "--game", "hex:size=11", "--model", "mcts")
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write("go infinite\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("info ")
        since = time.monotonic()
        if how == "quit":
            process.stdin.write("quit\n")
            process.stdin.flush()
        elif how == "end":
            process.stdin.close()
        elif how == "terminate":
            process.send_signal(signal.SIGTERM)
        else:  # the client is gone: nobody reads, nobody writes
            process.stdout.close()
            process.stdin.close()
        process.wait(timeout=60)
        assert time.monotonic() - since < PROMPTLY
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
