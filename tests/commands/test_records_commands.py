"""`athenan convert`, `replay` and `show` of records."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from athenan.commands import main
from commands.complaints import complaint_of
from processes import ENVIRONMENT

HEX = "(;GM[11]SZ[4]PB[ann]PW[bob]RE[W+R];B[b2];W[swap-pieces];B[c3])(;GM[11]SZ[4];B[a1])"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "match.sgf"
    file.write_text(HEX)
    return file


def test_convert(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, plain = record.with_suffix(".jsonl"), record.with_suffix(".txt")
    assert main(["convert", str(record), str(lines)]) == 0
    assert capsys.readouterr().out == f"2 matches written to {lines}\n"
    assert main(["convert", str(lines), str(plain)]) == 0
    assert plain.read_text().startswith(
        "# game: hex:size=4,swap=true\n# players: ann | bob\n# result: 0-1 resigned\nb2 swap c3\n"
    )
    again = record.with_name("again.sgf")
    assert main(["convert", str(plain), str(again)]) == 0
    assert "PB[ann]PW[bob]RE[W+R]" in again.read_text()


def test_a_game_that_the_file_does_not_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, lines = tmp_path / "moves.txt", tmp_path / "moves.jsonl"
    plain.write_text("b2 a1\n")
    assert main(["convert", str(plain), str(lines)]) == 2
    assert "does not say which game it is" in capsys.readouterr().err
    assert main(["convert", str(plain), str(lines), "--game", "tic_tac_toe"]) == 0
    assert capsys.readouterr().out == f"1 match written to {lines}\n"
    lines.write_text(lines.read_text().replace('"a1"', '"b2"'))
    assert main(["convert", str(lines), str(plain)]) == 2
    assert f"{lines}, match 1: move 'b2' is not legal" in capsys.readouterr().err


def test_show_a_record(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(record)]) == 0
    assert "ply 3: second player to move" in capsys.readouterr().out
    assert main(["show", str(record), "--ply", "1"]) == 0
    assert "ply 1: " in capsys.readouterr().out
    assert main(["show", str(record), "--match", "2", "--svg", "-"]) == 0
    assert capsys.readouterr().out.startswith("<svg")


def test_stepping_through(record: Path) -> None:
    said = "\n\nback\nlast\nnext\nmoves\n1\nposition\nmatch 2\nmatch 9\nfly\n99\nhelp\nquit\n"
    program = subprocess.run(
        [sys.executable, "-m", "athenan", "replay", str(record)],
        input=said,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=60,
        check=True,
    )
    for expected in (
        "match 1 of 2: hex:size=4,swap=true, ann against bob",
        "ply 1 of 3 after b2: second player to move",
        "ply 3 of 3 after c3",
        "ended (resigned by the first player), the second player won",
        "this is the end of the match",
        "b2 swap c3",
        "4/1x2/4/4 o",
        "match 2 of 2",
        "there is no match 9: the file holds 2",
        "there is no command 'fly'",
        "the match has 1 plies",
        "Take the last turn back.",
    ):
        assert expected in program.stdout, expected


MISTAKES = {
    "no file": (["convert", "missing.sgf", "b.txt"], "there is no file missing.sgf"),
    "no format": (["convert", "a.doc", "b.txt"], "ends in one of .jsonl"),
    "another game": (["convert", "{record}", "b.ggf"], "GGF is for othello"),
    "no match": (["replay", "{record}", "--match", "7"], "there is no match 7"),
    "no ply": (["show", "{record}", "--ply", "9"], "there is no ply 9"),
    "moves too": (["show", "{record}", "a1"], "a record has its own moves"),
    "no record": (["show", "hex", "--ply", "1"], "are for files of records"),
}


@pytest.mark.parametrize(("arguments", "reason"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_gets_one_sentence(
    arguments: list[str], reason: str, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word.replace("{record}", str(record)) for word in arguments]
    assert reason in complaint_of(capsys, *given)
