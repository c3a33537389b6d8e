"""Attacks on the server from outside: other hosts, other sites, too much at once."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from athenan._core import Error, make_builtin_game
from athenan.web.guard import LONG, Bucket
from athenan.web.hall import Hall
from athenan.web.match import Match
from athenan.web.queue import SearchQueue
from athenan.web.seats import Seat
from athenan.web.settings import Limits, Settings
from web.servers import Served, served
from websockets.exceptions import ConnectionClosed, InvalidStatus

PERSONS = [{"who": "person"}, {"who": "person"}]


def ping(server: Served, word: str = "", **options: Any) -> None:
    """Open a live connection and ask for an answer."""
    with server.live(**options) as line:
        line.say(do="ping", word=word)
        line.hear("pong")


def test_another_host_name_is_refused(server: Served) -> None:
    """A name of an attacker's that resolves to this machine (DNS rebinding) reads nothing."""
    for name in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::2]"):
        answer = server.get("api/offer", headers={"host": name})
        assert answer.status_code in (400, 421), name
        assert "games" not in answer.text


def test_own_names_are_accepted(server: Served) -> None:
    port = server.host.partition(":")[2]
    for name in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"):
        assert server.get("api/levels", headers={"host": name}).status_code == 404
        assert server.get("api/offer", headers={"host": name}).status_code == 200


def test_another_site_changes_nothing(server: Served) -> None:
    message = {"game": "hex", "seats": PERSONS}
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": f"http://{server.host}.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        assert server.post("api/matches", message, headers=headers).status_code == 403, headers
    own = {"origin": f"http://{server.host}"}
    assert server.post("api/matches", message, headers=own).status_code == 201


