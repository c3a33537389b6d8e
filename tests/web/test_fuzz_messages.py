"""Messages that no page would send: every one is answered, by one sentence if it is refused."""

import asyncio
import gc
import json
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from athenan.web.app import make_app
from athenan.web.bench import Bench
from athenan.web.catalogue import Catalogue
from athenan.web.guard import Bucket
from athenan.web.hall import Hall
from athenan.web.live import ACTIONS, Connection
from athenan.web.match import Match
from athenan.web.queue import SearchQueue
from athenan.web.requests import Reading
from athenan.web.seats import Seat
from athenan.web.settings import Limits, Settings
from athenan.web.shelf import Shelf
from web.loops import run_alone
from web.test_house import write_run

KINDS = {"match", "refusal", "pong", "thought", "node", "progress", "review"}
LIMITS = Limits(
    requests_per_second=1e9,
    messages_per_second=1e9,
    searches=10,
    seconds=0.05,
    memory_mb=8,
    matches=20,
)
GAMES = ["tic_tac_toe", "hex:size=3", "morpion", "arimaa", "go:size=3", "hex:size=999", "x.py", ""]
NAN, INF = float("nan"), float("inf")  # Python's JSON has them
WORDS = [
    "",
    "b2",
    "a1",
    "swap",
    "null",
    "\x00",
    "é" * 50,
    "x" * 5000,
    "../../etc/passwd",
    "0.x",
    "\ud800",
    "\U0001f600",
    "1e999",
    "-0",
]
PATHS = [
    "api/offer", "api/position", "api/matches", "api/matches/x", "api/records", "api/live",
    "api/games/hex/picture.svg", "api/games/%00/picture.svg", "api/runs", "api/tournaments",
    "api/runs/one/metrics", "api/runs/one/match", "api/runs/../match", "api/runs/one/stop",
    "api/tournaments/x", "api/tournaments/x/matches/1", "api/tournaments/x/stop",
    "page/main.js", "page/..", "", "nothing",
]  # fmt: skip
READ_ONLY = {"api/runs"}
"""A message that makes sense there would begin a training."""
FIELDS = [
    "do", "game", "position", "moves", "match", "key", "ply", "move", "seats", "clock", "id",
    "model", "seconds", "text", "players", "minutes", "level", "values", "number",
]  # fmt: skip


def anything(source: random.Random, depth: int = 0) -> Any:
    """Return any value that JSON can hold, often one that nearly makes sense."""
    leaves: list[Callable[[], Any]] = [
        lambda: source.choice(WORDS + GAMES),
        lambda: source.choice([0, 1, -1, 2**63, 2**80, 10**400, 1e308, NAN, INF, 0.5, True, None]),
        lambda: source.choice(list(ACTIONS)),
    ]
    branches: list[Callable[[], Any]] = [
        lambda: [anything(source, depth + 1) for _ in range(source.randrange(4))],
        lambda: {name: anything(source, depth + 1) for name in source.sample(FIELDS, 3)},
        lambda: {"who": source.choice(["person", "machine", "player", 3]), "level": 0},
    ]
    return source.choice(leaves + (branches if depth < 3 else []))()


def message(source: random.Random, matches: list[Match]) -> dict[str, Any]:
    """Return a message whose fields are partly right."""
    made = {name: anything(source) for name in source.sample(FIELDS, source.randrange(6))}
    if source.random() < 0.8:
        made["do"] = source.choice(list(ACTIONS))
        made["game"] = source.choice(GAMES)
    if source.random() < 0.7 and matches:
        chosen = source.choice(matches)
        made |= {"match": chosen.id, "key": chosen.seats[0].key, "ply": chosen.state.ply}
    if source.random() < 0.3:
        made["moves"] = source.choices(WORDS[:4], k=source.randrange(4))
    if source.random() < 0.1:
        made["players"] = [
            {"model": None},
            {"model": None, "expansions": source.choice([3, 0, ""])},
        ]
    if source.random() < 0.1:
        made["clock"] = source.choice(["5+1", "60/3x10", "move=1", "nodes=5", "0", "9" * 400, "1+"])
    if source.random() < 0.3:
        made["seats"] = [{"who": "person"}, {"who": "machine", "level": 0}]
    return made


class Silent(Connection):
    """A connection that keeps what it is told instead of sending it."""

    told: list[dict[str, Any]]

    def send(self, text: str) -> None:
        self.told.append(json.loads(text))


async def live_messages(count: int, seed: int) -> None:
    """Send messages to a live connection without a network."""
    settings = Settings(limits=LIMITS)
    catalogue = Catalogue(settings)
    reading = Reading(catalogue, settings)
    queue: SearchQueue[Bench] = SearchQueue(lambda: _bench(catalogue, settings), 1, 10, 4, 10)
    hall, source = Hall(queue, LIMITS), random.Random(seed)
    line = Silent(None, hall, queue, reading, "here", Bucket(1e9))  # type: ignore[arg-type]
    line.told = []
    matches: list[Match] = []
    for number in range(count):
        if number % 200 == 0:  # something to play with
            start = catalogue.game(source.choice(GAMES[:3])).initial_state()
            players = start.game.datasheet.players
            matches = [*matches[-5:], Match([start], [], [Seat(n, "P") for n in range(players)])]
            hall.add(matches[-1])
            await asyncio.sleep(0)
        text = json.dumps(message(source, matches))
        if source.random() < 0.1:
            text = text[: source.randrange(len(text))]
        line._handle(text)
        for told in line.told:
            assert told["is"] in (
                "match",
                "refusal",
                "pong",
                "thought",
                "node",
                "progress",
                "review",
            )
            assert "\n" not in told.get("error", "")
        line.told.clear()
    line._leave()
    queue.close()
    assert len(hall) <= LIMITS.matches


def _bench(catalogue: Catalogue, settings: Settings) -> Any:
    return closing(Bench(catalogue, settings, Shelf(1 << 26)))


async def http_messages(count: int, seed: int, runs: Path) -> None:
    """Send requests to the application without a network."""
    write_run(runs, "one", 3)
    source, app = random.Random(seed), make_app(Settings(limits=LIMITS, runs=runs))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        for _ in range(count):
            path = "/" + source.choice(PATHS)
            body = json.dumps(message(source, [])).encode()
            if source.random() < 0.1:
                body = body[: source.randrange(len(body))]
            kind = source.choice(["application/json"] * 5 + ["text/plain", ""])
            method = source.choice(["POST"] * 4 + ["GET", "PUT", "DELETE", "OPTIONS"])
            if path[1:] in READ_ONLY:
                method = "GET"
            if path.endswith("match"):
                (runs / "one" / "match.json").write_bytes(body)
            answer = await client.request(
                method, path, content=body, headers={"content-type": kind}
            )
            assert answer.status_code < 500, (method, path, body)


def test_live_messages() -> None:
    run_alone(live_messages(3000, 1), 120)


def test_requests(tmp_path: Path) -> None:
    run_alone(http_messages(1000, 2, tmp_path), 120)


@pytest.mark.slow
def test_very_many_messages_and_no_growth(tmp_path: Path) -> None:
    gc.collect()
    sizes = []
    for seed in range(10):
        run_alone(live_messages(8000, seed), 600)
        run_alone(http_messages(2000, seed, tmp_path / str(seed)), 600)
        gc.collect()
        sizes.append(resident())
    assert sizes[-1] - sizes[2] < 60 << 20, sizes


def resident() -> int:
    """Return the bytes of memory that this process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
