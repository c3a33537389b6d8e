"""A game's file is a program: it runs when the user names it, never because another file does."""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from athenan import Error, load_model, make_game, search
from athenan.commands import main
from athenan.learning import complete_config
from athenan.networks import save_model
from athenan.programs import MODULE
from athenan.runs import Run
from athenan.runs.export import import_run
from commands.complaints import complaint_of
from small_runs import small_config, small_flags, train

EXAMPLE = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"
SHORT = {"stop": {"matches": 2}}


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def start_anew(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Forget the files that were named, as a new process would have."""

    def forget() -> None:
        for name in [name for name in sys.modules if name.startswith(MODULE)]:
            monkeypatch.delitem(sys.modules, name)

    forget()
    return forget


# Files from elsewhere.


@pytest.fixture(scope="module")
def honest_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("honest") / "run"
    train(folder, small_config(SHORT))
    return folder


@pytest.fixture(params=["with its SHA-256", "without one"])
def trap(request: pytest.FixtureRequest, honest_run: Path) -> Path:
    """A run, a model and an exported run whose game is a file that leaves a mark when it runs.

    Returns where that mark would be.
    """
    mark = Path("mark").absolute()
    Path("trap.py").write_text(f"open({str(mark)!r}, 'w')\n" + EXAMPLE.read_text())
    sha256 = hashlib.sha256(Path("trap.py").read_bytes()).hexdigest()
    sha256 = sha256 if request.param == "with its SHA-256" else ""
    file = str(Path("trap.py").absolute())
    run = Run(shutil.copytree(honest_run, "run"))
    settings = run.config_file.read_text().replace('game = "tic_tac_toe"', f'game = "{file}"')
    run.config_file.write_text(settings.replace('game_sha256 = ""', f'game_sha256 = "{sha256}"'))
    assert file in run.config_file.read_text()
    save_model(run.model, replace(load_model(run.model), game=file, game_sha256=sha256))
    assert main(["export-run", "run", "exported"]) == 0
    return mark


FOREIGN = {
    "match": ["match", "run", "random", "--matches", "2"],
    "match with the model": ["match", "random", "run/model.safetensors@seconds=1"],
    "match of another game": ["match", "run", "random", "--game", "tic_tac_toe"],
    "play": ["play", "--model", "run"],
    "play another game": ["play", "hex:size=3", "--opponent", "run"],
    "resume": ["resume", "run", "--matches", "4"],
    "resume with settings": ["resume", "run", "--set", "stop.matches=4"],
    "resume as another game": ["resume", "run", "--game", "tic_tac_toe"],
    "import": ["import-run", "exported", "imported"],
    "train from it": ["train", "--from", "run", "--matches", "1"],
    "train with its settings": ["train", "--preset", "run/config.toml"],
    "train against it": [
        *("train", *small_flags(SHORT), "--set", "evaluation.opponent=run"),
        *("--set", "evaluation.every_matches=1"),
    ],
    "bench": ["bench", "--preset", "run/config.toml", "--seconds", "0.1"],
}
HARMLESS = {
    "plot": ["plot", "run"],
    "export the run": ["export-run", "run", "file"],
    "export the model": ["export-model", "run", "file"],
}


@pytest.mark.parametrize("arguments", FOREIGN.values(), ids=FOREIGN)
def test_no_command_runs_a_file_that_another_file_names(
    arguments: list[str], trap: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "trap.py" in complaint_of(capsys, *arguments)
    assert not trap.exists()


def test_what_needs_no_game_works_without_it(trap: Path) -> None:
    for arguments in HARMLESS.values():
        assert main(arguments) == 0
    assert not trap.exists()


def test_python_runs_no_file_that_another_file_names(trap: Path) -> None:
    state = make_game("tic_tac_toe").initial_state()
    with pytest.raises(Error, match=r"plays .*trap\.py, not tic_tac_toe"):
        search(state, "run", expansions=2)
    with pytest.raises(Error, match=r"was trained on the Python game trap\.py"):
        Run("run").config()
    with pytest.raises(Error, match=r"the settings name the Python game .*trap\.py"):
        complete_config({"game": str(Path("trap.py").absolute())})
    with pytest.raises(Error, match=r"was trained on the Python game trap\.py"):
        import_run(Path("exported"), Run("imported"))
    assert not trap.exists()
    make_game("trap.py")  # the mark would have been seen
    assert trap.exists()


# Files of one's own.


@pytest.fixture
def own_run(start_anew: Callable[[], None], capsys: pytest.CaptureFixture[str]) -> str:
    """A run of a game in a file, as another process trained it; what that printed."""
    shutil.copy(EXAMPLE, "tic.py")
    assert main(["train", *small_flags({"game": "tic.py"}, SHORT), "--run", "run"]) == 0
    start_anew()
    return capsys.readouterr().out


def test_the_user_names_the_file_again(own_run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "play it with: athenan play tic.py --model run" in own_run
    sentence = complaint_of(capsys, "resume", "run")
    assert "the run run was trained on the Python game tic.py; name its file, as in" in sentence
    assert "--game tic.py" in sentence
    assert main(["resume", "run", "--game", "tic.py", "--matches", "3"]) == 0
    assert "3 matches learned" in capsys.readouterr().out
    assert main(["match", "run", "random", "--game", "tic.py", "--matches", "2"]) == 0
    assert "2 matches in" in capsys.readouterr().out


@pytest.mark.usefixtures("own_run")
def test_each_command_says_how_to_name_the_file(
    start_anew: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    says = {
        ("match", "run", "random"): "the player 'run' was trained on the Python game tic.py; name "
        "its file, as in --game tic.py",
        ("play", "--model", "run"): "as in athenan play tic.py --model run",
        ("train", "--from", "run"): "as in athenan train tic.py",
        ("train", "--preset", "run/config.toml"): "as in athenan train tic.py",
        ("import-run", "file", "other"): "as in --game tic.py",
        ("publish", "run", "tic", "--into", "mine"): "as in --game tic.py",
    }
    assert main(["export-run", "run", "file"]) == 0
    capsys.readouterr()
    for arguments, words in says.items():
        assert words in complaint_of(capsys, *arguments)
    assert main(["import-run", "file", "other", "--game", "tic.py"]) == 0
    assert "go on with: athenan resume other --game tic.py" in capsys.readouterr().out
    start_anew()
    assert main(["train", "tic.py", "--from", "run", "--matches", "1", "--run", "new"]) == 0


@pytest.mark.usefixtures("own_run")
def test_the_model_of_an_own_game_is_published(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    series = ["match", "run@expansions=3", "random", "--game", "tic.py", "--matches", "2", "--json"]
    assert main(series) == 0
    Path("series.json").write_text(capsys.readouterr().out)
    named = ["publish", "run", "tic", "--into", "mine", "--claim", "series.json", "--game"]
    assert main([*named, "tic.py"]) == 0
    page = Path("mine/tic.md").read_text()
    assert "| hardware | not stated |" in page
    assert "athenan train tic.py --preset small" in page
    assert "random --game tic.py --matches 2 --seed 0\n" in page
    monkeypatch.setenv("ATHENAN_MODELS", "mine")
    capsys.readouterr()
    assert main(["match", "tic", "random", "--game", "tic.py", "--matches", "2"]) == 0
    assert "plays tic.py, not hex" in complaint_of(capsys, *named, "hex")


@pytest.mark.usefixtures("own_run")
def test_the_file_may_move_but_not_change(
    start_anew: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("elsewhere").mkdir()
    Path("tic.py").rename("elsewhere/tac.py")
    assert main(["match", "run", "random", "--game", "elsewhere/tac.py", "--matches", "2"]) == 0
    capsys.readouterr()
    start_anew()
    Path("tic.py").write_text(EXAMPLE.read_text() + "\n# Another one.\n")
    for command in (["resume", "run"], ["match", "run", "random"]):
        sentence = complaint_of(capsys, *command, "--game", "tic.py")
        assert "tic.py is not the game file with which the " in sentence
    assert "run plays tic.py, not hex" in complaint_of(capsys, "resume", "run", "--game", "hex")


@pytest.mark.usefixtures("own_run")
def test_older_files_without_a_hash_are_read_when_the_user_names_the_file(
    start_anew: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    config, model = Run("run").config_file, Run("run").model
    lines = [line for line in config.read_text().splitlines() if "game_sha256" not in line]
    config.write_text("\n".join(lines).replace('"tic.py"', '"examples/tic.py"'))
    save_model(model, replace(load_model(model), game="examples/tic.py", game_sha256=""))
    for command in (["resume", "run"], ["match", "run", "random"]):
        assert "the Python game tic.py" in complaint_of(capsys, *command)
        assert main([*command, "--game", "tic.py", "--matches", "3"]) == 0
        start_anew()
    sha256 = hashlib.sha256(EXAMPLE.read_bytes()).hexdigest()
    assert f'game_sha256 = "{sha256}"' in config.read_text()


@pytest.mark.usefixtures("start_anew")
def test_a_file_that_changed_in_one_process_is_told(tmp_path: Path) -> None:
    file = tmp_path / "tic.py"
    shutil.copy(EXAMPLE, file)
    game = make_game(str(file))
    assert make_game(str(file)) == game
    file.write_text(EXAMPLE.read_text() + "\n")
    with pytest.raises(Error, match=r"tic\.py' was changed: start Python again"):
        make_game(str(file))


def test_a_run_of_a_simple_game_is_resumed_by_another_process(
    start_anew: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(EXAMPLE.with_name("dots_and_boxes.py"), "boxes.py")
    game = "boxes.py:size=1"
    assert main(["train", *small_flags({"game": game}, SHORT), "--run", "run"]) == 0
    start_anew()
    assert "the Python game boxes.py:size=1" in complaint_of(capsys, "resume", "run")
    assert "plays boxes.py:size=1, not boxes.py" in complaint_of(
        capsys, "resume", "run", "--game", "boxes.py"
    )
    assert main(["resume", "run", "--game", game, "--matches", "3"]) == 0
    assert "3 matches learned" in capsys.readouterr().out
    assert main(["match", "run", "random", "--game", game, "--matches", "2"]) == 0
