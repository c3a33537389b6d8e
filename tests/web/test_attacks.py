"""Attacks that cost a visitor little and the server much: slowness, numbers, odd texts."""

import asyncio
import json
import socket
import time
from contextlib import nullcontext, suppress
from typing import Any

import pytest
from athenan._core import make_builtin_game
from athenan.web.catalogue import Catalogue
from athenan.web.guard import Bucket
from athenan.web.hall import Hall
from athenan.web.levels import LEVELS
from athenan.web.live import OUTBOX, Connection
from athenan.web.match import Match
from athenan.web.queue import SearchQueue
from athenan.web.requests import Message, Reading
from athenan.web.seats import Seat
from athenan.web.settings import Limits, Settings
from web.loops import run_alone
from web.servers import PATIENCE, Served, served

HEAD = b"POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
ASK = b"GET /api/offer HTTP/1.1\r\nHost: localhost\r\n\r\n"
LONE = "\ud800"
"""Half of a character: JSON can name it, no text can hold it."""


def connected(server: Served) -> socket.socket:
    """Connect as no browser would; nothing waits for ever."""
    host, _, port = server.host.partition(":")
    return socket.create_connection((host, int(port)), PATIENCE)


def dripped(server: Served, head: bytes, drop: bytes) -> float:
    """Send some bytes at once, then one piece after the other; return after how long it is over."""
    began = time.monotonic()
    with connected(server) as line, suppress(ConnectionError):
        line.sendall(head)
        line.settimeout(0.05)
        while time.monotonic() - began < PATIENCE:
            with suppress(TimeoutError):
                if not line.recv(1000):
                    break
            line.sendall(drop)
    return time.monotonic() - began


@pytest.mark.parametrize(
    ("head", "drop"),
    [(b"", b""), (b"GET / HT", b""), (HEAD, b"X-Drop: 1\r\n"),
     (HEAD + b"Content-Length: 9000\r\n\r\n", b"x")],
    ids=["silent", "unfinished", "headers drop by drop", "a body drop by drop"],
)  # fmt: skip
def test_who_is_slow_to_ask_is_given_up(head: bytes, drop: bytes) -> None:
    with served(Settings(limits=Limits(asking_seconds=0.4, answering_seconds=PATIENCE))) as server:
        assert dripped(server, head, drop) < PATIENCE / 2
        assert server.get("api/offer").status_code == 200


def test_who_is_answered_before_he_has_asked_must_go_on() -> None:
    """Nobody reads the body of a request for what is not there."""
    head = b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n"
    limits = Limits(asking_seconds=PATIENCE, answering_seconds=0.4)
    with served(Settings(limits=limits)) as server:
        assert dripped(server, head, b"") < PATIENCE / 2


def test_who_does_not_read_the_answers_is_given_up() -> None:
    with served(Settings(limits=Limits(answering_seconds=0.5))) as server:
        with connected(server) as line, pytest.raises(OSError, match=r"reset|[Bb]roken pipe"):
            line.sendall(ASK * 100_000)
        assert server.get("api/offer").status_code == 200


def test_patience_is_for_requests_and_not_for_live_connections() -> None:
    limits = Limits(asking_seconds=0.3, answering_seconds=0.3)
    with served(Settings(limits=limits)) as server, server.live() as line:
        for _ in range(3):
            assert server.get("api/offer").status_code == 200  # over one connection that is kept
            time.sleep(0.4)
        line.say(do="ping")
        line.hear("pong")


@pytest.mark.parametrize(
    "headers", [b"X: " + b"x" * (1 << 20), b"".join(b"X%d: x\r\n" % n for n in range(20_000))]
)
def test_headers_are_bounded(server: Served, headers: bytes) -> None:
    heard = b""
    with connected(server) as line, suppress(ConnectionError):
        line.sendall(ASK.removesuffix(b"\r\n") + headers + b"\r\n\r\n")
        heard = line.recv(1000)
    assert heard == b"" or heard.startswith(b"HTTP/1.1 400")
    assert server.get("api/offer").status_code == 200


