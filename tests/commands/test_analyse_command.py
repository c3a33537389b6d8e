"""`athenan analyse`: tables, JSON and pictures of positions and matches."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from athenan.arena import Match
from commands.complaints import complaint_of

Run = Callable[..., str]


@pytest.fixture
def matches(tmp_path: Path) -> str:
    lost = Match("tic_tac_toe", "3/3/3 x", ("ann", "bob"), ("b2", "b1", "c1", "a3"), None)
    held = Match("tic_tac_toe", "3/3/3 x", ("bob", "ann"), ("b2", "a1"), None)
    file = tmp_path / "matches.jsonl"
    file.write_text("".join(json.dumps(each.as_json()) + "\n" for each in (lost, held)))
    return str(file)


def test_a_position_is_judged_for_people(output_of: Run) -> None:
    text = output_of("analyse", "tic_tac_toe", "a1", "b1", "a2", "--model", "ubfm-safe")
    assert "ply 3: second player to move, 6 legal moves" in text
    assert "proven: first player wins" in text
    header = next(line for line in text.splitlines() if line.startswith("move"))
    assert header.split() == ["move", "value", "wins", "selected", "proven", "line"]
    assert "and 2 more (--top 6 shows all)" in output_of(
        "analyse", "tic_tac_toe", "a1", "b1", "a2", "--model", "ubfm-safe", "--top", "4"
    )


def test_a_value_that_is_no_chance_of_winning_is_said_to_be_a_score(output_of: Run) -> None:
    scores = output_of("analyse", "connect-four", "d", "--expansions", "3")
    assert "for the first player; a score, of which no chance of winning follows" in scores
    chances = output_of("analyse", "connect_four", "--expansions", "20")
    assert "who wins with a probability of" in chances
    assert "a score" not in chances


def test_a_position_is_judged_as_json_the_same_each_time(output_of: Run) -> None:
    arguments = ("analyse", "hex:size=4", "b2", "--json", "--expansions", "50", "--seed", "3")
    first, second = (json.loads(output_of(*arguments)) for _ in "ab")
    assert first["work"].pop("seconds") >= 0
    second["work"].pop("seconds")
    assert first == second
    assert first["ply"] == 1
    assert first["best_move"] == first["candidates"][0]["move"] == first["candidates"][0]["line"][0]
    assert 0 <= first["win_probability"] <= 1


def test_a_match_of_a_file_is_judged(matches: str, output_of: Run) -> None:
    options = ("--model", "ubfm-safe", "--expansions", "2000")
    text = output_of("analyse", matches, *options)
    assert "tic_tac_toe: ann against bob" in text
    assert "mistake: a draw becomes a loss" in text
    assert "second player (bob): 1 mistake, a move lost 0.500 on average" in text
    judged = json.loads(output_of("analyse", matches, "--line", "2", "--json", *options))
    assert judged["players"] == ["bob", "ann"]
    assert judged["mistakes"] == []
    assert [move["played"] for move in judged["moves"]] == ["b2", "a1"]
    assert judged["end"]["proven_outcome"] == 0


def test_moves_are_judged_as_a_whole_on_request(output_of: Run) -> None:
    whole = ("analyse", "tic_tac_toe", "b2", "b1", "--whole", "--json", "--model", "ubfm-safe")
    assert json.loads(output_of(*whole, "--expansions", "2000"))["mistakes"] == [1]


def test_pictures_are_written(matches: str, tmp_path: Path, output_of: Run) -> None:
    picture = tmp_path / "judged.svg"
    output_of("analyse", "hex:size=4", "--expansions", "50", "--svg", str(picture))
    assert 'class="heat"' in picture.read_text()
    assert 'class="arrow"' in picture.read_text()
    printed = output_of("analyse", matches, "--svg", "-", "--ply", "2", "--expansions", "50")
    assert printed.startswith("<svg")
    assert "second player played b1" in printed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hex", "z9"], "move 'z9' is not legal"),
        (["hex", "--svg", "f6"], "--svg takes a file that ends in .svg"),
        (["hex", "--ply", "2"], "it needs --svg FILE"),
        (["hex", "--ply", "2", "--svg", "-"], "--ply is about a match"),
        (["MATCHES", "--ply", "9", "--svg", "-"], "--ply takes 0 to 4"),
        (["MATCHES", "--line", "3"], "has 2 matches: there is no match 3"),
        (["MATCHES", "b2"], "it takes no moves and no --position"),
        (["MATCHES", "--model", "nobody"], "there is no player 'nobody'"),
        (["hex", "--seconds", "1", "--expansions", "1"], "exclude each other"),
        (["hexx"], "hexx"),
        (["hex", "--ply", "1"], "it needs --svg"),
        (["hex", "--line", "1"], "--line chooses a match of a file"),
        (["hex", "--whole"], "--whole judges each of MOVES"),
        (["hex", "a1", "--threshold", "0.2"], "--threshold is about a match"),
        ([], "name what to judge"),
        (["hex", "--position", "nonsense"], "nonsense"),
        (["hex", "--model", "ubfm-safe:expansions=x"], "expansions"),
    ],
)
def test_mistakes_end_in_one_sentence(
    arguments: list[str], sentence: str, matches: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [matches if each == "MATCHES" else each for each in arguments]
    assert sentence in complaint_of(capsys, "analyse", *given)


def test_a_match_in_the_format_of_a_community_is_judged(tmp_path: Path, output_of: Run) -> None:
    file = tmp_path / "match.sgf"
    file.write_text("(;GM[11]SZ[3];B[b2];W[a1];B[c1])(;GM[11]SZ[3]PB[ann]PW[bob];B[b2];W[a3])")
    text = output_of("analyse", str(file), "--line", "2", "--expansions", "5")
    assert text.startswith("hex:size=3,swap=true: ann against bob\n")


def test_a_file_that_is_no_record_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nonsense.jsonl"
    file.write_text("nonsense\n")
    assert "line 1: this is not JSON" in complaint_of(capsys, "analyse", str(file))
    assert "has no model.safetensors" in complaint_of(capsys, "analyse", str(tmp_path))
