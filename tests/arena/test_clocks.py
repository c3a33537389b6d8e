"""Time controls from texts, clocks that run, and how long a search thinks by them."""

from __future__ import annotations

import math

import athenan
import pytest
from athenan.arena import Clock, Fault, TimeControl, player, thinking_seconds

TIC_TAC_TOE = athenan.make_game("tic_tac_toe")
AMAZONS = athenan.make_game("amazons:size=6")


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("move=0.1", TimeControl(move_seconds=0.1)),
        ("300", TimeControl(seconds=300)),
        ("5+0.1", TimeControl(seconds=5, increment=0.1)),
        ("60/10", TimeControl(seconds=60, byo_yomi=10)),
        ("60/3x10", TimeControl(seconds=60, byo_yomi=10, periods=3)),
        ("0/5", TimeControl(byo_yomi=5)),
        ("10+2/5", TimeControl(seconds=10, increment=2, byo_yomi=5)),
        ("nodes=1000", TimeControl(nodes=1000)),
    ],
)
def test_a_text_and_its_time_control(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control
    assert str(control) == text
    assert control.is_timed == (not control.nodes)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "move=", "move=0", "0", "0+1", "-5", "5+", "5+-1", "60/", "60/0x5", "nodes=0",
     "nodes=1.5", "1e9", "99999999", "60/9999x5", "5 + 1", "move=inf", "nan", "move=１x"],
)  # fmt: skip
def test_a_text_that_is_none(text: str) -> None:
    with pytest.raises(athenan.ParameterError, match=r"no time control .* accepted are move=0.1"):
        TimeControl.parse(text)


def test_time_for_the_match_with_an_increment() -> None:
    clock = Clock.of(TimeControl.parse("5+1"))
    assert (clock.available(0), clock.available(1)) == (5, 5)
    clock = clock.after(0, 2.5).after(1, 0.25)
    assert clock.seconds == (3.5, 5.75)
    assert clock.after(0, 3.5).seconds[0] == 1.0  # to the last moment
    assert clock.after(0, 3.6).fallen == 0
    assert clock.after(0, 3.6, margin=0.2).fallen is None
    assert clock.after(1, 9).fallen == 1


def test_the_increment_comes_at_the_end_of_a_turn() -> None:
    clock = Clock.of(TimeControl.parse("5+1")).after(0, 2, ends_turn=False)
    assert clock.seconds == (3, 5)
    assert clock.after(0, 2).seconds == (2, 5)


def test_time_per_move_is_for_the_whole_turn() -> None:
    clock = Clock.of(TimeControl.parse("move=1")).after(0, 0.75, ends_turn=False)
    assert clock.available(0) == 0.25
    assert clock.after(0, 0.5).fallen == 0
    rested = clock.after(0, 0.2)
    assert (rested.fallen, rested.available(1), rested.available(0)) == (None, 1, 1)


def test_byo_yomi_renews_what_a_turn_leaves_of_it() -> None:
    clock = Clock.of(TimeControl.parse("10/3x5"))
    assert clock.available(0) == 25
    clock = clock.after(0, 12)  # two seconds of the first period: it stays
    assert (clock.seconds[0], clock.periods, clock.available(0)) == (0, (3, 3), 15)
    clock = clock.after(0, 4.9).after(0, 5.0)
    assert clock.periods == (3, 3)
    clock = clock.after(0, 11)  # two periods gone
    assert (clock.periods[0], clock.fallen) == (1, None)
    assert clock.after(0, 5.1).fallen == 0
    assert clock.after(0, 4, ends_turn=False).after(0, 2).fallen == 0


def test_nodes_have_no_clock() -> None:
    clock = Clock.of(TimeControl.parse("nodes=10"))
    assert clock.available(0) == math.inf
    assert clock.after(0, 1e9) == clock
    assert thinking_seconds(clock, TIC_TAC_TOE.initial_state()) is None


@pytest.mark.parametrize("text", ["0.5", "3+0.1", "1/0.2", "0/0.3", "move=0.1", "2/3x0.1"])
@pytest.mark.parametrize("game_id", ["tic_tac_toe", "hex:size=11", "amazons:size=6"])
def test_who_thinks_so_long_never_runs_out_of_time(text: str, game_id: str) -> None:
    """Matches of 400 plies, with a delay after every move that is shorter than the lag."""
    game = athenan.make_game(game_id)
    clock = Clock.of(TimeControl.parse(text))
    for _ in range(400 // 20):
        state, random = game.initial_state(), athenan.Random(1)
        for _ in range(20):
            if state.is_terminal:
                break
            seconds = thinking_seconds(clock, state)
            assert seconds is not None
            assert seconds >= 0.001
            moves = state.legal_moves()
            after = state.play(moves[random.below(len(moves))])
            ends = after.is_terminal or after.to_move != state.to_move
            clock = clock.after(state.to_move, seconds + 0.002, ends_turn=ends, margin=0.1)
            assert clock.fallen is None
            state = after


def test_a_turn_of_two_plies_shares_its_time() -> None:
    clock, state = Clock.of(TimeControl.parse("move=1")), AMAZONS.initial_state()
    first = thinking_seconds(clock, state)
    assert first == pytest.approx(0.497)
    clock = clock.after(0, 0.5, ends_turn=False)
    assert thinking_seconds(clock, state.play(state.legal_moves()[0])) == pytest.approx(0.494)


def test_a_search_obeys_the_clock_unless_it_has_a_limit() -> None:
    state = athenan.make_game("hex:size=11").initial_state()
    nodes, time = (Clock.of(TimeControl.parse(text)) for text in ("nodes=7", "move=0.05"))
    with player("ubfm", state.game).make(state.game) as thinker:
        thinker.begin(state.game, 1)
        thinker.set_clock(nodes)
        found = thinker.think(state).result
        assert found
        assert found.spent.expansions == 7
        assert thinker.value == found.value
        thinker.set_clock(time)
        found = thinker.think(state).result
        assert found
        assert 0.035 < found.spent.seconds < 0.5
    with player("ubfm:expansions=3", state.game).make(state.game) as thinker:
        thinker.begin(state.game, 1)
        thinker.set_clock(nodes)
        found = thinker.think(state).result
        assert found
        assert found.spent.expansions == 3


def test_a_fault_has_a_kind_and_a_sentence() -> None:
    fault = Fault("hang", "gnugo did not answer")
    assert isinstance(fault, athenan.Error)
    assert (fault.kind, str(fault)) == ("hang", "gnugo did not answer")
