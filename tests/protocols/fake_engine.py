"""An engine that can be told to misbehave: python fake_engine.py PROTOCOL FAULT [AT].

It plays tic-tac-toe by ugi or Go by gtp (it always passes), and commits its fault when it is asked
for the AT-th move of its life, or at its start. It imports nothing of athenan, so that it starts at
once. With the fault `none` it plays on to the end of the match.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
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
    "occupied": "a1",
    "empty": "",
    "long": "x" * 5000,
    "control": "\x1b[31m",
    "words": "i would rather not",
}
"""Answers that are no moves."""
AT_START = {"start-die": "die", "start-hang": "hang", "start-flood": "flood-stdout"}


class Engine(ABC):
    """What both protocols share."""

    def __init__(self, fault: str, at: int) -> None:
        self.fault, self.at, self.moves = fault, at, 0
        self.taken: list[str] = []

    @abstractmethod
    def hear(self, words: list[str]) -> bool:
        """Take a command; False ends the process."""

    def answer(self, proper: str) -> str:
        """Return the answer to a request for a move, after whatever goes wrong."""
        self.moves += 1
        if self.moves != self.at:
            return proper
        if self.fault in WRONG:
            return WRONG[self.fault]
        if self.fault in FAULTS:
            FAULTS[self.fault]()
        return proper

    def obeys_quit(self) -> bool:
        if self.fault == "ignore-quit":
            ignore_signals()
        return self.fault != "ignore-quit"


class Ugi(Engine):
    """Tic-tac-toe, on the first cell that is free."""

    def hear(self, words: list[str]) -> bool:
        if words[0] == "ugi":
            say("id name fake\nugiok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            self.taken = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[0] == "go":
            free = [cell for cell in CELLS if cell not in self.taken]
            say(f"bestmove {self.answer(free[0])}")
        return words[0] != "quit" or not self.obeys_quit()


class Gtp(Engine):
    """Go, by passing."""

    def hear(self, words: list[str]) -> bool:
        if words[0] == "list_commands":
            say("= list_commands\nplay\ngenmove\n")
        elif words[0] == "genmove":
            say(f"= {self.answer('pass')}\n")
        else:
            say("=\n")
        return words[0] != "quit" or not self.obeys_quit()


def main() -> None:
    protocol, fault, at = [*sys.argv[1:], "1"][:3]
    if fault in AT_START:
        FAULTS[AT_START[fault]]()
    engine = Ugi(fault, int(at)) if protocol == "ugi" else Gtp(fault, int(at))
    for line in sys.stdin:
        words = line.split()
        if words and not engine.hear(words):
            return
    if fault == "ignore-quit":
        hang()


if __name__ == "__main__":
    main()
