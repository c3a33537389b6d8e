"""Load on `athenan serve`: many matches at a time, and how fast each move is acknowledged.

    python benchmarks/web.py --matches 200 --seconds 60

Starts a server in a process of its own, plays matches of Hex 5 against the weakest level over live
connections, and prints the delays between a move and its acknowledgement and the server's memory.
The visitors come one after the other within the first five seconds.
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
from websockets.asyncio.client import ClientConnection, connect

GAME = "hex:size=5"
SEATS = [{"who": "person"}, {"who": "machine", "level": 0}]
PATIENCE = 60.0
ARRIVAL = 5.0
"""Seconds over which the visitors come, one after the other."""


class Visitor:
    """One page: plays match after match."""

    def __init__(self, url: str, client: httpx.AsyncClient, seed: int) -> None:
        self._url, self._client, self._random = url, client, Random(seed)
        self.delays: list[float] = []
        self.matches = 0

    async def play(self, until: float, pause: float) -> None:
        await asyncio.sleep(pause)
        address = self._url.replace("http", "ws", 1) + "api/live"
        async with connect(address, open_timeout=PATIENCE, max_size=1 << 22) as socket:
            while time.monotonic() < until:
                await self._match(socket, until)
                self.matches += 1

    async def _match(self, socket: ClientConnection, until: float) -> None:
        made = (await self._client.post("api/matches", json={"game": GAME, "seats": SEATS})).json()
        await socket.send(json.dumps({"do": "watch", "match": made["id"]}))
        match = await self._heard(socket, made["id"], 0)
        while match["outcome"] is None and time.monotonic() < until:
            ply = len(match["played"])
            move = self._random.choice(match["view"]["moves"])["text"]
            sent = time.monotonic()
            message = {"do": "move", "match": made["id"], "key": made["keys"][0]}
            await socket.send(json.dumps(message | {"ply": ply, "move": move}))
            match = await self._heard(socket, made["id"], ply + 1)
            self.delays.append(time.monotonic() - sent)
            if match["outcome"] is None and len(match["played"]) == ply + 1:
                match = await self._heard(socket, made["id"], ply + 2)
        await socket.send(json.dumps({"do": "leave", "match": made["id"]}))

    async def _heard(self, socket: ClientConnection, match: str, plies: int) -> dict[str, Any]:
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            if message["is"] == "refusal":
                raise RuntimeError(message["error"])
            found: dict[str, Any] = message.get("match", {})
            if found.get("id") == match and len(found["played"]) >= plies:
                return found


def memory_of(process: int) -> int:
    with open(f"/proc/{process}/status") as status:
        found = re.search(r"VmRSS:\s+(\d+) kB", status.read())
    return int(found[1]) // 1024 if found else 0


async def load(url: str, process: int, matches: int, seconds: float) -> None:
    limits = httpx.Limits(max_connections=50)
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, limits=limits) as client:
        until = time.monotonic() + seconds
        visitors = [Visitor(url, client, seed) for seed in range(matches)]
        playing = [
            asyncio.create_task(each.play(until, ARRIVAL * number / matches))
            for number, each in enumerate(visitors)
        ]
        sizes = []
        while time.monotonic() < until:
            await asyncio.sleep(min(5.0, seconds / 6))
            sizes.append(memory_of(process))
        ended = await asyncio.gather(*playing, return_exceptions=True)
    errors = [each for each in ended if each is not None]
    delays = sorted(delay for each in visitors for delay in each.delays)

    def at(share: float) -> float:
        return 1000 * delays[int(share * (len(delays) - 1))]

    shown = map(repr, errors[:3])
    print(f"{matches} matches at a time, {seconds:g} s, {len(errors)} errors", *shown)
    print(f"{len(delays)} moves, {sum(each.matches for each in visitors)} matches ended")
    print(f"acknowledged after: median {at(0.5):.0f} ms, p95 {at(0.95):.0f} ms, max {at(1):.0f} ms")
    print("memory of the server in MB:", *sizes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "athenan", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            words = server.stdout.readline()
            url = re.search(r"http://\S+", words)
            assert url, words
            asyncio.run(load(url[0], server.pid, arguments.matches, arguments.seconds))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
