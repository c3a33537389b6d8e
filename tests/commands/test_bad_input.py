"""Every command, given what it cannot use: one sentence, no trace, and nothing is left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from athenan import commands
from athenan.commands import main

NOISE = bytes(range(256)) * 20
BAD = {
    "nothing": "nothing",
    "a folder": "folder",
    "noise": "noise",
    "a Python file of noise": "noise.py",
    "a settings file of noise": "noise.toml",
    "an empty file": "empty",
    "a run of noise": "run-of-noise",
    "a run without anything": "run-without-anything",
    "a pipe": "pipe",
    "a link to itself": "loop",
    "a null character": "x\0y",
    "a name too long": "x" * 300,
    "no text": "",
    "a device": "/dev/null",
    "no memory to read": "/proc/self/mem",
    "a flag": "--nope",
}
COMMANDS: dict[str, list[str]] = {
    "games": ["games", "{}"],
    "show": ["show", "{}"],
    "show a move": ["show", "tic_tac_toe", "{}"],
    "show a position": ["show", "tic_tac_toe", "--position", "{}"],
    "perft": ["perft", "{}", "1"],
    "perft depth": ["perft", "tic_tac_toe", "{}"],
    "match": ["match", "{}", "random", "--game", "tic_tac_toe"],
    "match the game": ["match", "random", "random", "--game", "{}"],
    "match both": ["match", "{}", "{}"],
    "play": ["play", "{}"],
    "play a model": ["play", "tic_tac_toe", "--model", "{}"],
    "play an opponent": ["play", "tic_tac_toe", "--opponent", "{}"],
    "play a position": ["play", "tic_tac_toe", "--position", "{}"],
    "plot": ["plot", "{}"],
    "compare": ["compare", "{}"],
    "compare the last": ["compare", "nothing", "--last", "{}"],
    "export-model as ONNX": ["export-model", "{}", "out", "--onnx"],
    "resume hours": ["resume", "run-without-anything", "--hours", "{}"],
    "train": ["train", "{}"],
    "train a preset": ["train", "tic_tac_toe", "--preset", "{}"],
    "train from": ["train", "--from", "{}"],
    "train a setting": ["train", "tic_tac_toe", "--set", "{}"],
    "train a device": ["train", "tic_tac_toe", "--device", "{}"],
    "resume": ["resume", "{}"],
    "resume a game": ["resume", "run-without-anything", "--game", "{}"],
    "bench": ["bench", "{}"],
    "bench a preset": ["bench", "tic_tac_toe", "--preset", "{}"],
    "bench seconds": ["bench", "tic_tac_toe", "--seconds", "{}"],
    "export-run": ["export-run", "{}", "out"],
    "export-model": ["export-model", "{}", "out"],
    "import-run": ["import-run", "{}", "out"],
    "import-run a game": ["import-run", "noise", "out", "--game", "{}"],
    "doctor": ["doctor", "{}"],
    "analyse": ["analyse", "{}"],
    "check": ["check", "{}"],
    "convert": ["convert", "{}", "out"],
    "engine": ["engine", "{}"],
    "solve": ["solve", "{}"],
    "tournament": ["tournament", "{}", "random", "--game", "tic_tac_toe"],
    "replay": ["replay", "{}"],
    "replay a match": ["replay", "noise", "--match", "{}"],
    "experiment": ["experiment", "{}"],
    "plan": ["plan", "{}"],
    "plan minutes": ["plan", "noise.toml", "--minutes", "{}."],
    "match with the game first": ["match", "{}", "random", "random"],
    "match with a network": ["match", "tic_tac_toe", "random", "random", "--network", "{}"],
    "match openings": ["match", "tic_tac_toe", "random", "random", "--openings", "{}"],
    "match a clock": ["match", "tic_tac_toe", "random", "random", "--time", "{}."],
    "match a test": ["match", "tic_tac_toe", "random", "random", "--sprt", "{}."],
    "match adjudication": ["match", "tic_tac_toe", "random", "random", "--adjudicate", "{}"],
    "tournament openings": ["tournament", "tic_tac_toe", "random", "mcts", "--openings", "{}"],
    "tournament network": ["tournament", "tic_tac_toe", "random", "mcts", "--network", "{}"],
    "analyse moves": ["analyse", "tic_tac_toe", "b2", "{}"],
    "analyse a model": ["analyse", "tic_tac_toe", "--model", "{}."],
    "analyse a position": ["analyse", "tic_tac_toe", "--position", "{}"],
    "analyse a picture": ["analyse", "tic_tac_toe", "--svg", "{}"],
    "analyse a network": ["analyse", "tic_tac_toe", "--network", "{}"],
    "solve moves": ["solve", "tic_tac_toe", "b2", "{}"],
    "solve a position": ["solve", "tic_tac_toe", "--position", "{}"],
    "check matches": ["check", "tic_tac_toe", "--matches", "{}"],
    "convert into": ["convert", "noise", "{}"],
    "engine game": ["engine", "gtp", "--game", "{}"],
    "engine model": ["engine", "gtp", "--game", "go:size=5", "--model", "{}."],
    "engine seconds": ["engine", "gtp", "--game", "go:size=5", "--seconds", "{}"],
    "serve a player": ["serve", "--player", "{}"],
    "serve a game": ["serve", "--game", "{}"],
    "serve at a port": ["serve", "--port", "{}"],
    "serve a network": ["serve", "--network", "{}"],
    "resume a setting": ["resume", "run-of-tic-tac-toe", "--set", "{}"],
    "resume matches": ["resume", "run-of-tic-tac-toe", "--matches", "{}"],
    "resume a network": ["resume", "run-of-tic-tac-toe", "--network", "{}"],
    "train a network": ["train", "tic_tac_toe", "--network", "{}"],
    "train minutes": ["train", "tic_tac_toe", "--minutes", "{}"],
    "models": ["models", "{}."],
    "publish": ["publish", "{}.", "name"],
    "publish as": ["publish", "noise", "{}"],
    "publish a game": ["publish", "noise", "name", "--game", "{}"],
    "ladder": ["ladder", "{}"],
    "solo": ["solo", "{}", "--game", "morpion"],
    "reproduce": ["reproduce", "{}."],
}


def test_no_command_is_left_out_and_there_are_a_thousand_bad_inputs() -> None:
    assert set(commands.COMMANDS) == {words[0] for words in COMMANDS.values()}
    assert len(COMMANDS) * len(BAD) > 1000


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("folder", "run-of-noise", "run-without-anything"):
        Path(name).mkdir()
    for name in ("noise", "noise.py", "noise.toml", "run-of-noise/config.toml"):
        Path(name).write_bytes(NOISE)
    Path("empty").touch()
    Path("run-of-tic-tac-toe").mkdir()
    Path("run-of-tic-tac-toe/config.toml").write_text('game = "tic_tac_toe"\n')
    Path("run-without-anything/config.toml").write_text('game = "tic_tac_toe"\nnonsense = 1\n')
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")


@pytest.mark.parametrize("template", COMMANDS.values(), ids=COMMANDS)
def test_what_cannot_be_used_gets_one_sentence(
    template: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(tmp_path.rglob("*"))
    for bad in BAD.values():
        arguments = [part.replace("{}", bad) for part in template]
        assert main(arguments) == 2, arguments
        captured = capsys.readouterr()
        assert captured.out == "", arguments
        assert captured.err.startswith("athenan: "), arguments
        assert captured.err.count("\n") == 1, arguments
        assert 20 < len(captured.err) < 700, arguments
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_gets_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("noise", "noise.py", "noise.toml", "run-of-noise/config.toml"):
        Path(name).chmod(0)
    for arguments in (
        *(["show", "noise.py"], ["match", "noise", "random"], ["resume", "run-of-noise"]),
        *(["train", "hex", "--preset", "noise.toml"], ["import-run", "noise", "out"]),
    ):
        assert main(arguments) == 2
        assert capsys.readouterr().err.count("\n") == 1
