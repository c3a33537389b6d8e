"""What a person sees of a training: lines in a pipe, a live display in a terminal."""

from __future__ import annotations

import io
import re
import time

import pytest
from athenan.learning.events import (
    Evaluating,
    MatchLearned,
    Playing,
    Preparing,
    Pretrained,
    Sized,
    Standing,
)
from athenan.selfplay.work import Work
from athenan.terminal import training_display
from athenan.terminal.training_display import LiveDisplay, PlainDisplay, clock, sparkline
from rich.console import Console

LINE = {
    "kind": "training",
    "seconds": 3723.4,
    "matches": 1234,
    "loss": 0.0123,
    "length": 45.67,
    "states_per_second": 98765.4,
    "learned_per_second": 4321.0,
    "matches_per_hour": 1000.0,
}
EVALUATION_LINE = {
    "kind": "evaluation",
    "seconds": 61,
    "matches": 20,
    "opponent": "mcts:iterations=[200]",
    "played": 40,
    "win_rate": 0.75,
    "low": 0.6,
    "high": 0.86,
}
SCORE_LINE = {
    "kind": "evaluation",
    "seconds": 61,
    "matches": 20,
    "played": 40,
    "mean_score": 60.525,
    "best_score": 71.0,
}
AT = Standing(seconds=90.0, progress=0.25, matches=1234, playing=8, work=Work())
MATCH = MatchLearned(AT, 9, 1, 50, 400, 100, 200, 0.5, 0.1, 0, 0.2)
PRETRAINED = Pretrained(AT, 50, 1000, 2.5)


def test_plain_lines_come_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    display = PlainDisplay()
    with display:
        for _ in range(3):
            display.on_line(LINE)
        display.on_line(EVALUATION_LINE)
        display.on_line(SCORE_LINE)
        display.on_event(MATCH)
        display.say("a sentence")
        display.on_event(Sized(AT, 8, 64, 1e6, "onnxruntime"))
        monkeypatch.setattr(training_display, "PLAIN_SECONDS", 0.0)
        display.on_event(PRETRAINED)
    assert capsys.readouterr().out.splitlines() == [
        "1:02:03  match 1,234  loss 0.0123  length 45.7  98,765 states/s  4,321 learned/s",
        "1:01  after 20 matches: 75% against mcts:iterations=[200] over 40 matches "
        "(95 % interval 60% to 86%)",
        "1:01  after 20 matches: score 60.5 on average and 71 at best over 40 matches",
        "a sentence",
        "measured: 1,000,000 states/s with 64 matches at a time and onnxruntime; beginning with 8",
        "pre-training: 50 of 1,000, loss 2.5",
    ]


def test_the_live_display_shows_what_it_is_told() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, highlight=False)
    with LiveDisplay(console) as display:
        display.on_event(PRETRAINED)
        display.on_line(LINE)
        display.on_line(EVALUATION_LINE)
        display.on_line(SCORE_LINE)
        display.on_event(MATCH)
        display.say("a sentence about [runs]")
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())
    assert "75% against mcts:iterations=[200] over 40 matches" in text
    assert "a sentence about [runs]" in text
    last = text[text.rindex("time") :]
    for row in (
        r"time +1:30, 4:30 left",
        r"matches +1,234",
        r"states/s +98,765",
        r"learned/s +4,321",
        r"length +45\.7",
        r"loss +0\.0123",
        r"win rate +75% ▇",
        r"score +60\.5 ",
    ):
        assert re.search(row, last), row
    assert "━" in last


def test_clocks_and_sparklines() -> None:
    assert [clock(s) for s in (0, 59.6, 3599, 3600, 86400)] == [
        "0:00",
        "1:00",
        "59:59",
        "1:00:00",
        "24:00:00",
    ]
    assert sparkline([0, 0.5, 1]) == "▁▅█"
    assert sparkline([2, 2]) == "▁▁"
    assert sparkline([0.5], 0, 1) == "▅"
    assert len(sparkline(list(range(100)))) == 30


def test_a_pipe_is_never_silent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_display, "PLAIN_SECONDS", 0.2)
    monkeypatch.setattr(training_display, "SILENCE_CHECKS", 0.05)
    shown = ""
    with PlainDisplay() as display:
        display.on_event(Preparing(AT, "compiling the network for cuda:0"))
        deadline = time.monotonic() + 20
        while shown.count("compiling") < 4 and time.monotonic() < deadline:
            time.sleep(0.05)
            shown += capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0] == "compiling the network for cuda:0"
    repeated = r"compiling the network for cuda:0 \(0:\d\d since the start\)"
    assert all(re.fullmatch(repeated, one) for one in lines[1:4])


def test_how_far_something_is_comes_once_every_few_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither for each event nor from two places: the thread repeats the newest words."""
    monkeypatch.setattr(training_display, "PLAIN_SECONDS", 0.3)
    monkeypatch.setattr(training_display, "SILENCE_CHECKS", 0.05)
    with PlainDisplay() as display:
        deadline = time.monotonic() + 1.0
        played = 0
        while time.monotonic() < deadline:
            played += 1
            display.on_event(Evaluating(AT, played, 40))
            time.sleep(0.01)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "evaluating 1/40"
    assert 2 <= len(lines) <= 6
    assert all("since the start" in line for line in lines[1:])


def test_a_long_match_and_an_evaluation_are_seen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_display, "PLAIN_SECONDS", 0.0)
    work = Work(evaluations=9000, expansions=300, plies=41)
    display = PlainDisplay()  # without its thread
    display.on_event(Playing(Standing(1.0, 0, 0, 8, work)))
    display.on_event(Evaluating(AT, 12, 40))
    assert capsys.readouterr().out.splitlines() == [
        "0:01  playing 8 matches: 41 plies, 300 expansions, 9,000 states, 9,000 states/s",
        "evaluating 12/40",
    ]
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, highlight=False)
    with LiveDisplay(console) as live:
        live.on_event(Evaluating(AT, 12, 40))
    assert "evaluating 12/40" in screen.getvalue()
