"""Engines that fail in every way: each failure is named, nothing hangs, no process is left."""

from __future__ import annotations

import os
import shlex
import sys
import threading
import time
from functools import cache
from pathlib import Path

import athenan
import pytest
from athenan.arena import Fault, Player, Thought
from athenan.arena.engines import EnginePlayer, EngineProcess, EngineSpec
from athenan.dialects import dialect_for

TURNS = 4  # of the engine in a match
FAKE = Path(__file__).with_name("fake_engine.py")
GAMES = {
    name: athenan.make_game(game)
    for name, game in {
        "ugi": "tic_tac_toe",
        "gtp": "go:size=5,komi=0.5",
        "htp": "hex:size=3",
        "uci": "breakthrough",
        "ucci": "xiangqi:no_capture=20",
        "uai": "ataxx:size=5",
        "nboard": "othello:size=6",
        "aei": "arimaa:setup=pieces",
        "gomocup": "outer_open_gomoku:size=9,overline=exact",
        "hub": "international_draughts",
    }.items()
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
    "again": {"illegal"},
    "empty": {"malformed", "illegal"},
    "long": {"malformed"},
    "control": {"malformed"},
    "words": {"illegal"},
    "start-die": {"crash"},
    "start-hang": {"hang"},
    "start-flood": {"hang"},
}
OTHERWISE = {
    ("hub", "illegal"): {"malformed"},
    ("hub", "words"): {"malformed"},
    ("gomocup", "start-flood"): {"malformed"},
    **{("gomocup", fault): {"hang"} for fault in ("illegal", "empty", "long", "control", "words")},
}
"""Where a protocol looks at an answer itself: Hub finds moves by their letters, and in Gomocup's
whatever is no point of the board is noise before the answer, but to START."""
PATIENCE, LONG_PATIENCE = 0.4, 30.0
"""Seconds that the engine has for an answer, where none will come and where one must."""


def kinds(protocol: str, fault: str) -> set[str]:
    """Return what a fault may be called; nothing for one that an engine survives."""
    return OTHERWISE.get((protocol, fault), FAILS.get(fault, set()))


def fake(protocol: str, fault: str, at: int, patience: float = 0) -> EngineSpec:
    words = [sys.executable, "-S", "-E", str(FAKE), protocol, fault, str(at), *turns(protocol)]
    hangs = "hang" in kinds(protocol, fault)
    patience = patience or (PATIENCE if hangs else LONG_PATIENCE)
    return EngineSpec(
        "fake", protocol, shlex.join(words), seconds=0.01, timeout=patience, time="none"
    )


@cache
def turns(protocol: str) -> list[str]:
    """Return the turns of an engine that plays the first legal move first, against `Last`."""
    game, other, found = GAMES[protocol], Last(), list[str]()
    dialect, state = dialect_for(protocol, game), game.initial_state()
    while not state.is_terminal and len(found) < TURNS:
        if state.to_move == 1:
            state = state.play(other.think(state).move)
            continue
        start, moves = state, list[int]()
        before = state
        while not moves or not dialect.ends_turn(before, state):
            before, passing = state, "pass" in state.legal_move_strings() and state.ply > 0
            moves.append(state.parse_move("pass") if passing else state.legal_moves()[0])
            state = state.play(moves[-1])
        found.append(dialect.write_turn(start, moves))
    return found


class Last(Player):
    """Plays the last legal move, but never passes."""

    name = "last"

    def think(self, state: athenan.State, *_: object) -> Thought:
        texts = [text for text in state.legal_move_strings() if text != "pass"]
        return Thought(state.parse_move((texts or ["pass"])[-1]))


def play(protocol: str, engine: EnginePlayer, seed: int) -> int:
    """Play the turns of the engine, which is first, against the last legal move."""
    game, other = GAMES[protocol], Last()
    engine.begin(game, seed)
    state, made = game.initial_state(), 0
    while not state.is_terminal and made < len(turns(protocol)):
        mover: Player = engine if state.to_move == 0 else other
        move = mover.think(state).move
        engine.hear(state, move)
        after = state.play(move)
        made += state.to_move == 0 and (after.is_terminal or after.to_move == 1)
        state = after
    return made


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
                assert caught.value.kind in kinds(protocol, fault), caught.value
                assert "fake" in str(caught.value)
                assert "\n" not in str(caught.value)
    assert time.monotonic() - started < 2 * LONG_PATIENCE
    assert threading.active_count() == threads
    assert len(groups.started) == (1 if fault in PLAYS_ON else 2)
    for group in groups.started:
        assert_gone(group)


@pytest.mark.parametrize("fault", [*PLAYS_ON, *FAILS])
def test_every_fault_of_an_engine_is_named(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    endure(monkeypatch, "ugi", fault, 2 if fault == "again" else 1)


@pytest.mark.parametrize("fault", ["none", "again", "flood-then-answer"])
@pytest.mark.parametrize("protocol", [name for name in GAMES if name != "ugi"])
def test_likewise_by_every_protocol(
    monkeypatch: pytest.MonkeyPatch, protocol: str, fault: str
) -> None:
    endure(monkeypatch, protocol, fault, 2)


@pytest.mark.slow
@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("protocol", GAMES)
def test_a_thousand_faults(monkeypatch: pytest.MonkeyPatch, protocol: str, at: int) -> None:
    """46 or 48 faults each, 1,410 in all: every kind, in every protocol, at several moves."""
    for fault in [*PLAYS_ON[1:], *FAILS]:
        if fault != "again" or at > 1:
            with monkeypatch.context() as patched:
                endure(patched, protocol, fault, at)


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