def test_a_form_of_another_site_is_no_message(server: Served) -> None:
    """Forms may be sent across sites without asking; they cannot send JSON."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = server.post(
            "api/matches", {"game": "hex", "seats": PERSONS}, headers={"content-type": kind}
        )
        assert answer.status_code == 400
        assert "application/json" in answer.json()["error"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1"])
def test_another_site_opens_no_live_connection(server: Served, origin: str) -> None:
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        ping(server, origin=origin)


def test_the_page_runs_no_foreign_script(server: Served) -> None:
    policy = server.get("").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    folder = Path(__file__).parents[2] / "python/athenan/web/page"
    for file in folder.iterdir():
        text = file.read_text().replace("http://www.w3.org/", "")
        assert "https://" not in text, file.name
        assert "http://" not in text, file.name
    index = (folder / "index.html").read_text()
    assert "onclick" not in index
    assert "style=" not in index


def test_no_path_leads_out_of_the_page(server: Served) -> None:
    for path in (
        "page/../app.py",
        "page/%2e%2e/app.py",
        "page/..%2fapp.py",
        "page//etc/passwd",
        "page/%00",
        "api/games/..%2f..%2fapp.py/picture.svg",
        "api/games/%2fetc%2fpasswd/picture.svg",
    ):
        answer = server.get(path)
        assert answer.status_code in (400, 404), path
        assert "import" not in answer.text


def test_numbers_too_large_for_any_machine_are_refused(server: Served) -> None:
    for number in (10**400, -(10**400)):
        message = {"game": "hex:size=3", "players": [{"model": None}] * 2, "matches": number}
        answer = server.post("api/tournaments", message)
        assert answer.status_code == 400, answer.text
        assert "'matches' is a number" in answer.json()["error"]


def test_who_begins_very_many_matches_forgets_only_his_own() -> None:
    hall = Hall(SearchQueue(nullcontext, 0, 1, 1, 1), Limits(matches=20, moves=60))  # type: ignore[arg-type]
    start = make_builtin_game("tic_tac_toe").initial_state()

    def begin(owner: str, *plies: int) -> Match:
        states = [start]
        for ply in plies:
            states.append(states[-1].play(ply))
        made = Match(states, plies, [Seat(0, "One"), Seat(1, "Other")], owner=owner)
        hall.add(made)
        return made

    quiet = [begin("quiet", 4) for _ in range(3)]
    greedy = [begin("greedy") for _ in range(100)]
    assert [hall.match(each.id) for each in quiet] == quiet
    assert [hall.match(each.id) for each in greedy[-17:]] == greedy[-17:]
    with pytest.raises(Error, match="no such match"):
        hall.match(greedy[-18].id)
    long = [begin("long", 0, 1, 2, 3) for _ in range(20)]
    assert sum(len(each.moves) for each in hall._matches.values()) <= 60
    assert hall.match(long[-1].id) is long[-1]


def test_models_are_no_paths(server: Served) -> None:
    model = Path(__file__).parents[2] / "models" / "hex-5.safetensors"
    for name in (str(model), "../models/hex-5", "hex-5.safetensors", "/etc/passwd", "", 7, ["a"]):
        seat = {"who": "machine", "model": name}
        answer = server.post(
            "api/matches", {"game": "hex:size=5", "seats": [seat, {"who": "person"}]}
        )
        assert answer.status_code == 400, name
        assert "there is no model" in answer.json()["error"]


def test_no_python_game_and_no_engine_from_the_network(server: Served) -> None:
    example = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
    for name in (example, "examples/tic_tac_toe.py", "tic_tac_toe.py"):
        answer = server.post("api/position", {"game": name})
        assert answer.status_code == 400, name
    for seat in (
        {"who": "player", "player": "mcts"},
        {"who": "player", "player": 'gtp:"touch /tmp/attacked"'},
        {"who": 'gtp:"touch /tmp/attacked"'},
    ):
        answer = server.post("api/matches", {"game": "hex", "seats": [seat, {"who": "person"}]})
        assert answer.status_code == 400, seat


def test_large_bodies_are_refused(server: Served) -> None:
    large = "x" * (1 << 19)
    assert server.post("api/position", {"game": large}).status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * (1 << 14)

    headers = {"content-type": "application/json"}
    answer = server.client.post(server.url + "api/position", content=pieces(), headers=headers)
    assert answer.status_code == 413
    with pytest.raises(ConnectionClosed):
        ping(server, word=large)


def test_too_many_requests_are_refused() -> None:
    with served(Settings(limits=Limits(requests_per_second=0.2))) as server:
        codes = [server.get("api/nothing").status_code for _ in range(4)]
        assert codes[:2] == [404, 404]
        assert codes[-1] == 429


def test_a_proxy_on_this_machine_tells_visitors_apart() -> None:
    with served(Settings(limits=Limits(requests_per_second=0.2))) as server:
        for visitor in ("192.0.2.1", "192.0.2.2"):
            said = {"x-forwarded-for": visitor}
            codes = [server.get("api/nothing", headers=said).status_code for _ in range(3)]
            assert codes == [404, 404, 429]


def test_too_many_messages_and_connections_are_refused() -> None:
    limits = Limits(messages_per_second=0.2, connections_per_address=2)
    with served(Settings(limits=limits)) as server, server.live() as line:
        for _ in range(15):
            line.say(do="ping")
        assert "too many messages" in line.hear("refusal")["error"]
        with server.live(), pytest.raises((InvalidStatus, ConnectionClosed)):
            ping(server)


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    bucket = Bucket(2, lambda: now[0])
    assert [bucket.take() for _ in range(21)] == [True] * 20 + [False]
    now[0] = 1.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_long_requests_count_as_several() -> None:
    bucket = Bucket(10, lambda: 0.0)
    assert [bucket.take(80 * LONG) for _ in range(2)] == [True, False]
    assert [bucket.take() for _ in range(20)] == [True] * 19 + [False]
    assert Bucket(0.1, lambda: 0.0).take(9 * LONG), "one that is longer than all may pass at first"
    with served(Settings(limits=Limits(requests_per_second=2))) as server:
        long = {"game": "tic_tac_toe", "text": "x" * 20 * LONG}
        assert [server.post("api/records", long).status_code for _ in range(2)] == [400, 429]


def test_the_oldest_match_makes_room() -> None:
    with served(Settings(limits=Limits(matches=3))) as server:
        made = [server.begin("tic_tac_toe", *PERSONS)["id"] for _ in range(5)]
        found = [server.get(f"api/matches/{each}").status_code for each in made]
        assert found == [400, 400, 200, 200, 200]


def test_matches_are_forgotten_once_they_have_too_many_moves() -> None:
    with served(Settings(limits=Limits(moves=5))) as server:
        person, moves = {"who": "person"}, ["a1", "b2", "c3"]
        made = [server.begin("tic_tac_toe", person, person, moves=moves) for _ in range(3)]
        found = [server.get(f"api/matches/{each['id']}").status_code for each in made]
        assert found == [400, 400, 200]
