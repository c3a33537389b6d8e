"""Clients that talk nonsense: it is answered or passed over, and sense is heard after it.

The slow test says 1,200 nonsensical things to each protocol; processes of their own meet pipes that
close and lines without end.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import athenan
import pytest
from athenan.dialects import dialect_for
from athenan.dialects.othello import write_ggf
from athenan.protocols import PROTOCOLS, Settings, protocol_entry
from processes import ENVIRONMENT
from protocols.test_faults import GAMES

PROTOCOL_GAMES = {**GAMES, "json": GAMES["ugi"]}
GGF = write_ggf(dialect_for("nboard", GAMES["nboard"]), GAMES["nboard"].initial_state(), [])
UCI = ["position startpos", "go nodes 3"]
PROBES = {
    "gtp": (["boardsize 5", "clear_board", "genmove b"], r"= ([A-E][1-5]|pass)\n"),
    "htp": (["boardsize 3", "clear_board", "genmove black"], r"= [a-c][1-3]\n"),
    "uci": (["setoption name UCI_Variant value breakthrough", *UCI], r"bestmove \w{4}\b.*"),
    "ucci": (UCI, r"bestmove \w{4}\b.*"),
    "uai": (UCI, r"bestmove \w{2,4}\b.*"),
    "ugi": (UCI, r"bestmove \w+\b.*"),
    "nboard": ([f"set game {GGF}", "go"], r"=== [A-F][1-6]/.*"),
    "aei": (["newgame", "go"], r"bestmove \w+.*"),
    "gomocup": (["DONE", "INFO rule 1", "START 9", "BEGIN"], r"\d,\d"),
    "hub": (["level nodes=3", "pos", "go think"], r"done move=\d+-\d+.*"),
    "json": (['{"id": 7, "position": "3/3/3 x"}'], r'{"id": 7.*'),
}
"""What makes an engine say a move, whatever it heard before, and its answer."""
WORDS = """- 0 -1 1e999 nan é = " ' %s%n ../.. name value moves startpos fen { [1 null pass resign
 a1 b white 1,1 z99"""
TRICKY = [*WORDS.split(), "", " ", "\x00", "\x1b[2J", "\ufffd", "9" * 20, "x" * 10_000]


def nonsense(words: list[str], random: athenan.Random) -> Iterator[str]:
    """Yield lines: words of the protocol with arguments that make no sense, cut off, or joined."""

    def one(of: list[str]) -> str:
        return of[random.below(len(of))]

    while True:
        line = " ".join([one(words), *(one(TRICKY + words) for _ in range(random.below(4)))])
        kind = random.below(8)
        if kind == 0:
            line = line[: random.below(len(line) + 1)]  # half a line
        elif kind == 1:
            line = one(TRICKY)
        elif kind == 2:
            line = "".join(chr(random.below(0x300)) for _ in range(random.below(60)))
        yield line


def words_of(conversation: object) -> list[str]:
    commands = getattr(conversation, "_commands", None) or getattr(conversation, "commands", {})
    found = [word for word in commands if word not in ("quit", "END")]
    return found or ['{"id": 1, "position": "3/3/3 x"}', '{"id": 2}', '{"cancel": 1}']


def converse_badly(protocol: str, lines: int, seed: int) -> None:
    """Talk nonsense, then ask for a move."""
    heard: list[str] = []
    game = PROTOCOL_GAMES[protocol]
    settings = Settings(model="ubfm-safe", expansions=2, seed=1)
    conversation = protocol_entry(protocol).protocol(game, settings, heard.append)
    try:
        conversation.greet()
        random = athenan.Random(seed)
        said = nonsense(words_of(conversation), random)
        for _ in range(lines):
            line = next(said)
            assert conversation.hear(line) or line.split()[:1] in (["quit"], ["END"])
        begun, (probe, answer) = len(heard), PROBES[protocol]
        for line in probe:
            conversation.hear(line)
        conversation.finish()
        assert any(re.fullmatch(answer, each) for each in heard[begun:]), heard[begun:]
    finally:
        conversation.close()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_sense_is_heard_after_nonsense(protocol: str) -> None:
    converse_badly(protocol, 100, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_thousand_nonsensical_lines(protocol: str) -> None:
    for seed in range(2, 14):
        converse_badly(protocol, 100, seed)


FLOOD = b"noise " * 20_000
BAD_ENDS = {
    "half a line": b"isready\ngo nod",
    "no line at all": FLOOD * 20,
    "bytes": bytes(range(256)) * 50 + b"\nisready\n",
    "nothing": b"",
}


@pytest.mark.parametrize("end", BAD_ENDS)
def test_a_process_ends_with_its_client(end: str) -> None:
    """The input ends with what makes no sense: no complaint, no process that stays."""
    process = _started()
    out, problems = process.communicate(b"isready\n" + BAD_ENDS[end], timeout=100)
    assert out.startswith(b"readyok\n")
    assert (process.returncode, problems) == (0, b"")


def test_a_client_that_never_listens() -> None:
    """It asks and asks, and reads no answer: the pipe fills, and its end frees us."""
    process = _started()
    assert process.stdin
    assert process.stdout
    os.set_blocking(process.stdin.fileno(), False)
    asked, until = 0, time.monotonic() + 100
    while asked < 400_000 and time.monotonic() < until:
        try:
            asked += os.write(process.stdin.fileno(), b"isready\n" * 500)
        except BlockingIOError:
            break  # it waits for us to read
    process.stdout.close()
    process.stdin.close()
    try:
        process.wait(timeout=100)
        assert process.returncode != -signal.SIGKILL
    finally:
        process.kill()
        process.wait()


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "athenan", "engine", "ugi", "--game", "tic_tac_toe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
