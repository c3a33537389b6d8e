"""`athenan match`: its summary, its data, its mistakes, and its end by Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import time
from dataclasses import replace
from pathlib import Path

import athenan
import processes
import pytest
from athenan.arena import Match, players, read_matches
from athenan.arena.players import Kind
from athenan.commands import main
from athenan.terminal import progress
from small_models import write_model
from troublesome import TroubleSpec

HEX = ["--game", "hex:size=4"]


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["match", *arguments]) == 0
    return capsys.readouterr().out


def test_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "mcts:iterations=50", "random", *HEX, "--matches", "20")
    assert text.startswith("A: mcts:iterations=50\nB: random\nhex:size=4,swap=true: 20 matches in ")
    assert "10 random openings of 2 plies, with both colours\n" in text
    assert re.search(r"^A +\d+ +0 +\d+ +[01]\.\d{3}$", text, re.MULTILINE)
    assert re.search(r"^  first +\d+ +0 +\d+ ", text, re.MULTILINE)
    assert re.search(r"^  second +\d+ +0 +\d+ ", text, re.MULTILINE)
    assert re.search(r"^B +\d\.\d +– +–$", text, re.MULTILINE)
    assert re.search(r"^pairs with 0, ½, 1, 1½ and 2 points: 0 0 \d+ 0 \d+$", text, re.MULTILINE)
    assert re.search(r"score of A: [01]\.\d{3}, 95 % between 0\.\d{3} and [01]\.\d{3}\n", text)
    assert re.search(r"Elo of A above B: \+(\d+|∞), 95 % between \+\d+ and \+(\d+|∞)\n", text)
    assert "A is the stronger with a probability of" in text


def test_balanced_openings(capsys: pytest.CaptureFixture[str]) -> None:
    players = ["mcts:iterations=50", "random", *HEX, "--matches", "6"]
    text = output_of(capsys, *players, "--openings", "balanced")
    assert "3 balanced openings of 2 plies, with both colours\n" in text
    facts = json.loads(output_of(capsys, *players, "--openings", "balanced", "--json"))
    assert facts["kind_of_openings"] == "balanced"


def test_the_data_agree_with_the_saved_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.jsonl"
    arguments = ["ubfm-safe", "mcts:iterations=20", *HEX, "--matches", "11", "--seed", "3"]
    facts = json.loads(output_of(capsys, *arguments, "--json", "--save", str(file)))
    saved = [Match.from_json(json.loads(line)) for line in file.read_text().splitlines()]
    assert sorted(match.index for match in saved) == list(range(11))
    wins = draws = 0
    game = athenan.make_game("hex:size=4")
    for match in saved:
        state = game.parse_position(match.position)
        for move in match.moves:
            state = state.play(move)
        assert (match.game, match.outcome) == (game.id, state.outcome)
        assert set(match.players) == {"ubfm-safe", "mcts:iterations=20"}
        assert match.players[match.index % 2] == "ubfm-safe"
        wins += match.outcome == (1 if match.players[0] == "ubfm-safe" else -1)
        draws += match.outcome == 0
    assert (facts["wins"], facts["draws"], facts["losses"]) == (wins, draws, 11 - wins - draws)
    assert facts["matches"] == facts["planned"] == 11
    assert facts["mean_length"] == sum(len(match.moves) for match in saved) / 11
    assert facts["a"]["description"] == "ubfm-safe:expansions=100"
    assert facts["a"]["seconds_per_move"] is None
    assert 0 < facts["a"]["expansions_per_move"] <= 100
    assert facts["as_first"]["wins"] + facts["as_second"]["wins"] == wins
    again = json.loads(output_of(capsys, *arguments, "--json", "--save", str(file)))
    assert again | {"seconds": 0} == facts | {"seconds": 0}
    assert len(file.read_text().splitlines()) == 22  # what was there stays


def test_numbers_that_json_has_not_are_null(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "mcts:iterations=300", "random", *HEX, "--matches", "6", "--json")
    facts = json.loads(text, parse_constant=lambda word: pytest.fail(word))
    assert facts["score"] == 1.0
    assert facts["elo"] is None
    assert facts["elo_interval"][1] is None
    assert facts["b"]["evaluations_per_move"] is None


def test_the_game_comes_from_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_model(tmp_path / "model.safetensors", "hex:size=3", "ubfm-safe")
    facts = json.loads(
        output_of(capsys, "random", str(tmp_path), "--matches", "4", "--expansions", "3", "--json")
    )
    assert facts["game"] == "hex:size=3,swap=true"
    assert facts["b"]["description"] == f"{tmp_path} with ubfm-safe:expansions=3"
    assert facts["b"]["evaluations_per_move"] > 0
    assert main(["match", "random", str(tmp_path), "--game", "hex:size=4"]) == 2
    assert "plays hex:size=3,swap=true, not hex:size=4,swap=true" in capsys.readouterr().err


def test_too_few_openings_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, "random", "random", "--game", "tic_tac_toe", "--matches", "400")
    assert "183 random openings of 6 plies" in text
    assert "the game has no 200 different openings of any length: these were repeated\n" in text


def test_openings_of_a_file_are_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("b2\na1 b2\n")
    players = ["random", "random", "--game", "tic_tac_toe", "--matches", "8"]
    text = output_of(capsys, *players, "--openings", str(file))
    assert f"\n2 openings from {file}, with both colours\nopenings were repeated: " in text


def test_searches_ended_by_the_memory_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    small = "ubfm-safe:expansions=300,memory_mb=1"
    text = output_of(capsys, small, "random", "--game", "hex:size=9", "--matches", "1")
    assert re.search(r"^\d+ search(es)? ended early by the limit of memory", text, re.MULTILINE)


def test_progress_in_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    assert main(["match", "mcts:iterations=20", "random", *HEX, "--matches", "20"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in lines] == [f"{n}/20" for n in range(2, 20, 2)]
    form = r"\d+/20 matches: A \+\d+ =0 -\d+, score .* \(.* to .*\), \d+ s left"
    assert all(re.fullmatch(form, line) for line in lines)


def test_matches_with_other_limits_are_not_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.jsonl"
    arguments = ["mcts", "random", *HEX, "--matches", "2", "--save", str(file), "--resume"]
    limits = (["--expansions", "5"], ["--expansions", "50"], ["--time", "nodes=5"])
    for number, limit in enumerate(limits, 1):
        for _ in range(2):
            output_of(capsys, *arguments, *limit)
            assert len(read_matches(file)) == 2 * number
    of_five = read_matches(file)[:2]
    assert {match.descriptions[match.index] for match in of_five} == {"mcts:expansions=5"}
    without = [replace(match, descriptions=()) for match in of_five]
    file.write_text("".join(json.dumps(match.as_json()) + "\n" for match in without))
    output_of(capsys, *arguments, *limits[0])
    assert len(read_matches(file)) == 2  # files of earlier versions do not say it


def test_a_clock_and_adjudication(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    rules = ["--time", "nodes=5", "--adjudicate", "proven", "--adjudicate", "length=15"]
    players = ["ubfm", "mcts:iterations=5", *HEX, "--matches", "6"]
    text = output_of(capsys, *players, *rules, "--save", str(file))
    assert "time control: nodes=5\n" in text
    saved = [Match.from_json(json.loads(line)) for line in file.read_text().splitlines()]
    assert "proven" in {match.reason for match in saved} <= {"proven", "length", None}
    facts = json.loads(output_of(capsys, *players, *rules, "--json"))
    assert (facts["control"], facts["faults"], facts["uncounted"]) == ("nodes=5", [0, 0], 0)


def test_a_series_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    arguments = ["ubfm-safe:expansions=5", "mcts:iterations=20", *HEX, "--matches", "12", "--json"]
    whole = json.loads(output_of(capsys, *arguments, "--save", str(file)))
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:5]) + lines[5][:30])
    again = json.loads(output_of(capsys, *arguments, "--save", str(file), "--resume"))
    assert again | {"seconds": 0} == whole | {"seconds": 0}
    assert len(file.read_text().splitlines()) == 12
    assert file.read_text().startswith("".join(lines[:5]))


def test_a_test_ends_the_series(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = ["mcts:iterations=100", "random", *HEX, "--matches", "2000"]
    text = output_of(capsys, *players, "--sprt", "0,100")
    assert re.search(r": \d+ of 2,000 matches", text)
    assert "SPRT: A is more than 0 Elo above B (H1: 100 accepted)" in text
    facts = json.loads(output_of(capsys, *players, "--sprt", "0,100", "--json"))
    assert facts["sprt"]["accepted"] == "H1"
    assert facts["sprt"]["ratio"] >= facts["sprt"]["bounds"][1]
    saved = ["--sprt", "0,100", "--json", "--save", str(tmp_path / "saved.jsonl"), "--resume"]
    decided = json.loads(output_of(capsys, *players, *saved))
    again = json.loads(output_of(capsys, *players, *saved))
    assert again["matches"] == decided["matches"]


def test_faults_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Draft:
        game = None

        def spec(self, game: athenan.Game, budget: str = "") -> TroubleSpec:  # noqa: ARG002
            return TroubleSpec("crash")

    kind = Kind("trouble", lambda text: Draft() if text == "trouble" else None)
    monkeypatch.setattr(players, "KINDS", [kind, *players.KINDS])
    arguments = ["trouble", "random", *HEX, "--matches", "4"]
    text = output_of(capsys, *arguments)
    assert "4 matches ended by a fault of A: not counted; the first: a crash as wanted" in text
    assert "no match counts, so there is no result" in text
    text = output_of(capsys, *arguments, "--faults", "lose")
    assert "4 matches ended by a fault of A: lost" in text
    assert "score of A: 0.000" in text
    text = output_of(capsys, "mcts", "random", *HEX, "--matches", "4", "--adjudicate", "length=5")
    assert "ended early: 4 length" in text


MISTAKES = {
    "no such test": (["mcts", "mcts", *HEX, "--sprt", "9,1"], "no test '9,1'"),
    "nothing to resume": (["mcts", "mcts", *HEX, "--resume"], "--save FILE"),
    "no such time": (["mcts", "mcts", *HEX, "--time", "soon"], "no time control 'soon'"),
    "no such rule": (["mcts", "mcts", *HEX, "--adjudicate", "x"], "no adjudication 'x'"),
    "nobody": (["nobody", "random", *HEX], "there is no player 'nobody'"),
    "one player": (["random", *HEX], "a series is between two players, not 1"),
    "one after a game": (["hex:size=4", "random"], "a series is between two players, not 1"),
    "a game twice": (["hex", "random", "mcts", *HEX], "the game is given twice"),
    "no game": (["random", "mcts"], "name one of tic_tac_toe, "),
    "unknown game": (["random", "random", "--game", "chess"], "there is no game 'chess'"),
    "a game for one": (["random", "random", "--game", "morpion"], "for one player"),
    "two budgets": (["mcts", "mcts", *HEX, "--seconds", "1", "--expansions", "1"], "exclude"),
    "no time": (["mcts", "mcts", *HEX, "--seconds", "0"], "0.001"),
    "no matches": (["mcts", "mcts", *HEX, "--matches", "0"], "--matches"),
    "no such openings": (["mcts", "mcts", *HEX, "--openings", "odd"], "balanced"),
    "a folder to save to": (["random", "random", *HEX, "--save", "/"], "is a directory"),
    "impossible terminal": (["mcts:terminal=score", "random", *HEX], "score"),
}


@pytest.mark.parametrize(("arguments", "reason"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_gets_one_sentence(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("athenan: ")
    assert captured.err.count("\n") == 1
    assert reason in captured.err


def test_no_torch_without_a_network() -> None:
    code = (
        "import sys; from athenan.commands import main; "
        "main('match mcts:iterations=100 random --game tic_tac_toe --matches 4'.split()); "
        "sys.exit('torch' in sys.modules)"
    )
    program = processes.start("-c", code)
    _, problems = program.communicate(timeout=60)
    assert program.returncode == 0, problems


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("slow", ["mcts:iterations=10000", "ubfm:evaluations=20000"])
def test_a_signal_shows_the_tally_so_far(slow: str, number: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    arguments = [slow, slow, *HEX, "--matches", "3000", "--save", str(file)]
    playing = processes.athenan("match", *arguments)
    while playing.poll() is None and not (file.exists() and file.read_text().count("\n") >= 3):
        time.sleep(0.02)
    seconds, text = processes.seconds_to_end(playing, number)
    assert playing.returncode == 130
    assert seconds < 2 * processes.PROMPTLY  # the end of the interpreter included
    assert (count := re.search(r": (\d+) of 3,000 matches in", text))
    assert int(count[1]) == file.read_text().count("\n") >= 3
    assert "score of A: " in text


def test_interrupting_the_choice_of_openings() -> None:
    players = ["mcts:seconds=5", "random", "--game", "arimaa", "--openings", "balanced"]
    choosing = processes.athenan("match", *players)
    time.sleep(4)  # a busy machine needs seconds for the start
    seconds, text = processes.seconds_to_end(choosing, signal.SIGINT)
    assert (choosing.returncode, text) == (130, "")
    assert seconds < 2 * processes.PROMPTLY
