"""Methods of a Python game that do not return: Ctrl-C ends them, and so does the program's end.

They do so on other threads than the main one, which Python interrupts by itself.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from processes import start

RULES = """
import threading
import time
import athenan

class Endless(athenan.SimpleRules):
    max_length = 4

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def result(self, state):
        return None if state < 4 else 1

    def moves(self, state):
        endless = state == 2 and threading.current_thread() is not threading.main_thread()
        if endless:
            print("thinking", flush=True)
        while endless:
            {body}
        return [1]

    def play(self, state, move):
        return state + move
"""
LOOP, SLEEP = "pass", "time.sleep(600)"
SCRIPTS = {
    "perft": "athenan.make_game('endless.py').perft(4)",
    "playouts": "athenan.make_game('endless.py').initial_state().playouts(9)",
    "matches": "main(['match', 'endless.py', 'random', 'random', '--matches', '2'])",
}
PATIENCE = 60  # seconds: machines are busy


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_rules(body: str) -> None:
    Path("endless.py").write_text(RULES.format(body=body))


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_ctrl_c_ends_rules_without_end(script: str) -> None:
    """One is enough where it raises; a command that asked its work to stop needs a second one."""
    write_rules(LOOP)
    program = start("-c", f"import athenan\nfrom athenan.commands import main\n{script}")
    assert program.stdout is not None
    while program.stdout.readline().strip() != "thinking":
        assert program.poll() is None, program.communicate()
    begun = time.monotonic()
    while program.poll() is None and time.monotonic() - begun < PATIENCE:
        program.send_signal(signal.SIGINT)
        time.sleep(1)
    ended = program.poll()
    program.kill()
    assert ended is not None


def test_a_program_ends_while_rules_of_a_daemon_thread_go_on() -> None:
    for body, code in ((LOOP, 0), (SLEEP, 1)):
        write_rules(body)
        program = start(
            "-c",
            "import athenan, threading\n"
            "state = athenan.make_game('endless.py').initial_state()\n"
            "threading.Thread(target=state.perft, args=(4,), daemon=True).start()\n"
            "threading.Event().wait(0.5)\n"
            "print('done')",
        )
        try:
            out, problems = program.communicate(timeout=2 * PATIENCE)
        finally:
            program.kill()
        assert program.returncode == code, problems
        assert out.endswith("done\n")
        if code:
            sentence = "the method moves of Endless does not return: the program ends without it"
            assert sentence in problems
