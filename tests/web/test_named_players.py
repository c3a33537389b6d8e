"""Opponents that the owner of a server names: engines, and any other player."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from athenan import Error
from athenan.arena.players import read_player
from athenan.commands.serve import _players
from athenan.web.settings import Settings
from web.servers import Served, served

PERSON = {"who": "person"}
ENGINE = {"who": "player", "player": "engine"}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    words = [sys.executable, "-m", "athenan", "engine", "gtp", "--game", "go:size=5"]
    texts = {
        "engine": f'gtp:"{shlex.join(words)}"@seconds=0.05',
        "broken": f'gtp:"{sys.executable} -c 0"@seconds=0.05',
        "quick": "mcts:iterations=20",
    }
    players = {name: read_player(text) for name, text in texts.items()}
    with served(Settings(players=players)) as running:
        yield running


def test_a_match_against_an_engine(server: Served) -> None:
    assert "engine" in server.get("api/offer").json()["players"]
    made = server.begin("go:size=5", PERSON, ENGINE)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        match = line.hear_match(0)
        for ply in (0, 2, 4):
            move = match["view"]["moves"][0]["text"]
            line.say(do="move", match=made["id"], key=made["keys"][0], ply=ply, move=move)
            match = line.hear_match(ply + 2)
        line.say(do="undo", match=made["id"], key=made["keys"][0])
        assert len(line.hear("match")["match"]["played"]) == 4
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=4, move="pass")
        assert line.hear_match(6)["seats"][1]["name"] == "engine"


def test_an_engine_that_dies_is_told(server: Served) -> None:
    made = server.begin("go:size=5", {"who": "player", "player": "broken"}, PERSON)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        error = line.hear("refusal")["error"]
        assert "broken" in error
        assert sys.executable not in error, "visitors need not know what runs here"
        line.say(do="ping")
        line.hear("pong")


def test_any_player_can_be_named(server: Served) -> None:
    made = server.begin("tic_tac_toe", {"who": "player", "player": "quick"}, PERSON)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        assert len(line.hear_match(1)["played"]) == 1


def test_players_come_only_from_the_owner(server: Served) -> None:
    texts: list[object] = ["gtp:sh", "mcts", "/bin/sh", None, 3, ["engine"]]
    for name in texts:
        seats = [{"who": "player", "player": name}, PERSON]
        answer = server.post("api/matches", {"game": "go:size=5", "seats": seats})
        assert answer.status_code == 400
        assert "there is no player" in answer.json()["error"]


def test_a_game_that_an_engine_does_not_know(server: Served) -> None:
    answer = server.post("api/matches", {"game": "shobu", "seats": [ENGINE, PERSON]})
    assert answer.status_code == 400
    assert "gtp" in answer.json()["error"]


def test_players_of_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text('[gnu]\nprotocol = "gtp"\ncommand = "gnugo --mode gtp"\n')
    assert set(_players(["slow=gnu@seconds=9", "quick=mcts:seconds=0.1"], file)) == {
        "gnu",
        "slow",
        "quick",
    }
    for text in ("mcts:seconds=1", "mcts", "=mcts", "a=nothing at all", "x" * 50 + "=mcts"):
        with pytest.raises(Error):
            _players([text], None)
