"""`athenan engine json` as a process: lines in, lines out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import athenan
import pytest
from athenan.analysis import analyse
from athenan.protocols import Settings, converse
from processes import ENVIRONMENT
from small_models import write_model

PATIENCE = 60


def talk(lines: list[bytes], *arguments: str) -> list[dict[str, Any]]:
    """Give lines to an engine and return its answers."""
    command = [sys.executable, "-m", "athenan", "engine", "json", *arguments]
    done = subprocess.run(
        command,
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        env=ENVIRONMENT,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_queries_and_nonsense_are_answered_until_the_input_ends() -> None:
    queries = [
        b'{"id": "a", "moves": ["b2"], "plies": "all", "search": "mcts", "expansions": 20}',
        b"\xff\xfe\x00 nonsense",
        b"",
        b'{"id": "v", "action": "version"}',
        b'{"id": "b", "game": "tic_tac_toe", "search": "ubfm-safe", "position": "xx1/oo1/3 x"}',
    ]
    answers = talk(queries, "--game", "hex:size=3")
    assert {(each["id"], each["kind"]) for each in answers} == {
        ("a", "judgement"),
        ("a", "match"),
        (None, "error"),
        ("v", "version"),
        ("b", "judgement"),
    }
    assert len(answers) == 6


def test_a_model_judges_as_in_python(tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    write_model(model, "hex:size=4", "ubfm-safe")
    game = athenan.make_game("hex:size=4")
    moves = ["b2", "c3", "a4"]
    lines = [
        json.dumps({"id": n, "moves": moves[:n], "expansions": 15 + n}) for n in range(len(moves))
    ]
    answers = [json.loads(each) for each in converse("json", game, lines, Settings(str(model)))]
    assert len(answers) == 3
    for answer in answers:
        state = game.initial_state()
        for move in moves[: answer["id"]]:
            state = state.play(move)
        expected = analyse(state, model, expansions=15 + answer["id"]).as_json()
        assert answer["candidates"] == expected["candidates"]
        assert answer["value"] == expected["value"]


def test_a_query_without_a_limit_has_expansions_not_seconds() -> None:
    game = athenan.make_game("hex:size=11")
    (answer,) = map(json.loads, converse("json", game, ['{"id": 1}']))
    assert answer["work"]["expansions"] == 400
    (answer,) = map(json.loads, converse("json", game, ['{"id": 1}'], Settings(expansions=7)))
    assert answer["work"]["expansions"] == 7


def test_what_makes_no_sense_is_refused_at_the_start() -> None:
    game = athenan.make_game("hex:size=3")
    for settings, dialect, sentence in (
        (Settings(ponder=True), "", "ponder"),
        (Settings(), "castro", "dialect"),
        (Settings("nobody"), "", "there is no player 'nobody'"),
    ):
        with pytest.raises(athenan.Error, match=sentence):
            _started(game, settings, dialect)


def _started(game: athenan.Game, settings: Settings, dialect: str) -> None:
    from athenan.protocols.json_lines import JsonLines

    JsonLines(game, settings, print, dialect).close()
