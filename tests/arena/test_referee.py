"""The referee: clocks, faults, resignation, adjudication, and that the series always goes on."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import athenan
import pytest
from athenan.arena import (
    Adjudication,
    Conditions,
    Counts,
    Match,
    TimeControl,
    play_matches,
    player,
    tally_of,
)
from athenan.arena.clocks import Clock
from athenan.arena.conditions import Threshold
from troublesome import Troublesome, TroubleSpec

HEX = athenan.make_game("hex:size=5")


def series(trouble: str, conditions: Conditions | None = None, count: int = 8) -> list[Match]:
    played = play_matches(
        HEX,
        TroubleSpec(trouble),
        player("random", HEX),
        count,
        conditions=conditions or Conditions(),
        workers=2,
    )
    return sorted(played, key=lambda match: match.index)


FAULTS = ["crash", "hang", "malformed", "late", "illegal", "begin"]


@pytest.mark.parametrize("trouble", FAULTS)
def test_a_fault_is_recorded_and_not_counted(trouble: str) -> None:
    before = threading.active_count()
    matches = series(trouble)
    assert [match.index for match in matches] == list(range(8))
    assert threading.active_count() == before
    kind = "crash" if trouble == "begin" else trouble
    for match in matches:
        assert (match.reason, match.outcome) == (kind, None)
        assert match.is_fault
        assert match.who_of_players == 0
        assert match.players[match.who or 0] == "troublesome"
        assert "\n" not in match.sentence
        state = HEX.parse_position(match.position)
        for move in match.moves:
            state = state.play(move)
        assert match.sentence.endswith(f"(position: {state.position})")
        assert Match.from_json(match.as_json()) == match
    tally = tally_of(matches)
    assert (tally.counts, tally.uncounted, tally.faults) == (Counts(), 8, (8, 0))
    assert tally.reasons == {kind: 8}
    assert tally.first_faults.keys() == {0}


@pytest.mark.parametrize("trouble", FAULTS)
def test_faults_lose_if_that_is_wanted(trouble: str) -> None:
    tally = tally_of(series(trouble, Conditions(faults="lose")))
    assert (tally.counts, tally.uncounted, tally.faults) == (Counts(losses=8), 0, (8, 0))


def test_who_refuses_a_move_of_the_other_is_the_one_at_fault() -> None:
    matches = [match for match in series("hear") if match.reason]
    assert matches
    for match in matches:
        assert (match.reason, match.who_of_players) == ("illegal", 0)
        assert "it refused" in match.sentence


def test_who_resigns_loses() -> None:
    tally = tally_of(matches := series("resign"))
    assert tally.counts == Counts(losses=8)
    assert {match.reason for match in matches} == {"resigned"}
    assert all(match.who_of_players == 0 for match in matches)
    assert tally.faults == (0, 0)


def test_a_flag_falls() -> None:
    control = TimeControl.parse("move=0.3")
    matches = series("sleep", Conditions(control, margin=0.2), 4)
    for match in matches:
        assert (match.reason, match.who_of_players, match.gain) == ("time", 0, -1)
        assert match.control == "move=0.3"
        assert not match.is_fault
        assert "troublesome took " in match.sentence
    assert tally_of(matches).counts == Counts(losses=4)
    patient = series("none", Conditions(control, margin=30))
    assert {match.reason for match in patient} == {None}
    assert all(len(m.seconds) == len(m.moves) - m.opening for m in patient)


def test_the_start_of_a_player_is_not_on_its_clock() -> None:
    class Slow(Troublesome):
        def begin(self, game: athenan.Game, seed: int) -> None:  # noqa: ARG002
            time.sleep(0.6)

    @dataclass(frozen=True)
    class SlowSpec(TroubleSpec):
        def make(self, game: athenan.Game, threads: int = 0) -> Slow:  # noqa: ARG002
            return Slow("none", 0)

    conditions = Conditions(TimeControl.parse("0.5"), margin=0)
    (match,) = play_matches(HEX, SlowSpec("none"), player("random", HEX), 1, conditions=conditions)
    assert match.reason is None


def test_players_hear_the_clock_before_each_move() -> None:
    heard: list[Clock | None] = []

    class Listener(Troublesome):
        def set_clock(self, clock: Clock | None) -> None:
            heard.append(clock)

    @dataclass(frozen=True)
    class ListenerSpec(TroubleSpec):
        def make(self, game: athenan.Game, threads: int = 0) -> Listener:  # noqa: ARG002
            return Listener("none", 0)

    pair = ListenerSpec("none"), player("random", HEX)
    (match,) = play_matches(HEX, *pair, 1)
    assert heard == [None] * len(heard) != []
    heard.clear()
    (match,) = play_matches(HEX, *pair, 1, conditions=Conditions(TimeControl.parse("9+1")))
    assert len(heard) == match.efforts[0].moves
    clocks = [clock for clock in heard if clock]
    assert clocks[0].seconds == (9, 9)
    assert all(9 < clock.seconds[0] <= 9 + number for number, clock in enumerate(clocks[1:], 1))


@pytest.mark.parametrize(
    ("trouble", "texts", "reason", "gain"),
    [
        ("hopeless", ["resign=0.95x1"], "resigned", -1),
        ("realistic", ["length=5"], "length", 0),
        ("realistic", ["agreed=0.9x1"], None, None),  # random values nothing
    ],
)
def test_adjudication(trouble: str, texts: list[str], reason: str | None, gain: int | None) -> None:
    for match in series(trouble, Conditions(adjudication=Adjudication.parse(texts)), 4):
        assert match.reason == reason
        if gain is not None:
            assert match.gain == gain


def test_an_agreement_of_both_players() -> None:
    rules = Conditions(adjudication=Adjudication.parse(["agreed=0.9x2"]))
    pair = TroubleSpec("realistic", at=0), TroubleSpec("realistic", at=0)
    for match in play_matches(HEX, *pair, 4, conditions=rules):
        assert (match.reason, match.outcome) == ("agreed", 1)
        assert len(match.moves) - match.opening == 4
    pair = TroubleSpec("hopeful", at=0), TroubleSpec("hopeful", at=0)
    for match in play_matches(HEX, *pair, 4, conditions=rules):
        assert match.reason is None


def test_a_proof_of_the_referee_is_right() -> None:
    rules = Conditions(adjudication=Adjudication.parse(["proven=300"]))
    a, b = player("random", HEX), TroubleSpec("none")
    matches = list(play_matches(HEX, a, b, 20, conditions=rules))
    proven = [match for match in matches if match.reason == "proven"]
    assert len(proven) > 10
    for match in proven:
        state = HEX.initial_state()
        for move in match.moves:
            state = state.play(move)
        assert state.outcome is None
        assert athenan.solve(state).proven_outcome == match.outcome


def test_searches_obey_one_time_control() -> None:
    conditions = Conditions(TimeControl.parse("nodes=6"))
    a, b = player("ubfm", HEX), player("mcts:iterations=3", HEX)
    for match in play_matches(HEX, a, b, 4, conditions=conditions):
        mine, theirs = match.efforts_of_players
        assert mine.expansions <= 6 * mine.moves
        assert theirs.moves > 0
        assert (match.reason, match.control) == (None, "nodes=6")
    conditions = Conditions(TimeControl.parse("0.3+0.01"), margin=5)
    for match in play_matches(HEX, a, b, 2, conditions=conditions):
        assert match.reason is None


@pytest.mark.parametrize(
    "text",
    ["", "never", "proven=0", "proven=1.5", "agreed", "agreed=0.9", "agreed=0x4", "agreed=0.9x0",
     "length", "length=0", "length=5x5", "resign=", "resign=0.9x1.5", "proven=3x3"],
)  # fmt: skip
def test_an_adjudication_that_there_is_not(text: str) -> None:
    with pytest.raises(athenan.ParameterError, match=r"no adjudication .* accepted are proven, "):
        Adjudication.parse([text])


def test_adjudications_from_texts() -> None:
    texts = ["proven", "agreed=0.9x4", "resign=1.5x3", "length=200"]
    wanted = Adjudication(200, Threshold(0.9, 4), Threshold(1.5, 3), 200)
    assert Adjudication.parse(texts) == wanted
    assert not Conditions().need_referee
    assert Conditions(adjudication=wanted).need_referee
