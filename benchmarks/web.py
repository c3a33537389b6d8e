"""Load on `athenan serve`: many matches at a time, and how fast each move is acknowledged.

    python benchmarks/web.py --matches 200 --seconds 60
    python benchmarks/web.py --matches 20 --seconds 3600 --pause 3 --fill 2000

Starts a server in a process of its own, plays matches of several games against the weakest level
over live connections, one for each match, and prints the delays between a move and its
acknowledgement and the server's memory. The visitors come one after the other within the first five
seconds; a tenth of their moves they make only after a short analysis of the position. With --fill
the server has so many matches already, played at random for twenty moves, as after a long day: then
it forgets an old match for each new one, and its memory should stay what it is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from random import Random
from typing import Any

import httpx
from athenan import make_game
from websockets.asyncio.client import ClientConnection, connect

GAMES = ("hex:size=5", "breakthrough:rows=6,columns=6", "go:size=5", "othello:size=6")
FILLED = 20
"""Plies of the matches that were there before."""
SEATS = [{"who": "person"}, {"who": "machine", "level": 0}]
PATIENCE = 60.0
ARRIVAL = 5.0
"""Seconds over which the visitors come, one after the other."""


class Visitor:
    """Plays match after match, each over a connection of its own, as after a reload."""

    def __init__(self, url: str, client: httpx.AsyncClient, seed: int, pause: float) -> None:
        self._address = url.replace("http", "ws", 1) + "api/live"
        self._client, self._random, self._pause = client, Random(seed), pause
        self.delays: list[float] = []
        self.matches = self.analyses = 0

    async def play(self, until: float, arrival: float) -> None:
        await asyncio.sleep(arrival)
        while time.monotonic() < until:
            async with connect(self._address, open_timeout=PATIENCE, max_size=1 << 22) as socket:
                await self._match(socket, until)
            self.matches += 1

    async def _match(self, socket: ClientConnection, until: float) -> None:
        game = self._random.choice(GAMES)
        made = (await self._client.post("api/matches", json={"game": game, "seats": SEATS})).json()
        await socket.send(json.dumps({"do": "watch", "match": made["id"]}))
        match = await self._heard(socket, made["id"], 0)
        while match["outcome"] is None and time.monotonic() < until:
            await asyncio.sleep(self._pause * 2 * self._random.random())
            if match["view"]["to_move"] != 0:  # a turn of several plies, or a pass of ours
                match = await self._heard(socket, made["id"], len(match["played"]) + 1)
                continue
            if self._random.random() < 0.1:
                await self._analyse(socket, match)
            match = await self._move(socket, made, match)

    async def _move(
        self, socket: ClientConnection, made: dict[str, Any], match: dict[str, Any]
    ) -> dict[str, Any]:
        ply = len(match["played"])
        move = self._random.choice(match["view"]["moves"])["text"]
        sent = time.monotonic()
        message = {"do": "move", "match": made["id"], "key": made["keys"][0]}
        await socket.send(json.dumps(message | {"ply": ply, "move": move}))
        match = await self._heard(socket, made["id"], ply + 1)
        self.delays.append(time.monotonic() - sent)
        return match

    async def _analyse(self, socket: ClientConnection, match: dict[str, Any]) -> None:
        self.analyses += 1
        line = {"game": match["game"], "moves": match["played"], "seconds": 0.1}
        await socket.send(json.dumps({"do": "think"} | line))
        while not (await self._next(socket)).get("ended"):
            pass

    async def _heard(self, socket: ClientConnection, match: str, plies: int) -> dict[str, Any]:
        while True:
            found: dict[str, Any] = (await self._next(socket)).get("match", {})
            if found.get("id") == match and len(found["played"]) >= plies:
                return found

    async def _next(self, socket: ClientConnection) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if message["is"] == "refusal":
            raise RuntimeError(message["error"])
        return message


async def fill(client: httpx.AsyncClient, matches: int) -> None:
    """Let the server have many matches already, slowly enough for its limit of requests."""
    random = Random(1)
    for number in range(matches):
        game = make_game(GAMES[number % len(GAMES)])
        state, moves = game.initial_state(), list[str]()
        while not state.is_terminal and len(moves) < FILLED:
            move = random.choice(state.legal_moves())
            moves.append(state.move_to_string(move))
            state = state.play(move)
        line = {"game": game.id, "seats": SEATS, "moves": moves}
        (await client.post("api/matches", json=line)).raise_for_status()
        await asyncio.sleep(0.01)


def memory_of(process: int) -> int:
    """Return the resident memory of a process in kB."""
    with open(f"/proc/{process}/status") as status:
        found = re.search(r"VmRSS:\s+(\d+) kB", status.read())
    return int(found[1]) if found else 0


async def load(url: str, process: int, asked: argparse.Namespace) -> None:
    limits = httpx.Limits(max_connections=50)
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, limits=limits) as client:
        await fill(client, asked.fill)
        start = time.monotonic()
        until = start + asked.seconds
        visitors = [Visitor(url, client, seed, asked.pause) for seed in range(asked.matches)]
        playing = [
            asyncio.create_task(each.play(until, ARRIVAL * number / asked.matches))
            for number, each in enumerate(visitors)
        ]
        while time.monotonic() < until:
            await asyncio.sleep(max(5.0, asked.seconds / 30))
            passed = time.monotonic() - start
            print(f"{passed:6.0f} s  {memory_of(process) / 1024:.1f} MB", flush=True)
        ended = await asyncio.gather(*playing, return_exceptions=True)
    errors = [each for each in ended if each is not None]
    delays = sorted(delay for each in visitors for delay in each.delays)

    def at(share: float) -> float:
        return 1000 * delays[int(share * (len(delays) - 1))]

    shown = map(repr, errors[:3])
    print(f"{asked.matches} matches at a time, {asked.seconds:g} s, {len(errors)} errors", *shown)
    matches, analyses = (sum(getattr(each, name) for each in visitors) for name in COUNTED)
    print(f"{len(delays)} moves, {matches} matches ended, {analyses} analyses")
    print(f"acknowledged after: median {at(0.5):.0f} ms, p95 {at(0.95):.0f} ms, max {at(1):.0f} ms")


COUNTED = ("matches", "analyses")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200, help="at a time")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=0.0, help="mean seconds before each move")
    parser.add_argument("--fill", type=int, default=0, help="matches that there are before")
    asked = parser.parse_args()
    command = [sys.executable, "-m", "athenan", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            words = server.stdout.readline()
            url = re.search(r"http://\S+", words)
            assert url, words
            asyncio.run(load(url[0], server.pid, asked))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
