"""`athenan perft`: its counts, and its end by a signal."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import athenan
import processes
import pytest

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
Output = Callable[..., str]


def test_perft_counts(output_of: Output) -> None:
    assert output_of("perft", "tic_tac_toe", "9").startswith("127872 leaves at depth 9, ")
    assert output_of("perft", "tic_tac_toe", "0").startswith("1 leaf at depth 0, ")
    assert output_of("perft", EXAMPLE, "3", "--threads", "1").startswith("504 leaves")
    won = output_of("perft", "tic_tac_toe", "1", "--position", "xxx/oo1/3 o")
    assert won.startswith("0 leaves")


def test_perft_divides(output_of: Output) -> None:
    *moves, total = output_of("perft", "tic_tac_toe", "9", "--divide").splitlines()
    counts = dict(line.split(": ") for line in moves)
    assert list(counts) == athenan.make_game("tic_tac_toe").initial_state().legal_move_strings()
    assert (counts["a1"], counts["b1"], counts["b2"]) == ("13968", "14688", "13248")
    assert total.startswith("127872 leaves")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_long_count(number: signal.Signals) -> None:
    # The first move wins at once; what follows the second would take years to count.
    state = athenan.make_game("connect_four").initial_state()
    for move in "ababab":
        state = state.play(move)
    position = ["--position", state.position]
    counting = processes.athenan("perft", "connect_four", "30", "--divide", *position)
    assert counting.stdout is not None
    assert counting.stdout.readline() == "a: 0\n"
    seconds, out = processes.seconds_to_end(counting, number)
    assert (counting.returncode, out) == (130, "")
    assert seconds < 2 * processes.PROMPTLY  # the end of the interpreter included
