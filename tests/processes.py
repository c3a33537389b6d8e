"""Programs of their own, as a person's terminal would start them, to be interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    "COLUMNS": "100",
}
PROMPTLY = 0.5
"""Seconds that the end after a signal may take: it is some 20 ms, but machines are busy."""


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start python with these arguments."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=_listen_to_interrupts,
    )


def athenan(*arguments: str) -> subprocess.Popen[str]:
    """Start the command."""
    return start("-m", "athenan", *arguments)


def _listen_to_interrupts() -> None:
    """A shell starts its background jobs deaf to Ctrl-C; a person's terminal does not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


SCRIPT = """
import signal, sys, threading, time
import athenan
from athenan.arena import distinct_openings, play_matches, player
hex11 = athenan.make_game("hex:size=11")
start = hex11.initial_state()

def interrupt():
    global sent
    sent = time.perf_counter()
    signal.raise_signal(signal.SIGINT)

timer = threading.Timer({delay}, interrupt)
timer.start()
try:
    {work}
except KeyboardInterrupt:
    seconds = time.perf_counter() - sent
    timer.join()
    print(seconds, threading.active_count())
"""


def seconds_after_interrupt(work: str, delay: float = 0.3) -> float:
    """Interrupt some work of a script; return how long it went on.

    Nothing may be left: no thread, and nothing that keeps the program from ending.
    """
    program = start("-c", SCRIPT.format(work=work, delay=delay))
    try:
        out, problems = program.communicate(timeout=60)
    finally:
        program.kill()
    assert out, problems
    seconds, threads = out.split()
    assert int(threads) == 1
    return float(seconds)


def seconds_to_end(process: subprocess.Popen[str], number: signal.Signals) -> tuple[float, str]:
    """Send a signal; return how long the process lived on, and its standard output."""
    process.send_signal(number)
    sent = time.perf_counter()
    try:
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    return time.perf_counter() - sent, out
