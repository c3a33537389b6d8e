"""Interrupting a cell of a notebook ends its work; the kernel lives on with all it knew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel
from processes import ENVIRONMENT, PROMPTLY

Kernel = tuple[KernelManager, BlockingKernelClient]
PATIENCE = 60
FIRST_CELL = """
import time
import athenan
from athenan.analysis import analyse
from athenan.arena import play_matches, player
game = athenan.make_game("hex:size=11")
start = game.initial_state()
"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    manager, client = start_new_kernel(env=ENVIRONMENT)
    assert run(client, FIRST_CELL)["status"] == "ok"
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(client: BlockingKernelClient, cell: str) -> dict[str, Any]:
    """Run a cell to its end and return the kernel's answer."""
    return reply_to(client, client.execute(cell))


def reply_to(client: BlockingKernelClient, request: str) -> dict[str, Any]:
    while True:
        message = client.get_shell_msg(timeout=PATIENCE)
        if message["parent_header"].get("msg_id") == request:
            content: dict[str, Any] = message["content"]
            return content


@pytest.mark.parametrize(
    "work",
    [
        "athenan.search(start, athenan.hash_evaluator(), seconds=60)",
        "athenan.solve(start)",
        "start.perft(12)",
        "list(play_matches(game, *(player('mcts:seconds=9', game) for _ in 'ab'), 4))",
        "analyse(start, athenan.hash_evaluator(), seconds=60)",
        "analyse(start, expansions=10**7)",
    ],
)
def test_an_interrupted_cell_ends_at_once(kernel: Kernel, work: str) -> None:
    manager, client = kernel
    request = client.execute(
        f"try:\n    {work}\nexcept KeyboardInterrupt:\n    ended = time.perf_counter()"
    )
    time.sleep(0.5)
    sent = time.perf_counter()  # both processes read the clock of the machine
    manager.interrupt_kernel()
    assert reply_to(client, request)["status"] == "ok"
    assert run(client, f"assert 0 < ended - {sent} < {PROMPTLY}, ended")["status"] == "ok"
    assert run(client, "assert start.play('f6').ply == 1")["status"] == "ok"


TRAINING = """
from athenan.runs import train
settings = {
    "hardware": {"device": "cpu", "threads": 1},
    "network": {"filters": 4, "blocks": 0, "dense": (4,)},
    "selfplay": {"search": "descent:expansions=5", "matches": 2},
    "evaluation": {"every_minutes": 0},
}
"""


def test_an_interrupted_training_leaves_a_run(kernel: Kernel, tmp_path: Path) -> None:
    manager, client = kernel
    pytest.importorskip("torch")
    assert run(client, TRAINING)["status"] == "ok"
    request = client.execute(
        f"run = train('tic_tac_toe', {str(tmp_path / 'run')!r}, minutes=10, settings=settings)"
    )
    deadline = time.monotonic() + PATIENCE
    while not (tmp_path / "run" / "metrics.jsonl").exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    manager.interrupt_kernel()
    assert reply_to(client, request)["status"] == "ok"
    assert (tmp_path / "run" / "model.safetensors").is_file()
    assert run(client, "assert start.play('f6').ply == 1")["status"] == "ok"
