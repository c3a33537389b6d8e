"""`athenan show --svg`: the picture after some moves, the last turn marked."""

from pathlib import Path

import athenan
import pytest
from athenan.commands import main
from athenan.pictures import svg_of


def test_the_command_writes_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hex.svg"
    assert main(["show", "hex:size=4", "b2", "c3", "--svg", str(file)]) == 0
    assert capsys.readouterr().out == ""
    before = athenan.make_game("hex:size=4").initial_state().play("b2")
    state = before.play("c3")
    assert file.read_text() == svg_of(state, last_turn=[(before, "c3")])
    assert main(["show", "hex:size=4", "--position", state.position, "--svg", "-"]) == 0
    assert capsys.readouterr().out == svg_of(state)


def test_the_command_marks_all_plies_of_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "amazons", "d1d7", "/g7", "--svg", "-"]) == 0
    start = athenan.make_game("amazons").initial_state()
    middle = start.play("d1d7")
    drawn = svg_of(middle.play("/g7"), last_turn=[(start, "d1d7"), (middle, "/g7")])
    assert capsys.readouterr().out == drawn


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hex", "--svg", "f6"], "--svg takes a file that ends in .svg, or - for standard output"),
        (["hex", "f6", "f6", "--svg", "-"], "move 'f6' is not legal in hex here"),
        (["xiangqi", "--letters"], "--letters is about pictures: it needs --svg FILE"),
        (["hex", "--svg", "no/such/folder.svg"], "no such file or directory"),
    ],
)
def test_mistakes_end_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1
