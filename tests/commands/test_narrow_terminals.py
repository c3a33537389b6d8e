"""In a terminal of sixty columns no word is broken, and nothing is cut off."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from athenan.arena import Match
from athenan.commands import COMMANDS, main
from athenan.records import write_records
from athenan.terminal.page import table
from small_models import write_model

WIDTH = 60
NAMES = list(COMMANDS)
Told = Callable[..., tuple[list[str], list[str]]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """What a command says in a narrow terminal and in a wide one."""

    def run(*arguments: str) -> tuple[list[str], list[str]]:
        said = []
        for width in (WIDTH, 1000):
            monkeypatch.setenv("COLUMNS", str(width))
            monkeypatch.setenv("TERM", "xterm")
            monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
            assert main(arguments) == 0
            printed = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().out)
            said.append([line.rstrip() for line in printed.splitlines()])
        return said[0], said[1]

    return run


def too_long(lines: list[str]) -> list[str]:
    """The lines that are too long, though they might have ended at an earlier word."""
    return [line for line in lines if len(line) > WIDTH and len(line.split()) > 1]


@pytest.mark.parametrize("name", ["", *NAMES])
def test_help(name: str, told: Told) -> None:
    narrow, wide = told(*filter(None, [name, "--help"]))
    assert len(narrow) > 3
    assert too_long(narrow) == []
    assert " ".join(narrow).split() == " ".join(wide).split()
    assert "…" not in " ".join(narrow)


def played(folder: Path) -> str:
    file = folder / "matches.jsonl"
    moves = ("b2", "a1", "b1", "b3", "a3", "c1", "c2", "a2", "c3")
    names = ("an opponent with quite a long name", "another one with a longer name")
    write_records(file, [Match("tic_tac_toe", "3/3/3 x", names, moves, 0)])
    return str(file)


def model(folder: Path) -> str:
    file = folder / "a-model-of-the-smallest-game.safetensors"
    write_model(file, "tic_tac_toe", "ubfm-safe")
    return str(file)


REPORTS: dict[str, Callable[[Path], list[str]]] = {
    "games": lambda _: ["games"],
    "a game": lambda _: ["games", "international_draughts"],
    "models": lambda _: ["models"],
    "a match": lambda folder: ["match", "random", model(folder), "--matches", "2", "--seed", "1"],
    "a tournament": lambda folder: [
        *["tournament", "tic_tac_toe", "random", "mcts:iterations=5,c=0.7"],
        *[model(folder), "--matches", "2"],
    ],
    "an analysis": lambda folder: ["analyse", model(folder), "--expansions", "5"],
    "an analysis of a match": lambda folder: ["analyse", played(folder), "--expansions", "5"],
    "a position": lambda _: ["show", "xiangqi"],
    "a proof": lambda _: ["solve", "tic_tac_toe"],
    "a check": lambda _: ["check", "connect_four", "--matches", "1"],
    "reproductions": lambda _: ["reproduce", "--list"],
}
NUMBER = re.compile(r"[-+±]?[\d.,]+[a-z%;]*$")
"""Times and speeds are others in another run."""
FIRST = {"game", "name", "move", "ply"}
"""Of first columns: their cells are the headings of paragraphs."""


@pytest.mark.parametrize("name", REPORTS)
def test_reports(name: str, told: Told, tmp_path: Path) -> None:
    narrow, wide = told(*REPORTS[name](tmp_path))
    assert narrow
    assert too_long(narrow) == []
    there = {word.rstrip(";:") for word in " ".join(wide).split()}
    words = [word.rstrip(";:") for word in " ".join(narrow).split()]
    assert [each for each in words if each not in there and not NUMBER.match(each)] == []
    assert [each for each in there - set(words) - FIRST if not NUMBER.match(each)] == []


def test_a_table_that_fits_has_columns_and_a_wider_one_paragraphs() -> None:
    rows = [["a long name of somebody", "1", "2.5"], "a remark", ["b", "10", ""]]
    columns = ("who", ">points", ">mean")
    assert list(table(columns, rows, None)) == [
        "who                      points  mean",
        "a long name of somebody       1   2.5",
        "    a remark",
        "b                            10",
    ]
    assert list(table(columns, rows, 30)) == [
        "a long name of somebody",
        "    points: 1; mean: 2.5",
        "    a remark",
        "b",
        "    points: 10",
    ]
    assert list(table(("move", "what may follow it"), [["b2", "one two three four five"]], 22)) == [
        "move  what may follow",
        "      it",
        "b2    one two three",
        "      four five",
    ]
