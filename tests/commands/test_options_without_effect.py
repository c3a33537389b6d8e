"""An option that would change nothing is refused, not ignored."""

from __future__ import annotations

import pytest
from commands.complaints import complaint_of

SERIES = ["tic_tac_toe", "random", "mcts"]
WITHOUT_EFFECT = {
    "the margin of no clock": (["match", *SERIES, "--margin", "1"], "it needs a clock, --time"),
    "its usual value": (["match", *SERIES, "--margin", "0.1"], "it needs a clock, --time"),
    "a margin in a tournament": (["tournament", *SERIES, "--margin", "1"], "it needs a clock"),
    "resuming no file": (["match", *SERIES, "--resume"], "--resume needs the file"),
    "two budgets of a match": (
        ["match", *SERIES, *["--seconds", "1", "--expansions", "2"]],
        "exclude",
    ),
    "two budgets of play": (["play", "hex", *["--seconds", "1", "--expansions", "2"]], "exclude"),
    "two opponents": (["play", "hex", "--model", "hex-5", "--opponent", "random"], "exclude"),
}


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_it_is_refused_in_one_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, sentence = WITHOUT_EFFECT[name]
    assert sentence in complaint_of(capsys, *arguments)
