"""Engines that fail in every way: each failure is named, nothing hangs, no process is left."""

from __future__ import annotations

import os
import shlex
import sys
import threading
import time
from pathlib import Path

import athenan
import pytest
from athenan.arena import Fault, Player, Thought
from athenan.arena.engines import EnginePlayer, EngineProcess, EngineSpec

FAKE = Path(__file__).with_name("fake_engine.py")
GAMES = {
    "ugi": athenan.make_game("tic_tac_toe"),
    "gtp": athenan.make_game("go:size=5,komi=0.5"),
}
PLAYS_ON = [
    "none",
    "late",
    "flood-then-answer",
    "complain-then-answer",
    "close-stderr",
    "child-then-answer",
    "binary",
    "ignore-quit",
]
FAILS = {
    "die": {"crash"},
    "kill": {"crash"},
    "complain-and-die": {"crash"},
    "hang": {"hang"},
    "hang-deaf": {"hang"},
    "flood-stdout": {"hang"},
    "flood-stderr": {"hang"},
    "endless-line": {"hang"},
    "close-stdout": {"crash"},
    "close-stdin": {"hang", "crash"},
    "child-and-die": {"crash"},
    "illegal": {"illegal"},
    "occupied": {"illegal"},
    "empty": {"malformed", "illegal"},
    "long": {"malformed"},
    "control": {"malformed"},
    "words": {"illegal"},
    "start-die": {"crash"},
    "start-hang": {"hang"},
    "start-flood": {"hang"},
}
PATIENCE, LONG_PATIENCE = 0.4, 30.0
"""Seconds that the engine has for an answer, where none will come and where one must."""


def fake(protocol: str, fault: str, at: int, patience: float = 0) -> EngineSpec:
    command = [sys.executable, "-S", "-E", str(FAKE), protocol, fault, str(at)]
    patience = patience or (PATIENCE if "hang" in FAILS.get(fault, ()) else LONG_PATIENCE)
    return EngineSpec(
        "fake", protocol, shlex.join(command), seconds=0.01, timeout=patience, time="none"
    )


class Last(Player):
    """Plays the last legal move, but never passes."""

    name = "last"

    def think(self, state: athenan.State, *_: object) -> Thought:
        texts = [text for text in state.legal_move_strings() if text != "pass"]
        return Thought(state.parse_move((texts or ["pass"])[-1]))


def play(protocol: str, engine: EnginePlayer, seed: int) -> list[str]:
    """Play a match of the engine, which is first, against the last legal move."""
    game, other = GAMES[protocol], Last()
    engine.begin(game, seed)
    state, texts = game.initial_state(), []
    while not state.is_terminal:
        mover: Player = engine if state.to_move == 0 else other
        move = mover.think(state).move
        engine.hear(state, move)
        texts.append(state.move_to_string(move))
        state = state.play(move)
    return texts


def assert_gone(group: int) -> None:
    """Of a group of processes nothing may be left."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    pytest.fail(f"the group {group} still runs")


class Groups:
    """Notes the groups of all processes that are started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started: list[int] = []
        own = EngineProcess

        def started(*arguments: object, **named: object) -> object:
            process = own(*arguments, **named)  # type: ignore[arg-type]
            self.started.append(process.pid)
            return process

        monkeypatch.setattr("athenan.arena.engines.player.EngineProcess", started)


def endure(monkeypatch: pytest.MonkeyPatch, protocol: str, fault: str, at: int) -> None:
    """Meet a fault twice: what it is called, that the engine comes back, that nothing is left."""
    groups, threads = Groups(monkeypatch), threading.active_count()
    started = time.monotonic()
    with fake(protocol, fault, at).make(GAMES[protocol]) as engine:
        for seed in range(2):
            if fault in PLAYS_ON:
                assert play(protocol, engine, seed)
            else:
                with pytest.raises(Fault) as caught:
                    play(protocol, engine, seed)
                assert caught.value.kind in FAILS[fault], caught.value
                assert "fake" in str(caught.value)
                assert "\n" not in str(caught.value)
    assert time.monotonic() - started < 2 * LONG_PATIENCE
    assert threading.active_count() == threads
    assert len(groups.started) == (1 if fault in PLAYS_ON else 2)
    for group in groups.started:
        assert_gone(group)


@pytest.mark.parametrize("fault", [*PLAYS_ON, *FAILS])
def test_every_fault_of_an_engine_is_named(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    endure(monkeypatch, "ugi", fault, 2 if fault == "occupied" else 1)


@pytest.mark.parametrize("fault", ["none", "die", "hang", "illegal", "flood-then-answer"])
def test_likewise_by_gtp(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    endure(monkeypatch, "gtp", fault, 2)


@pytest.mark.slow
def test_a_thousand_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two faults each, of every kind, in both protocols, at another move each time."""
    cases = [*FAILS] + [each for each in PLAYS_ON if each != "none"]
    random = athenan.Random(1)
    for number in range(500):
        protocol = ["ugi", "gtp"][number % 2]
        fault = cases[number % len(cases)]
        if protocol == "gtp" and fault in ("occupied", "empty"):
            fault = "illegal"
        if fault == "occupied":
            fault = "illegal" if number % 4 else "words"
        with monkeypatch.context() as patched:
            endure(patched, protocol, fault, 1 + random.below(2 if protocol == "gtp" else 3))


def test_a_request_to_stop_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    groups, stop = Groups(monkeypatch), athenan.Stop()
    game = GAMES["ugi"]
    with fake("ugi", "hang", 1, patience=60).make(game) as engine:
        engine.begin(game, 0)
        threading.Timer(0.1, stop.request).start()
        started = time.monotonic()
        with pytest.raises(athenan.Stopped):
            engine.think(game.initial_state(), None, stop)
        assert time.monotonic() - started < 10
    assert_gone(groups.started[0])
