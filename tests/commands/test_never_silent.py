"""In a pipe every command that works for long says so at least every ten seconds."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from athenan.commands import main
from athenan.experiments import stretches
from athenan.terminal import experiment_report, waiting
from athenan.terminal.experiment_report import ProgressLines
from athenan.terminal.progress import progress

RARELY = 0.1  # seconds, in the place of nine
SLOW_RULES = """
import time
from athenan import SimpleRules

class Slow(SimpleRules):
    asked = 0

    def initial(self):
        return ()

    def to_move(self, state):
        return len(state) % 2

    def result(self, state):
        return None if len(state) < 4 else 1 - sum(state) % 3

    def moves(self, state):
        self.asked += 1  # the first matches only find out how large states are
        time.sleep(0.03 if self.asked > 81 else 0)
        return [1, 2, 3]

    def play(self, state, move):
        return (*state, move)
"""
PLAYERS = ["ubfm-safe:expansions=4", "mcts:iterations=9"]
SERIES = ["slow.py", *PLAYERS, "--workers", "1", "--matches"]
SMALL = ["--set", "selfplay.matches=2", "--set", "network.filters=8", "--set", "network.blocks=1"]
WORK = {
    "match": ["match", *SERIES, "6"],
    "balanced openings": ["match", *SERIES, "6", "--openings", "balanced"],
    "tournament": ["tournament", *SERIES, "6"],
    "ladder": ["ladder", "hex-5", "--budget=seconds=0.03", "--opponent=random", "--matches=10"],
    "solve": ["solve", "slow.py"],
    "analyse": ["analyse", "slow.py", "--expansions", "30"],
    "a whole match": ["analyse", "slow.py", "2", "1", "3", "--whole", "--expansions", "15"],
    "bench": ["bench", "tic_tac_toe", "--seconds", "0.5", "--device", "cpu", *SMALL],
    "check": ["check", "slow.py", "--matches", "9"],
    "perft": ["perft", "slow.py", "4", "--threads", "1"],
    "perft, divided": ["perft", "slow.py", "4", "--divide", "--threads", "1"],
    "convert": ["convert", "matches.txt", "matches.jsonl", "--game", "slow.py"],
}


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (waiting, experiment_report):
        monkeypatch.setattr(module, "RARELY", RARELY)
    monkeypatch.setattr(waiting, "CHECK", 0.02)


@pytest.mark.parametrize("name", WORK)
def test_it_says_how_far_it_is(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("slow.py").write_text(SLOW_RULES)
    lines = [" ".join(moves) for moves in product("123", repeat=4)]
    Path("matches.txt").write_text("\n\n".join(lines))
    assert main(WORK[name]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len([line for line in lines if re.search(r"\d s( left)?$", line)]) >= 3, lines


def test_many_matches_are_told_before_a_tenth_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(4000) as report:
        for played in range(1, 61):
            report(played, lambda: "words")
            time.sleep(RARELY / 10)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) >= 3
    assert all(re.fullmatch(r"\d+/4,000 matches(: words)?, \d+ s", line) for line in lines)


def test_series_under_way_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressLines() as lines:
        lines.playing(0, 3, 1)
        lines.playing(0, 3, 7)
        time.sleep(3 * RARELY)
    first, *others = capsys.readouterr().out.splitlines()
    assert first == "0 of 3 series of matches; now 1 match of the next"
    assert others
    again = "0 of 3 series of matches; now 7 matches of the next"
    assert all(line.startswith(again) for line in others)


def test_a_plan_tells_how_far_its_trainings_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def train(*_: object, hear: Callable[[dict[str, float]], None], **__: object) -> None:
        hear({"hex": 0.25})
        time.sleep(3 * RARELY)

    monkeypatch.setattr(stretches, "train_by_plan", train)
    plan = tmp_path / "plan.toml"
    plan.write_text('[items.hex]\ngame = "hex:size=3"\nstretch = 1\n')
    assert main(["plan", str(plan), "--minutes", "1", "--runs", str(tmp_path)]) == 0
    assert re.search(r"^hex 25%, \d s$", capsys.readouterr().out, re.MULTILINE)
