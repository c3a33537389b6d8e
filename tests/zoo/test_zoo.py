"""Models by name: where they are looked for, and that every command finds them there."""

from __future__ import annotations

import io
import json
import math
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import athenan
import pytest
from athenan.commands import main
from athenan.protocols import PROTOCOLS
from athenan.zoo import named_model, own_folder, stated_by, stated_models, user_folders, zoo
from small_models import write_model

ROOT = Path(__file__).parents[2]
Say = Callable[..., str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own models: one of tic-tac-toe, beside those that come with athenan."""
    mine = tmp_path / "mine"
    mine.mkdir()
    write_model(mine / "small-3.safetensors", "tic_tac_toe", "ubfm-safe:terminal=classic")
    monkeypatch.setenv("ATHENAN_MODELS", os.pathsep.join([str(tmp_path / "none"), str(mine)]))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    return mine


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Say:
    """Run a command that must succeed and return what it printed."""

    def run(*arguments: str, typed: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert main(arguments) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return run


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(arguments) == 2
    return capsys.readouterr().err


def test_names_are_files_of_the_folders_and_the_users_go_first(folder: Path) -> None:
    ours = own_folder()
    assert ours is not None
    assert zoo()["hex-5"] == ours / "hex-5.safetensors"
    assert zoo()["small-3"] == named_model("small-3") == folder / "small-3.safetensors"
    shutil.copy(folder / "small-3.safetensors", folder / "hex-5.safetensors")
    assert zoo()["hex-5"] == named_model("hex-5") == folder / "hex-5.safetensors"
    assert athenan.load("hex-5").game == "tic_tac_toe"


def test_an_installed_package_has_them_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]
    assert settings["wheel"]["packages"]["athenan/models"] == "models"
    assert "models" not in settings["sdist"]["exclude"]
    package = tmp_path / "site-packages" / "athenan"
    monkeypatch.setattr("athenan.zoo.__file__", str(package / "zoo" / "__init__.py"))
    (tmp_path / "models").mkdir()  # of something else that lies beside site-packages
    assert own_folder() is None
    (package / "models").mkdir(parents=True)
    shutil.copy(ROOT / "models" / "hex-5.safetensors", package / "models")
    assert own_folder() == package / "models"
    assert named_model("hex-5") == package / "models" / "hex-5.safetensors"


def test_without_the_variable_the_folder_of_the_users_data_is_searched(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ATHENAN_MODELS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert user_folders() == [tmp_path / "data" / "athenan" / "models"]
    assert named_model("small-3") is None
    shutil.copytree(folder, user_folders()[0])
    assert named_model("small-3") == user_folders()[0] / "small-3.safetensors"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert user_folders() == [Path.home() / ".local" / "share" / "athenan" / "models"]


def test_what_is_no_name_is_not_looked_for(folder: Path) -> None:
    for name in ("mcts", "random", "Upper", "a b", "x" * 65):
        shutil.copy(folder / "small-3.safetensors", folder / f"{name}.safetensors")
        assert named_model(name) is None
        assert name not in zoo()
    for name in ("../mine/small-3", "", ".", "small-3.safetensors", "\0"):
        assert named_model(name) is None


def test_a_path_goes_before_a_name(folder: Path, tmp_path: Path) -> None:
    write_model(tmp_path / "small-3", "hex:size=3", "ubfm")
    assert athenan.load("small-3").game.startswith("hex:size=3")
    (tmp_path / "small-3").unlink()
    assert athenan.load("small-3").game == "tic_tac_toe"
    assert athenan.load(folder / "small-3.safetensors").game == "tic_tac_toe"


@pytest.mark.parametrize(
    "header",
    [
        "[" * 100_000,
        json.dumps({"__metadata__": {"athenan": "[" * 100_000}}),
        json.dumps(
            {
                "__metadata__": {
                    "athenan": '{"game": "", "search": "", "info": {}, "architecture": {}}'
                },
                "weights": {"shape": [math.inf], "dtype": "F32"},
            }
        ),
    ],
)
def test_an_absurd_file_among_the_models_is_passed_over(header: str, folder: Path) -> None:
    text = header.encode()
    (folder / "absurd.safetensors").write_bytes(len(text).to_bytes(8, "little") + text)
    assert "small-3" in [each.name for each in stated_models()]
    with pytest.raises(athenan.Error, match="not a model file"):
        stated_by(folder / "absurd.safetensors")


def test_a_loaded_model_thinks_and_plays() -> None:
    with athenan.load("small-3") as model:
        state = model.make_game().initial_state()
        first = model.think(state, expansions=5, seed=3)
        assert first.spent.expansions == 5
        assert str(first.spec).startswith("ubfm-safe:")
        again = athenan.search(state, model, expansions=5, seed=3)
        assert again.best_move == first.best_move
        assert again.value == first.value
        assert model.think(state, "alphabeta:depth=1").spec.name == "alphabeta"
        while not state.is_terminal:
            state = model.play(state, expansions=2)
        assert state.outcome is not None
        with pytest.raises(athenan.Error, match="tic_tac_toe"):
            model.think(athenan.make_game("hex:size=3").initial_state(), expansions=1)
        with pytest.raises(athenan.ParameterError, match="think expects a State"):
            model.think(model.make_game(), expansions=1)  # type: ignore[arg-type]
    model.close()


def test_a_loaded_model_is_shown_in_one_line() -> None:
    with athenan.load("small-3") as model:
        weights = sum(each.numel() for each in model.network.parameters())
        start = f"<TrainedModel of tic_tac_toe: {weights:,} weights, plays with "
        assert repr(model).startswith(start)
        assert repr(model).endswith(f"{model.search}>")


def test_a_name_that_is_none_is_told_what_was_meant() -> None:
    with pytest.raises(athenan.Error, match="no model 'hex-55'; did you mean 'hex-5'"):
        athenan.load("hex-55")
    with pytest.raises(athenan.Error, match="athenan models lists"):
        athenan.load("zzz")
    with pytest.raises(athenan.ParameterError, match="by its name or from a path, not 7"):
        athenan.load(7)  # type: ignore[arg-type]


def test_models_lists_them_and_passes_over_files_that_are_none(say: Say, folder: Path) -> None:
    (folder / "broken.safetensors").write_bytes(b"nothing")
    (folder / "huge.safetensors").write_bytes(b"\xff" * 100)
    shown = say("models")
    assert re.search(r"small-3\s+tic_tac_toe", shown)
    assert "hex-11" in shown
    assert "broken" not in shown
    listed = {each["name"]: each for each in json.loads(say("models", "--json"))}
    assert listed["small-3"]["card"] is None
    assert listed["hex-11"]["bytes"] == zoo()["hex-11"].stat().st_size
    assert "no card" in say("models", "small-3")


def test_the_list_says_where_it_looked_when_there_is_nothing(
    say: Say, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ATHENAN_MODELS", str(tmp_path / "empty"))
    monkeypatch.setattr("athenan.zoo.own_folder", lambda: None)
    assert f"there is no model in {tmp_path / 'empty'}" in say("models")


def test_play_takes_a_name_in_the_place_of_a_game(
    say: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = say("play", "small-3", "--seconds", "0.01", typed="b2\nquit\n")
    assert "tic_tac_toe against small-3" in shown
    assert "small-3 plays" in shown
    said = complaint(capsys, "play", "small-3", "--model", "hex-5")
    assert "'small-3' and 'hex-5' are two models" in said
    said = complaint(capsys, "play", "small-3", "--opponent", "random")
    assert "give --model or --opponent, not both" in said
    assert "there is no game 'small-4'" in complaint(capsys, "play", "small-4")


def test_match_analyse_and_solve_take_a_name(say: Say) -> None:
    arguments = ("match", "small-3@expansions=2", "random", "--matches", "4", "--json")
    series = json.loads(say(*arguments))
    assert series["game"] == "tic_tac_toe"
    assert series["a"]["description"].startswith("small-3@expansions=2 with ubfm-safe:")
    shown = say("analyse", "small-3", "b2", "--expansions", "3")
    assert "ply 1" in shown
    assert "tic_tac_toe, ply 0: a draw" in say("solve", "small-3")
    shown = say("match", "small-3@reference:ubfm:expansions=2", "random", "--matches", "2")
    assert "2 matches" in shown


def test_the_protocols_take_a_name(say: Say) -> None:
    assert "ugi" in PROTOCOLS
    shown = say("engine", "ugi", "--model", "small-3", "--expansions", "2", typed="go\nquit\n")
    assert re.search(r"bestmove [abc][123]", shown)


def test_the_page_offers_them(folder: Path) -> None:
    pytest.importorskip("starlette")
    from athenan.web.catalogue import Catalogue
    from athenan.web.settings import Settings
    from athenan.zoo import folders

    shutil.copy(folder / "small-3.safetensors", folder / "hex-5.safetensors")
    catalogue = Catalogue(Settings(named=tuple(folders())))
    listed = {each.id: each for each in catalogue.models()}
    assert {"small-3", "hex-5", "hex-11", "othello-8"} <= listed.keys()
    assert listed["hex-5"].game == "tic_tac_toe"
    assert "card" not in listed["hex-11"].as_json()["info"]


def test_what_a_file_states_is_read_without_torch() -> None:
    stated = stated_by(zoo()["hex-11"])
    assert (stated.name, stated.game, stated.type) == ("hex-11", "hex:size=11,swap=true", "F16")
    assert stated.weights == 1_782_337
    assert abs(stated.size - 2 * stated.weights) < 10_000
