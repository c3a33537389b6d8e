"""`athenan tournament`: its table, its data, its picture, and that it survives kill -9."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import processes
import pytest
from athenan.arena import read_matches
from athenan.commands import main
from commands.complaints import complaint_of

GAME = ["--game", "tic_tac_toe"]
PLAYERS = ["mcts:iterations=50", "minimax", "random"]


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["tournament", *arguments]) == 0
    return capsys.readouterr().out


def test_the_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "table.png"
    text = output_of(capsys, *PLAYERS, *GAME, "--matches", "6", "--png", str(picture))
    assert text.startswith("tic_tac_toe: 18 matches in ")
    assert "6 for each of 3 pairings (round-robin)\n3 openings, each with both colours\n" in text
    rows = [line.split() for line in text.splitlines() if line[:1].isdigit() and "  " in line]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert {row[1] for row in rows} == set(PLAYERS)
    assert sum(float(row[4]) for row in rows) == 18
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_data(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    arguments = [*PLAYERS, *GAME, "--matches", "4", "--form", "gauntlet", "--json"]
    facts = json.loads(output_of(capsys, *arguments, "--save", str(file)))
    assert (facts["planned"], facts["played"], facts["form"]) == (8, 8, "gauntlet")
    assert [each["rank"] for each in facts["players"]] == [1, 2, 3]
    assert [(each["a"], each["b"]) for each in facts["pairings"]] == [
        (PLAYERS[0], PLAYERS[1]),
        (PLAYERS[0], PLAYERS[2]),
    ]
    assert sum(each["points"] for each in facts["players"]) == 8
    saved = file.read_text()
    again = json.loads(output_of(capsys, *arguments, "--save", str(file)))
    assert file.read_text() == saved  # nothing is played twice
    assert again | {"seconds": 0} == facts | {"seconds": 0}


def test_a_plan_in_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plan, records = tmp_path / "cup.toml", tmp_path / "records.jsonl"
    plan.write_text(
        f"""
        game = "tic_tac_toe"
        matches = 2
        time = "nodes=20"
        adjudicate = ["length=8"]
        save = '{records}'
        [players]
        thinker = "ubfm"
        quick = "ubfm:expansions=1"
        dice = "random"
        """
    )
    facts = json.loads(output_of(capsys, str(plan), "--json"))
    assert {each["name"] for each in facts["players"]} == {"thinker", "quick", "dice"}
    assert facts["control"] == "nodes=20"
    assert len(read_matches(records)) == facts["played"] == 6
    plan.write_text('game = "tic_tac_toe"\nplayers = ["random", "minimax"]\nmatches = 2')
    assert json.loads(output_of(capsys, str(plan), "--json"))["played"] == 2


def test_kill_9_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "records.jsonl"
    players = ["mcts:iterations=400", "mcts:iterations=300", "mcts:iterations=200"]
    arguments = [*players, "--game", "hex:size=5", "--matches", "20", "--save", str(file)]
    killed = 0
    for wanted in (5, 25):
        playing = processes.athenan("tournament", *arguments)
        deadline = time.monotonic() + 60
        while playing.poll() is None and time.monotonic() < deadline:
            if file.exists() and file.read_bytes().count(b"\n") >= wanted:
                playing.send_signal(signal.SIGKILL)
                break
            time.sleep(0.01)
        playing.communicate(timeout=60)
        killed += playing.returncode == -signal.SIGKILL
    before = read_matches(file)
    facts = json.loads(output_of(capsys, *arguments, "--json"))
    after = read_matches(file)
    assert killed > 0
    assert after[: len(before)] == before
    assert facts["played"] == len(after) == 60
    assert len({(match.players, match.index) for match in after}) == 60


MISTAKES = {
    "one player": (["random", *GAME], "two players or more"),
    "twice": (["random", "random", *GAME], "named twice"),
    "nobody": (["random", "nobody", *GAME], "there is no player 'nobody'"),
    "no game": (["random", "minimax"], "name one of"),
    "openings": (["random", "minimax", *GAME, "--openings", "odd"], "random, balanced or a file"),
    "no plan": (["missing.toml"], "missing.toml"),
    "form": (["random", "minimax", *GAME, "--form", "swiss"], "gauntlet"),
}


@pytest.mark.parametrize(("arguments", "reason"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_gets_one_sentence(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reason in complaint_of(capsys, "tournament", *arguments)


PLANS = {
    "no TOML": ("players = [", "is not a TOML file"),
    "a typo": (
        'players = ["random", "minimax"]\nmatchs = 3',
        "there is no 'matchs' (did you mean matches?); a plan has players, game, ",
    ),
    "no players": ('game = "go"', "players is a list of players, or a table"),
    "a number of players": ("players = 3", "players is a list of players, or a table"),
    "a number": ('players = ["random", "minimax"]\nmatches = "many"', "matches"),
    "twice": ('players = ["random", "random"]', "named twice"),
}


@pytest.mark.parametrize(("text", "reason"), PLANS.values(), ids=PLANS)
def test_a_bad_plan_gets_one_sentence(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "cup.toml"
    plan.write_text(text)
    assert reason in complaint_of(capsys, "tournament", str(plan))


def test_a_game_in_a_file_may_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file with a search is a player there, whose game another one names."""
    monkeypatch.chdir(tmp_path)
    examples = Path(__file__).parents[2] / "examples"
    Path("boxes.py").write_text((examples / "dots_and_boxes.py").read_text())
    Path("own.py").write_text(
        "from athenan.arena import PythonSearch\n"
        "class Own(PythonSearch):\n"
        "    def choose(self, state, budget):\n"
        "        return state.legal_moves()[0]\n"
    )
    for game in ("boxes.py", "boxes.py:size=1"):
        text = output_of(capsys, game, "own.py", "own.py:Own", "random", "--matches", "2")
        assert text.startswith(f"{game}: 6 matches")
    assert "game" in complaint_of(capsys, "tournament", "own.py", "random")
