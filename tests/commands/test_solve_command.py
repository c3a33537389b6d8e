"""`athenan solve`: proofs for people and programs."""

from __future__ import annotations

import json
from collections.abc import Callable

import athenan
import pytest
from athenan._core import exact_value
from athenan.analysis import Work, prove
from commands.complaints import complaint_of
from processes import start

Run = Callable[..., str]


@pytest.mark.parametrize(
    ("arguments", "outcome"),
    [
        (["tic_tac_toe"], 0),
        (["tic_tac_toe", "b2", "b1"], 1),
        (["hex:size=3,swap=false"], 1),
        (["hex:size=3,swap=true"], -1),
        (["connect_four:rows=4,columns=4"], 0),
        (["breakthrough:rows=5,columns=3"], -1),
    ],
)
def test_outcomes_are_those_of_plain_alpha_beta(
    arguments: list[str], outcome: int, output_of: Run
) -> None:
    proof = json.loads(output_of("solve", *arguments, "--json"))
    state = athenan.make_game(arguments[0]).parse_position(proof["position"])
    assert proof["proven_outcome"] == exact_value(state) == outcome
    for move in proof["line"]:
        state = state.play(move)
    assert state.outcome == outcome
    assert proof["memory_mb"] > 0


def test_a_proof_is_told_in_words(output_of: Run) -> None:
    first, line, work = output_of("solve", "hex:size=3,swap=false").splitlines()
    assert first == "hex:size=3,swap=false, ply 0: the first player wins"
    assert line.startswith("best play: ")
    assert "MB that it may take" in work
    ended = output_of("solve", "tic_tac_toe", "--position", "xxx/oo1/3 o")
    assert ended.startswith("tic_tac_toe, ply 5: the first player wins\n0 expansions")


def test_too_little_memory_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    sentence = complaint_of(capsys, "solve", "hex:size=7", "--memory-mb", "1")
    assert "was not solved within 1 MB of memory" in sentence


def test_bad_moves_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "move 'z9' is not legal" in complaint_of(capsys, "solve", "hex", "z9")


def test_news_come_on_the_way_and_a_request_ends_it() -> None:
    stop, heard = athenan.Stop(), list[Work]()

    def hear(work: Work, tree_bytes: int) -> None:
        assert tree_bytes > 0
        heard.append(work)
        if len(heard) == 3:
            stop.request()

    with pytest.raises(athenan.Stopped):
        prove(athenan.make_game("hex:size=11").initial_state(), stop=stop, news=hear)
    assert [each.expansions for each in heard] == sorted(each.expansions for each in heard)


INTERRUPTED = """
import importlib, signal, sys, threading
from athenan.commands import main

module = importlib.import_module("athenan.commands.solve")
prove = module.prove

def interrupted(*arguments, **options):
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    return prove(*arguments, **options)

module.prove = interrupted
sys.exit(main(["solve", "hex:size=11"]))
"""


def test_an_interrupt_ends_it_with_a_sentence() -> None:
    program = start("-c", INTERRUPTED)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert out == ""
    assert "nothing is proven" in err
