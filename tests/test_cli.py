"""The command `athenan`: what it prints, and that every mistake ends in one sentence."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import athenan
import pytest
from athenan.commands import main
from athenan.games.measure import random_matches

ROOT = Path(__file__).parents[1]
EXAMPLE = str(ROOT / "examples" / "tic_tac_toe.py")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    "COLUMNS": "100",
}


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def process(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "athenan", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=_listen_to_interrupts,
    )


def _listen_to_interrupts() -> None:
    """A shell starts its background jobs deaf to Ctrl-C; a person's terminal does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert output_of(capsys, "--version") == f"athenan {athenan.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_the_commands(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, *arguments)
    assert all(command in text for command in ("games", "perft", "show"))


def test_games_lists_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "games")
    for name in athenan.game_names():
        assert f" {name} {athenan.make_game(name).datasheet.title}" in text
        for option in athenan.game_parameters(name):
            assert f"{option.name}={option.default}" in text


def test_the_readme_has_the_same_list() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(athenan.game_names())


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(output_of(capsys, "games", "--json"))
    assert [game["name"] for game in listed] == athenan.game_names()
    for game in listed:
        sheet = athenan.make_game(game["name"]).datasheet
        assert game["id"] == athenan.make_game(game["name"]).id
        assert (game["players"], game["rows"], game["columns"], game["planes"]) == (
            sheet.players,
            sheet.rows,
            sheet.columns,
            sheet.planes,
        )
        assert (game["cyclic"], game["draws"], game["score"]) == (
            sheet.cyclic,
            sheet.has_draws,
            sheet.has_score,
        )
        assert [option["name"] for option in game["options"]] == [
            option.name for option in athenan.game_parameters(game["name"])
        ]
        assert 0 < game["random_matches"]["mean_length"] <= sheet.max_length
        assert 1 <= game["random_matches"]["mean_branching"] <= game["moves"]


def test_games_shows_one_datasheet(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "games", "tic_tac_toe")
    assert "each move fills one of 9 cells" in text
    assert "first player, second player, player to move" in text
    assert json.loads(output_of(capsys, "games", "tic_tac_toe", "--json"))["max_length"] == 9
    assert "left-right mirror" in output_of(capsys, "games", EXAMPLE)


def test_random_matches_are_measured() -> None:
    measured = random_matches(athenan.make_game("tic_tac_toe"), matches=4000)
    tally = athenan.make_game("tic_tac_toe").initial_state().playouts(4000)
    assert measured.matches == 4000
    assert measured.mean_length == pytest.approx(tally.plies / 4000, rel=0.02)
    # A match of n plies offers 9, 8, ... moves: on average 5 in nine plies, 7 in five.
    assert 5 < measured.mean_branching < 7


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert output_of(capsys, "perft", "tic_tac_toe", "9").startswith("127872 leaves at depth 9, ")
    assert output_of(capsys, "perft", "tic_tac_toe", "0").startswith("1 leaves at depth 0, ")
    assert output_of(capsys, "perft", EXAMPLE, "3", "--threads", "1").startswith("504 leaves")
    won = output_of(capsys, "perft", "tic_tac_toe", "1", "--position", "xxx/oo1/3 o")
    assert won.startswith("0 leaves")


def test_perft_divides(capsys: pytest.CaptureFixture[str]) -> None:
    *moves, total = output_of(capsys, "perft", "tic_tac_toe", "9", "--divide").splitlines()
    counts = dict(line.split(": ") for line in moves)
    assert list(counts) == athenan.make_game("tic_tac_toe").initial_state().legal_move_strings()
    assert (counts["a1"], counts["b1"], counts["b2"]) == ("13968", "14688", "13248")
    assert total.startswith("127872 leaves")


def test_show_draws_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert output_of(capsys, "show", "tic_tac_toe", "b2", "a1") == (
        "1 o . .\n2 . x .\n3 . . .\n  a b c\n"
        "ply 2: first player to move, 7 legal moves\n"
        "position: o2/1x1/3 x\n"
    )
    assert "position: o...x....\n" in output_of(capsys, "show", EXAMPLE, "b2", "a1")


