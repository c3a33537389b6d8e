"""Threads that nobody waits for are no danger at the end of a program."""

import pytest
from processes import start

PROGRAM = """
import threading, time
import numpy as np
import athenan
from athenan import _core
from conformance.variants import PYTHON_EXAMPLE

hex9, own = athenan.make_game("hex:size=9"), athenan.make_game(PYTHON_EXAMPLE)

def repeat():
    while True:
        try:
            {work}
        except athenan.Error:
            pass

for _ in range(3):
    threading.Thread(target=repeat, daemon=True).start()
time.sleep(0.4)
print("done")
"""


@pytest.mark.parametrize(
    "work",
    [
        'athenan.search(hex9.initial_state(), spec="ubfm-safe:seconds=60")',
        'athenan.search(own.initial_state(), spec="uct", iterations=10**9)',
        "hex9.initial_state().playouts(10**9, threads=2)",
        "own.initial_state().playouts(10**6, threads=2)",
        "own.initial_state().children()",
        "own.encode([own.initial_state()] * 100, 2)",
    ],
)
def test_a_program_ends_while_daemon_threads_work(work: str) -> None:
    program = start("-c", PROGRAM.format(work=work))
    try:
        out, problems = program.communicate(timeout=60)
    finally:
        program.kill()
    assert (program.returncode, out) == (0, "done\n"), problems