def test_nothing_is_decompressed(server: Served) -> None:
    with server.live(compression="deflate") as line:
        agreed = line.socket.response
        assert agreed is not None
        assert "sec-websocket-extensions" not in agreed.headers
    large = {"content-type": "application/json", "content-encoding": "gzip"}
    answer = server.client.post(server.url + "api/position", content=b"\x1f\x8b", headers=large)
    assert answer.status_code == 400


@pytest.mark.parametrize("path", ["api/position", "api/matches", "api/records"])
@pytest.mark.parametrize("field", ["game", "position", "text", "seats", "moves"])
def test_half_a_character_is_refused(server: Served, path: str, field: str) -> None:
    values: dict[str, Any] = {"seats": [{"who": LONE}], "moves": [LONE]}
    message = {"game": "tic_tac_toe", field: values.get(field, LONE)}
    for text in (json.dumps(message).encode(), json.dumps(message, ensure_ascii=False)):
        body = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        headers = {"content-type": "application/json"}
        answer = server.client.post(server.url + path, content=body, headers=headers)
        assert answer.status_code == 400, answer.text
        assert "error" in answer.json()


def test_half_a_character_ends_no_live_connection(server: Served) -> None:
    with server.live() as line:
        for action in ("think", "review", "watch", LONE):
            line.say(do=action, game=LONE, match=LONE, moves=[LONE])
            assert "not valid Unicode" in line.hear("refusal")["error"]


def test_many_connections_of_one_address_say_no_more_than_allowed() -> None:
    with served(Settings(limits=Limits(messages_per_address=0.5))) as server:
        for _ in range(2):
            with server.live() as line, server.live() as other:
                for each in (line, other, line, other):
                    each.say(do="ping")
                line.hear("pong")
                other.hear("pong")
                for _ in range(4):
                    other.say(do="ping")
                assert "too many messages" in other.hear("refusal")["error"]


class Unread:
    """A socket of somebody who reads nothing."""

    def __init__(self) -> None:
        self.never = asyncio.Event()

    async def send_text(self, _text: str) -> None:
        await self.never.wait()


def line_of(socket: object, limits: Limits) -> Connection:
    settings = Settings(limits=limits)
    reading = Reading(Catalogue(settings), settings)
    queue: SearchQueue[Any] = SearchQueue(nullcontext, 0, 1, 1, 1)
    hall = Hall(queue, limits)
    start = make_builtin_game("hex:size=19").initial_state()
    hall.add(Match([start], [], [Seat(0, "One"), Seat(1, "Other")]))
    return Connection(socket, hall, queue, reading, "here", Bucket(1e9))  # type: ignore[arg-type]


def test_who_reads_nothing_is_kept_little_for() -> None:
    """He asks for a large position again and again."""

    async def ask() -> tuple[int, int]:
        limits = Limits()
        line = line_of(Unread(), limits)
        asked = Message({"match": next(iter(line._hall._matches)), "do": "watch"})
        most = 0
        sender = asyncio.create_task(line._send())
        for _ in range(2 * OUTBOX):
            line.watch(asked)
            await asyncio.sleep(0)
            unread: list[str | None] = list(line._outbox._queue)  # type: ignore[attr-defined]
            most = max(most, sum(len(each or "") for each in unread))
        left = [line._outbox.get_nowait() for _ in range(line._outbox.qsize())]
        sender.cancel()
        assert left == [None], "he is to be disconnected"
        return most, limits.unread_bytes

    most, bound = run_alone(ask(), PATIENCE)
    assert 0 < most <= bound


def nothing(_bench: object, _stop: object) -> bool:
    return False


def test_a_machine_without_room_to_think_tries_again_once_a_second() -> None:
    """However often somebody asks how the match stands."""

    async def ask() -> int:
        line = line_of(Unread(), Limits())
        loop, hall = asyncio.get_running_loop(), line._hall
        start = make_builtin_game("tic_tac_toe").initial_state()
        match = Match([start], [], [Seat(0, "One", level=LEVELS[0]), Seat(1, "Other")])
        hall.add(match)
        hall._queue.submit("another", "there", nothing)  # the queue is full
        before = len(loop._scheduled)  # type: ignore[attr-defined]
        for _ in range(100):
            line.watch(Message({"match": match.id}))
        return len(loop._scheduled) - before  # type: ignore[attr-defined]

    assert run_alone(ask(), PATIENCE) == 1
