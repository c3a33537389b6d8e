"""Servers for tests: real ones, on a free port, that end when they should."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn
from athenan.web.serving import config_of
from athenan.web.settings import Settings
from athenan.web.sockets import listening
from websockets.sync.client import ClientConnection, connect

PATIENCE = 20.0
"""Seconds after which a test that still waits has failed."""


@dataclass(frozen=True)
class Served:
    """A server that runs."""

    url: str
    client: httpx.Client

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://").rstrip("/")

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(self.url + path, **options)

    def post(self, path: str, message: object, **options: Any) -> httpx.Response:
        return self.client.post(self.url + path, json=message, **options)

    def begin(self, game: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Begin a match; return its id and keys."""
        answer = self.post("api/matches", {"game": game, "seats": list(seats), **more})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    @contextmanager
    def live(self, **options: Any) -> Iterator["Line"]:
        address = self.url.replace("http", "ws", 1) + "api/live"
        with connect(address, open_timeout=PATIENCE, close_timeout=2, **options) as socket:
            yield Line(socket)


@dataclass(frozen=True)
class Line:
    """A live connection; nothing waits for ever."""

    socket: ClientConnection

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, kind: str, **expected: Any) -> dict[str, Any]:
        """Return the next message of a kind with these fields."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message: dict[str, Any] = json.loads(
                self.socket.recv(timeout=deadline - time.monotonic())
            )
            if message["is"] == kind and expected.items() <= message.items():
                return message
        raise AssertionError(f"nobody said {kind}")

    def hear_match(self, plies: int) -> dict[str, Any]:
        """Return a match once it has so many plies, or has ended."""
        while True:
            match: dict[str, Any] = self.hear("match")["match"]
            if len(match["played"]) >= plies or match["outcome"] is not None:
                return match


@contextmanager
def served(settings: Settings) -> Iterator[Served]:
    """Run a server in a thread of its own."""
    with listening("127.0.0.1", 0) as (socket, url):
        server = uvicorn.Server(config_of(settings))
        thread = threading.Thread(target=server.run, args=([socket],), daemon=True)
        thread.start()
        deadline = time.monotonic() + PATIENCE
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.started
        try:
            with httpx.Client(timeout=PATIENCE, trust_env=False, verify=False) as client:
                yield Served(url, client)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the server did not end"
