"""What the owner of the machine may do and strangers may not: trainings and tournaments."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from athenan._core import Error
from athenan.web.analysis import finite
from athenan.web.board import view_of
from athenan.web.requests import Message, Reading
from athenan.web.routes import message_of, route
from athenan.web.series import MAX_EXPANSIONS, MAX_MATCHES, Tournaments
from athenan.web.training import Trainings

MAX_MINUTES = 7 * 24 * 60.0


class House:
    """Answers requests about runs and tournaments; a public server has none of this."""

    def __init__(self, trainings: Trainings, tournaments: Tournaments, reading: Reading) -> None:
        self._trainings, self._tournaments, self._reading = trainings, tournaments, reading

    async def runs(self, _request: Request) -> Response:
        """Return the runs of the directory."""
        return JSONResponse({"runs": await asyncio.to_thread(self._trainings.listed)})

    async def metrics(self, request: Request) -> Response:
        """Return the metrics of a run, and its settings."""
        name = request.path_params["name"]
        lines = await asyncio.to_thread(self._trainings.metrics, name)
        settings = await asyncio.to_thread(self._trainings.settings, name)
        return JSONResponse({"lines": lines, "settings": settings})

    async def match(self, request: Request) -> Response:
        """Return the match of self-play that a run plays now, and how it stands."""
        seen = await asyncio.to_thread(self._trainings.match, request.path_params["name"])
        if seen is None:
            return JSONResponse({"match": None})
        line = Message(seen)
        states, moves = await asyncio.to_thread(self._reading.line, line)
        view = await asyncio.to_thread(view_of, states, moves)
        values = [finite(each) for each in line.numbers("values", self._reading.limits.plies)]
        shown = {"game": states[0].game.id, "number": line.integer("number", 0, 0, 1 << 53)}
        played = line.texts("moves", self._reading.limits.plies)
        return JSONResponse({"match": shown | {"moves": played, "values": values, "view": view}})

    async def train(self, request: Request) -> Response:
        """Begin a run."""
        message = await message_of(request)
        game = self._reading.game(message)
        if game.id in self._reading.settings.games:
            raise Error("a game written in Python is trained from a terminal: athenan train FILE")
        minutes = message.number("minutes", 10, 0.05, MAX_MINUTES)
        name = await asyncio.to_thread(self._trainings.start, game.id, minutes)
        return JSONResponse({"name": name}, 201)

    async def resume(self, request: Request) -> Response:
        """Go on with a run."""
        message = await message_of(request)
        minutes = message.number("minutes", 10, 0.05, MAX_MINUTES)
        name = request.path_params["name"]
        await asyncio.to_thread(self._trainings.resume, name, minutes)
        return JSONResponse({"name": name})

    async def stop(self, request: Request) -> Response:
        """Stop a training."""
        await message_of(request)
        await asyncio.to_thread(self._trainings.stop, request.path_params["name"])
        return JSONResponse({"name": request.path_params["name"]})

    async def tournaments(self, _request: Request) -> Response:
        """Return the tournaments."""
        return JSONResponse({"tournaments": self._tournaments.listed()})

    async def begin(self, request: Request) -> Response:
        """Begin a tournament."""
        message = await message_of(request)
        made = await asyncio.to_thread(
            self._tournaments.start,
            self._reading.game(message),
            message.get("players"),
            message.integer("matches", 20, 1, MAX_MATCHES),
            message.integer("expansions", 50, 1, MAX_EXPANSIONS),
        )
        return JSONResponse({"id": made.id}, 201)

    async def tournament(self, request: Request) -> Response:
        """Return the table of a tournament and its matches."""
        found = self._tournaments.get(request.path_params["id"])
        return JSONResponse(found.as_json() | {"matches": found.records()})

    async def played(self, request: Request) -> Response:
        """Return one match of a tournament."""
        found, number = self._tournaments.get(request.path_params["id"]), request.path_params["n"]
        if not 0 <= number < len(found.played):
            raise Error("this tournament has no such match")
        return JSONResponse(found.played[number].as_json())

    async def end(self, request: Request) -> Response:
        """Stop a tournament."""
        await message_of(request)
        found = self._tournaments.get(request.path_params["id"])
        found.stop.request()
        return JSONResponse({"id": found.id})

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            route("/api/runs", self.runs),
            route("/api/runs", self.train, "POST"),
            route("/api/runs/{name}/metrics", self.metrics),
            route("/api/runs/{name}/match", self.match),
            route("/api/runs/{name}/resume", self.resume, "POST"),
            route("/api/runs/{name}/stop", self.stop, "POST"),
            route("/api/tournaments", self.tournaments),
            route("/api/tournaments", self.begin, "POST"),
            route("/api/tournaments/{id}", self.tournament),
            route("/api/tournaments/{id}/matches/{n:int}", self.played),
            route("/api/tournaments/{id}/stop", self.end, "POST"),
        ]
