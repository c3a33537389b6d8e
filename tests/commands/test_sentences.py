"""Mistakes that were once told late, in the words of a library, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import athenan
import pytest
from athenan import ParameterError, pictures, records
from athenan.analysis import prove
from athenan.arena import (
    Match,
    balanced_openings,
    distinct_openings,
    play_matches,
    player,
    read_matches,
    read_openings,
    read_player,
)
from athenan.commands import main
from athenan.learning import method, preset
from commands.complaints import complaint_of

GAME = athenan.make_game("tic_tac_toe")
FILES = {
    "half.py": "from athenan import SimpleRules\n"
    "class Half(SimpleRules):\n    def initial(self): return 0\n",
    "late.py": "from athenan.arena import PythonSearch\nclass Late(PythonSearch): pass\n",
    "raises.py": "number = 0\nnumber = 1 / number\n",
    "ends.py": "import sys\nsys.exit(3)\n",
    "net.py": "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, shape):\n"
    "        super().__init__()\n",
    "plan.toml": 'games = ["hex:size=3"]\n',
    "claim.json": json.dumps({"a": 1}),
    "folder/nothing": "",
}
SERIES = ["hex-5", "--opponent", "random", "--matches", "2", "--budget", "expansions=1"]
CUP = ["tic_tac_toe", "random", "mcts", "--matches", "2", "--png"]
SAID = {
    "a picture of a ladder in no folder": (
        ["ladder", *SERIES, "--png", "no/x.png"],
        "there is no folder no",
    ),
    "a picture of a ladder that is none": (
        ["ladder", *SERIES, "--png", "x.xyz"],
        "must end in one of",
    ),
    "a picture of a cup in no folder": (["tournament", *CUP, "no/x.png"], "there is no folder no"),
    "a picture of a cup that is a folder": (
        ["tournament", *CUP, "folder"],
        "is not a picture file",
    ),
    "a picture in no folder": (["analyse", "hex-5", "--svg", "no/x.svg"], "there is no folder"),
    "a budget without a limit": (["ladder", "hex-5", "--budget", "expansions=0"], "has no limit"),
    "a file that is a folder": (["ladder", *SERIES, "--save", "folder"], "folder: is a directory"),
    "unfinished rules": (["check", "half.py"], "Half lacks moves, play, result, to_move"),
    "an unfinished search": (["match", "hex", "late.py", "random"], "Late lacks choose"),
    "a network that computes nothing": (["train", "hex", "--network", "net.py"], "no method forw"),
    "rules that raise": (
        ["check", "raises.py"],
        "ZeroDivisionError: division by zero (raises",
    ),
    "rules that end Python": (["check", "ends.py"], "SystemExit: 3 (ends.py, line 2"),
    "a choice": (["reproduce", "--size", "huge", "all"], "'--size': 'huge' is not one of"),
    "a plan without variants": (["experiment", "plan.toml"], "the setting variants is missing"),
    "a name of a game": (["publish", "hex-5", "hex", "--into", "."], "of a game or a search"),
    "a claim": (["publish", "hex-5", "x", "--claim", "claim.json"], "the series claim.json is not"),
    "nothing to judge": (["analyse"], "name what to judge"),
    "a judge without values": (["analyse", "hex", "--model", "random"], "random gives no values"),
    "a file of no network": (
        ["train", "--from", "hex-5", "--network", "net2.py"],
        "hex-5 has no network of your own",
    ),
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    for name, text in FILES.items():
        Path(name).write_text(text)
    own = Path(__file__).parents[2] / "examples" / "own_network.py"
    Path("net2.py").write_text(own.read_text())


@pytest.mark.parametrize("name", SAID)
def test_one_sentence_before_any_work(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, sentence = SAID[name]
    said = complaint_of(capsys, *arguments)
    assert sentence in said
    assert "Errno" not in said


@pytest.mark.parametrize("wrong", [None, 3, [], object(), GAME.initial_state()])
def test_arguments_of_a_wrong_type(wrong: object) -> None:
    anything, someone = wrong, player("random", GAME)
    for call in (
        lambda: player(anything, GAME),  # type: ignore[arg-type]
        lambda: player("random", anything),  # type: ignore[arg-type]
        lambda: read_player(anything),  # type: ignore[arg-type]
        lambda: play_matches(GAME, anything, someone, 2),  # type: ignore[arg-type]
        lambda: play_matches(anything, someone, someone, 2),  # type: ignore[arg-type]
        lambda: distinct_openings(anything, 2),  # type: ignore[arg-type]
        lambda: balanced_openings(anything, 2),  # type: ignore[arg-type]
        lambda: read_openings(GAME, anything),  # type: ignore[arg-type]
        lambda: read_matches(anything),  # type: ignore[arg-type]
        lambda: records.read_records(anything),  # type: ignore[arg-type]
        lambda: records.write_records(anything, []),  # type: ignore[arg-type]
        lambda: Match.from_json(anything),  # type: ignore[arg-type]
        lambda: athenan.network_evaluator(anything),  # type: ignore[arg-type]
        lambda: athenan.network_for_preset(anything),  # type: ignore[arg-type]
        lambda: preset(anything),  # type: ignore[arg-type]
        lambda: method(anything),  # type: ignore[arg-type]
    ):
        with pytest.raises(ParameterError, match=r"^expected .*, not "):
            call()


@pytest.mark.parametrize("wrong", [None, 3, "x", [], GAME])
def test_what_is_no_state(wrong: object) -> None:
    with pytest.raises(ParameterError, match="expected a State"):
        pictures.svg_of(wrong)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="prove expects a State"):
        prove(wrong)  # type: ignore[arg-type]


def test_files_may_be_named_by_texts() -> None:
    match = Match("tic_tac_toe", "3/3/3 x", ("one", "other"), ("b2",), None)
    records.write_records("matches.jsonl", [match])
    assert read_matches("matches.jsonl") == records.read_records("matches.jsonl") == [match]
    Path("openings.txt").write_text("b2 a1\n")
    assert len(read_openings(GAME, "openings.txt")) == 1
    assert main(["convert", "matches.jsonl", "matches.txt"]) == 0
