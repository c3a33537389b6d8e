"""An option that would change nothing is refused, not ignored."""

from __future__ import annotations

from pathlib import Path

import pytest
from athenan.arena import Match
from athenan.records import write_records
from commands.complaints import complaint_of

SERIES = ["tic_tac_toe", "random", "mcts"]
WITHOUT_EFFECT = {
    "the margin of no clock": (["match", *SERIES, "--margin", "1"], "it needs --time"),
    "its usual value": (["match", *SERIES, "--margin", "0.1"], "it needs --time"),
    "a margin in a tournament": (["tournament", *SERIES, "--margin", "1"], "it needs --time"),
    "resuming no file": (["match", *SERIES, "--resume"], "--resume needs the file"),
    "two budgets of a match": (
        ["match", *SERIES, *["--seconds", "1", "--expansions", "2"]],
        "exclude",
    ),
    "two budgets of play": (["play", "hex", *["--seconds", "1", "--expansions", "2"]], "exclude"),
    "a limit that all players have": (
        ["match", "tic_tac_toe", "mcts:expansions=5", "mcts:expansions=6", "--seconds", "1"],
        "a limit of seconds is for players that have none",
    ),
    "a limit of random players": (
        ["tournament", "tic_tac_toe", "random", "mcts:iterations=9", "--expansions", "5"],
        "a limit of expansions is for players that have none",
    ),
    "a limit of the opponent": (
        ["play", "tic_tac_toe", "--opponent", "random", "--expansions", "5"],
        "no player here needs it",
    ),
    "a limit of the judge": (
        ["analyse", "tic_tac_toe", "--model", "mcts:iterations=9", "--seconds", "1"],
        "no player here needs it",
    ),
    "the game twice": (["analyse", "hex", "--game", "hex"], "the game is given twice"),
    "two opponents": (["play", "hex", "--model", "hex-5", "--opponent", "random"], "not both"),
}


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_it_is_refused_in_one_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, sentence = WITHOUT_EFFECT[name]
    assert sentence in complaint_of(capsys, *arguments)


def test_engines_that_nobody_is_named_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "engines.toml"
    file.write_text('[own]\nprotocol = "gtp"\ncommand = "own"\n')
    used = ["--engines", str(file)]
    for arguments in (
        ["match", *SERIES, *used],
        ["tournament", *SERIES, *used],
        ["play", "tic_tac_toe", "--opponent", "random", *used],
        ["ladder", "hex-5", "--opponent", "random", *used],
    ):
        said = complaint_of(capsys, *arguments)
        assert "has no effect: no player is one of its engines" in said
        assert "which are own" in said


def test_options_of_a_match_that_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "matches.jsonl"
    write_records(file, [Match("tic_tac_toe", "3/3/3 x", ("one", "other"), ("b2", "a1"), None)])
    analysed = ["analyse", str(file)]
    assert "every move is judged" in complaint_of(capsys, *analysed, "--top", "3")
    assert "written in Python" in complaint_of(capsys, *analysed, "--game", "tic_tac_toe")
    assert "not of hex" in complaint_of(capsys, "replay", str(file), "--game", "hex")
