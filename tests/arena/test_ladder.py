"""Ladders: each rung is the series of `athenan match`, and what was played is not played again."""

from __future__ import annotations

import json
from pathlib import Path

import athenan
import pytest
from athenan.arena.engines.texts import engines_for
from athenan.commands import main
from small_models import write_model


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_model(tmp_path / "tiny.safetensors", "tic_tac_toe", "ubfm-safe:terminal=classic")
    monkeypatch.setenv("ATHENAN_MODELS", str(tmp_path))
    monkeypatch.setattr("athenan.zoo.own_folder", lambda: None)  # tiny is alone
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0, capsys.readouterr().err
    return capsys.readouterr().out


LADDER = (
    *("--budget", "expansions=2", "--budget", "expansions=20"),
    *("--opponent", "random", "--opponent", "mcts:iterations=50"),
    *("--matches", "6", "--seed", "3"),
)


def test_a_rung_is_the_series_of_match(capsys: pytest.CaptureFixture[str]) -> None:
    rungs = json.loads(printed(capsys, "ladder", "tiny", *LADDER, "--json"))
    names = [(each["a"]["name"], each["b"]["name"]) for each in rungs]
    assert names == [
        (f"tiny@expansions={n}", opponent)
        for n in (2, 20)
        for opponent in ("random", "mcts:iterations=50")
    ]
    for rung, (a, b) in zip(rungs, names, strict=True):
        series = json.loads(
            printed(capsys, "match", a, b, "--matches", "6", "--seed", "3", "--json")
        )
        del series["seconds"], rung["seconds"]
        assert rung == series


def test_a_ladder_goes_on_where_it_was(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = printed(capsys, "ladder", "tic_tac_toe", *LADDER, "--save", "rungs.jsonl")
    assert whole.count("`tiny@expansions=") == 4
    lines = Path("rungs.jsonl").read_text().splitlines(keepends=True)
    assert len(lines) == 24
    Path("rungs.jsonl").write_text("".join(lines[:9] + lines[20:]))
    again = printed(capsys, "ladder", "tic_tac_toe", *LADDER, "--save", "rungs.jsonl")
    assert again == whole
    assert len(Path("rungs.jsonl").read_text().splitlines()) == 24
    monkeypatch.setattr("athenan.arena.ladder.play_matches", None)
    assert printed(capsys, "ladder", "tiny", *LADDER, "--save", "rungs.jsonl") == whole


def test_the_chart_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    printed(capsys, "ladder", "tiny", *LADDER, "--png", "ladder.png")
    assert Path("ladder.png").read_bytes().startswith(b"\x89PNG")


def test_the_card_takes_the_rungs_of_a_ladder(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    Path("rungs.json").write_text(printed(capsys, "ladder", "tiny", *LADDER, "--json"))
    Path("notes.toml").write_text(
        "[training]\nhardware = 'none'\ncommand = 'none'\nminutes = 0\nmatches = 0\n"
    )
    arguments = ("--notes", "notes.toml", "--claim", "rungs.json", "--into", str(folder))
    printed(capsys, "publish", "tiny", "climber", *arguments)
    card = json.loads(printed(capsys, "models", "climber", "--json"))["card"]
    assert len(card["claims"]) == 4
    assert card["claims"][0]["command"] == (
        "athenan match climber@ubfm-safe:expansions=2 random --matches 6 --seed 3"
    )


def test_engines_are_taken_for_the_games_that_they_name(folder: Path) -> None:
    file = folder / "engines.toml"
    nine, seven = athenan.make_game("go:size=9"), athenan.make_game("go:size=7")
    entry = 'protocol = "gtp"\ncommand = "x"\n'
    file.write_text(
        f'[a]\n{entry}games = ["go"]\n[b]\n{entry}\n[c]\n{entry}games = ["hex", "{nine.id}"]\n'
    )
    assert engines_for(seven, file) == ["a"]
    assert engines_for(seven) == ["a"]
    assert engines_for(athenan.make_game("hex:size=5"), file) == ["c"]
    assert engines_for(nine, file) == ["a", "c"]
    file.write_text(f'[a]\n{entry}games = "go"\n')
    with pytest.raises(athenan.Error, match="games of a is a list"):
        engines_for(nine, file)


def test_what_cannot_climb_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (("hex:size=4",), "there is no named model of hex:size=4,swap=true"),
        (("tiny", "--opponent", "tiny@expansions=10"), "is its own opponent"),
        (("tiny", "--opponent", "random", "--opponent", "random"), "'random' is named twice"),
        (("tiny", "--budget", "expansions=1", "--budget", "expansions=1"), "is named twice"),
        (("tiny", "--game", "morpion"), "plays tic_tac_toe, not morpion"),
        (("tiny", "--opponent", "nobody"), "there is no player 'nobody'"),
        (("nothing",), "there is no game 'nothing'"),
    ):
        assert main(["ladder", *arguments]) == 2
        assert said in capsys.readouterr().err
