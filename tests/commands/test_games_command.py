"""`athenan games`: the list, and the datasheet of one game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import athenan
import pytest
from athenan.games.measure import random_matches

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples" / "tic_tac_toe.py")
Output = Callable[..., str]


def test_games_lists_the_registry(output_of: Output) -> None:
    text = output_of("games")
    for name in athenan.game_names():
        assert f"\n{name} " in text
        for option in athenan.game_parameters(name):
            assert f"{option.name}={option.default}" in text


def test_the_readme_has_the_same_list() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(athenan.game_names())


def test_games_as_json(output_of: Output) -> None:
    listed = json.loads(output_of("games", "--json"))
    assert [game["name"] for game in listed] == athenan.game_names()
    for game in listed:
        sheet = athenan.make_game(game["name"]).datasheet
        assert game["id"] == athenan.make_game(game["name"]).id
        assert (game["players"], game["rows"], game["columns"], game["planes"]) == (
            sheet.players,
            sheet.rows,
            sheet.columns,
            sheet.planes,
        )
        assert (game["cyclic"], game["draws"], game["score"]) == (
            sheet.cyclic,
            sheet.has_draws,
            sheet.has_score,
        )
        assert [option["name"] for option in game["options"]] == [
            option.name for option in athenan.game_parameters(game["name"])
        ]
        assert 0 < game["random_matches"]["mean_length"] <= sheet.max_length
        assert 1 <= game["random_matches"]["mean_branching"] <= game["moves"]


def test_games_shows_one_datasheet(output_of: Output) -> None:
    text = output_of("games", "tic_tac_toe")
    assert "each move fills one of 9 cells" in text
    assert "first player, second player, player to move" in text
    assert json.loads(output_of("games", "tic_tac_toe", "--json"))["max_length"] == 9
    assert "left-right mirror" in output_of("games", EXAMPLE)


def test_random_matches_are_measured() -> None:
    measured = random_matches(athenan.make_game("tic_tac_toe"), matches=4000)
    tally = athenan.make_game("tic_tac_toe").initial_state().playouts(4000)
    assert measured.matches == 4000
    assert measured.mean_length == pytest.approx(tally.plies / 4000, rel=0.02)
    # A match of n plies offers 9, 8, ... moves: on average 5 in nine plies, 7 in five.
    assert 5 < measured.mean_branching < 7


def test_the_options_of_a_python_file_are_listed(output_of: Output, tmp_path: Path) -> None:
    boxes = str(ROOT / "examples" / "dots_and_boxes.py")
    assert "options            size: an integer (default 2)\n" in output_of("games", boxes)
    (option,) = json.loads(output_of("games", f"{boxes}:size=3", "--json"))["options"]
    assert option == {
        "name": "size",
        "default": "2",
        "accepted": "an integer",
        "description": "",
    }
    (tmp_path / "own.py").write_text(
        Path(boxes).read_text().replace("size: int = 2", "size, wrap=False, start='a'")
    )
    text = output_of("games", f"{tmp_path / 'own.py'}:size=2")
    for line in (
        "size: a number or a text\n",
        "wrap: one of true, false (default false)\n",
        "start: a text (default a)\n",
    ):
        assert line in text
