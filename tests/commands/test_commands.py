"""The command `athenan`: what it prints, and that every mistake ends in one sentence."""

from collections.abc import Callable
from pathlib import Path

import athenan
import processes
import pytest
from athenan.commands import main

Output = Callable[..., str]


def test_version(output_of: Output) -> None:
    assert output_of("--version") == f"athenan {athenan.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_the_commands(arguments: list[str], output_of: Output) -> None:
    text = output_of(*arguments)
    assert all(command in text for command in ("games", "perft", "show"))


def test_a_command_does_not_wait_for_the_others() -> None:
    code = (
        "import sys; from athenan.commands import main; main(['perft', 'tic_tac_toe', '1']); "
        "print(*(name for name in sys.modules if name.startswith('athenan.commands.')))"
    )
    program = processes.start("-c", code)
    output, problems = program.communicate(timeout=60)
    assert "athenan.commands.perft" in output, problems
    assert "athenan.commands.serve" not in output


MISTAKES = {
    "unknown command": ["gmaes"],
    "unknown flag": ["games", "--jsn"],
    "unknown flag of the program": ["--verbose"],
    "missing game": ["perft"],
    "missing depth": ["perft", "tic_tac_toe"],
    "seconds that are no number": ["bench", "tic_tac_toe", "--seconds", "nan"],
    "seconds without end": ["bench", "tic_tac_toe", "--seconds", "inf"],
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
    good = processes.athenan("show", "tic_tac_toe")
    assert "position: 3/3/3 x\n" in good.communicate()[0]
    assert good.returncode == 0
    bad = processes.athenan("show", "chess")
    assert bad.communicate()[1].startswith("athenan: there is no game 'chess'")
    assert bad.returncode == 2


def test_a_closed_pipe_is_no_error() -> None:
    shown = processes.athenan("games", "--json")
    assert shown.stdout is not None
    shown.stdout.close()
    assert shown.stderr is not None
    assert shown.stderr.read() == ""
    shown.stderr.close()
    assert shown.wait(timeout=60) in (0, 1)