def test_show_starts_from_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "show", "tic_tac_toe", "c1", "--position", "xx1/oo1/3 x")
    assert "ply 5: the first player won\nposition: xxx/oo1/3 o\n" in text
    drawn = output_of(capsys, "show", "tic_tac_toe", "c3", "--position", "xox/xoo/ox1 x")
    assert "ply 9: a draw\n" in drawn
    last = output_of(capsys, "show", "tic_tac_toe", "--position", "xox/xoo/ox1 x")
    assert "ply 8: first player to move, 1 legal move\n" in last


def test_show_tells_the_score(capsys: pytest.CaptureFixture[str]) -> None:
    last = ["show", "othello:size=4", "--position", "XXXXXXXXXXXXXXO- X @11"]
    assert "ply 11: first player to move, 1 legal move\n" in output_of(capsys, *last)
    assert "ply 12: the first player won, score +16\n" in output_of(capsys, *last, "d4")


def test_show_of_a_game_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert "ply 0: to move, 28 legal moves\n" in output_of(capsys, "show", "morpion")


MISTAKES = {
    "unknown command": ["gmaes"],
    "unknown flag": ["games", "--jsn"],
    "unknown flag of the program": ["--verbose"],
    "missing game": ["perft"],
    "missing depth": ["perft", "tic_tac_toe"],
    "unknown game": ["show", "chess"],
    "unknown game in games": ["games", "chess"],
    "unknown option": ["show", "tic_tac_toe:size=4"],
    "empty game": ["show", ""],
    "depth no number": ["perft", "tic_tac_toe", "three"],
    "depth below zero": ["perft", "tic_tac_toe", "--", "-1"],
    "depth beyond the longest match": ["perft", "tic_tac_toe", "10"],
    "depth beyond all measure": ["perft", "tic_tac_toe", "9" * 30],
    "threads no number": ["perft", "tic_tac_toe", "1", "--threads", "x"],
    "threads below zero": ["perft", "tic_tac_toe", "1", "--threads", "-1"],
    "threads beyond all measure": ["perft", "tic_tac_toe", "1", "--threads", "9" * 30],
    "nothing to divide": ["perft", "tic_tac_toe", "0", "--divide"],
    "too many arguments": ["perft", "tic_tac_toe", "1", "2"],
    "illegal move": ["show", "tic_tac_toe", "b2", "b2"],
    "no such move": ["show", "tic_tac_toe", "z9"],
    "move after the end": ["show", "tic_tac_toe", "--position", "xxx/oo1/3 o", "c3"],
    "bad position": ["show", "tic_tac_toe", "--position", "x\n\x1b[31m/9 x"],
    "impossible position": ["perft", "tic_tac_toe", "1", "--position", "xxx/ooo/3 x"],
    "no such file": ["show", "nowhere.py"],
    "a folder": ["show", "/.py"],
    "a name too long": ["show", "x" * 5000 + ".py"],
    "not UTF-8": ["show", "tic_tac_toe", "\udcff"],
    "line breaks": ["show", "tic_tac_toe", "a\nb"],
}


@pytest.mark.parametrize("arguments", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_gets_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("athenan: ")
    assert captured.err.count("\n") == 1
    assert len(captured.err) > len("athenan: \n") + 10


def test_a_file_that_is_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import nothing_of_that_name")
    assert main(["show", str(file)]) == 2
    assert "nothing_of_that_name" in capsys.readouterr().err


def test_the_module_is_the_command() -> None:
    good = process("show", "tic_tac_toe")
    assert "position: 3/3/3 x\n" in good.communicate()[0]
    assert good.returncode == 0
    bad = process("show", "chess")
    assert bad.communicate()[1].startswith("athenan: there is no game 'chess'")
    assert bad.returncode == 2


def test_interrupting_a_long_count_ends_it() -> None:
    # The first move wins at once; what follows the second would take years to count.
    state = athenan.make_game("connect_four").initial_state()
    for move in "ababab":
        state = state.play(move)
    counting = process("perft", "connect_four", "30", "--divide", "--position", state.position)
    assert counting.stdout is not None
    assert counting.stdout.readline() == "a: 0\n"
    counting.send_signal(signal.SIGINT)
    try:
        assert counting.communicate(timeout=60) == ("", "")
    finally:
        counting.kill()
    assert counting.returncode == 130


def test_a_closed_pipe_is_no_error() -> None:
    shown = process("games", "--json")
    assert shown.stdout is not None
    shown.stdout.close()
    assert shown.stderr is not None
    assert shown.stderr.read() == ""
    shown.stderr.close()
    assert shown.wait(timeout=60) in (0, 1)
