"""An engine that can be told to misbehave: python fake_engine.py PROTOCOL FAULT AT TURN...

It speaks any protocol, and answers in each match with the turns that it was given; without any it
plays whole matches of tic-tac-toe by UGI, always on the first free cell. It commits its fault when
it is asked for the AT-th move of its life, or at its start. It imports nothing of athenan, so that
it starts at once.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

LATE = 0.2
CELLS = [f"{column}{row}" for row in "123" for column in "abc"]


def say(text: str) -> None:
    print(text, flush=True)


def flood(stream: int, seconds: float = 1e9, text: bytes = b"noise " * 200 + b"\n") -> None:
    """Print for some seconds, or without end."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        os.write(stream, text)


def hang() -> None:
    while True:
        time.sleep(3600)


def die(code: int = 3) -> None:
    os._exit(code)


def complain_and_die() -> None:
    print("out of memory", file=sys.stderr, flush=True)
    die(1)


def ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def hang_deaf() -> None:
    ignore_signals()
    hang()


def close_and_hang(stream: int) -> None:
    os.close(stream)
    hang()


def leave_child() -> None:
    """Start a process of one's own that would live for an hour."""
    subprocess.Popen([sys.executable, "-S", "-E", "-c", "import time; time.sleep(3600)"])


def leave_child_and_die() -> None:
    leave_child()
    die(0)


def say_binary() -> None:
    os.write(1, b"\xff\xfe\x00\x80 \x9f\n")


FAULTS: dict[str, Callable[[], None]] = {
    "die": die,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "complain-and-die": complain_and_die,
    "hang": hang,
    "hang-deaf": hang_deaf,
    "late": lambda: time.sleep(LATE),
    "flood-stdout": lambda: flood(1),
    "flood-stderr": lambda: flood(2),
    "flood-then-answer": lambda: flood(1, 0.1),
    "complain-then-answer": lambda: flood(2, 0.1),
    "endless-line": lambda: flood(1, text=b"noise " * 200),
    "close-stdout": lambda: close_and_hang(1),
    "close-stdin": lambda: close_and_hang(0),
    "close-stderr": lambda: os.close(2),
    "child-and-die": leave_child_and_die,
    "child-then-answer": leave_child,
    "binary": say_binary,
}
"""What happens before the answer, if one follows."""
WRONG = {
    "illegal": "zz99",
    "empty": "",
    "long": "x" * 5000,
    "control": "\x1b[31m",
    "words": "i would rather not",
}
"""Answers that are no moves."""
AT_START = {"start-die": "die", "start-hang": "hang", "start-flood": "flood-stdout"}


class Engine:
    """What it answers, whatever the protocol."""

    def __init__(self, fault: str, at: int, turns: list[str]) -> None:
        self.fault, self.at, self.turns = fault, at, turns
        self.asked = self.made = 0
        self.taken: list[str] = []

    def begin(self) -> None:
        self.made = 0

    def answer(self) -> str:
        """Return the answer to a request for a move, after whatever goes wrong."""
        self.asked += 1
        self.made += 1
        free = [cell for cell in CELLS if cell not in self.taken]
        proper = (self.turns or free[:1] * self.made)[self.made - 1]
        if self.asked != self.at:
            return proper
        if self.fault == "again":
            return self.turns[0]
        if self.fault in WRONG:
            return WRONG[self.fault]
        if self.fault in FAULTS:
            FAULTS[self.fault]()
        return proper


Hears = Callable[[Engine, list[str]], "str | None"]


def uci(greeting: str, *new_game: str) -> Hears:
    """UCI and its kin."""

    def hear(engine: Engine, words: list[str]) -> str | None:
        if words[: len(new_game)] == list(new_game):
            engine.begin()
        if words[0] == "position":
            engine.taken = words[2:]
        answers = {greeting: f"id name fake\n{greeting}ok", "isready": "readyok"}
        return f"bestmove {engine.answer()}" if words[0] == "go" else answers.get(words[0])

    return hear


def gtp(engine: Engine, words: list[str]) -> str:
    if words[0] == "clear_board":
        engine.begin()
    answers = {"list_commands": "list_commands\nplay\ngenmove"}
    return f"= {engine.answer() if words[0] == 'genmove' else answers.get(words[0], '')}\n"


def nboard(engine: Engine, words: list[str]) -> str | None:
    if words[:2] == ["set", "game"]:
        engine.begin()
    answers = {"nboard": "set myname fake", "ping": f"pong {words[-1]}"}
    return f"=== {engine.answer()}" if words[0] == "go" else answers.get(words[0])


def aei(engine: Engine, words: list[str]) -> str | None:
    if words[0] == "newgame":
        engine.begin()
    answers = {"aei": "protocol-version 1\nid name fake\naeiok", "isready": "readyok"}
    return f"bestmove {engine.answer()}" if words[0] == "go" else answers.get(words[0])


def hub(engine: Engine, words: list[str]) -> str | None:
    if words[0] == "new-game":
        engine.begin()
    answers = {"hub": "id name=fake\nwait", "init": "ready", "ping": "pong"}
    return f"done move={engine.answer()}" if words[0] == "go" else answers.get(words[0])


def gomocup(engine: Engine, words: list[str]) -> str | None:
    if words[0] == "START":
        engine.begin()
    answers = {"ABOUT": 'name="fake"', "START": "OK"}
    return engine.answer() if words[0] in ("BEGIN", "TURN", "DONE") else answers.get(words[0])


PROTOCOLS: dict[str, Hears] = {
    "ugi": uci("ugi", "uginewgame"),
    "uci": uci("uci", "ucinewgame"),
    "uai": uci("uai", "uainewgame"),
    "ucci": uci("ucci", "setoption", "newgame"),
    "gtp": gtp,
    "htp": gtp,
    "nboard": nboard,
    "aei": aei,
    "hub": hub,
    "gomocup": gomocup,
}


def main() -> None:
    protocol, fault, *rest = sys.argv[1:]
    at, *turns = rest or ["1"]
    if fault in AT_START:
        FAULTS[AT_START[fault]]()
    engine, hear = Engine(fault, int(at), turns), PROTOCOLS[protocol]
    for line in sys.stdin:
        words = line.split()
        if words and words[0] in ("quit", "END"):
            break
        if words and (answer := hear(engine, words)) is not None:
            say(answer)
    if fault == "ignore-quit":
        ignore_signals()
        hang()


if __name__ == "__main__":
    main()
