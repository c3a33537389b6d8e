"""The HTTP side of the application: what can be asked for without a live connection."""

from __future__ import annotations

import asyncio
import gzip
import importlib
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cached_property

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from athenan._core import Error
from athenan.web.board import view_of
from athenan.web.clock import RunningClock
from athenan.web.guard import TooLongError
from athenan.web.hall import Hall
from athenan.web.levels import LEVELS
from athenan.web.match import Match
from athenan.web.records import LINES, formats_for, read_record, write_record
from athenan.web.requests import Message, Reading
from athenan.web.seats import seats_of

Handler = Callable[[Request], Awaitable[Response]]
DAY = {"cache-control": "max-age=86400"}


class Api:
    """Answers requests about games, positions and matches."""

    def __init__(self, hall: Hall, reading: Reading) -> None:
        self._hall, self._reading = hall, reading

    @cached_property
    def _formats(self) -> dict[str, dict[str, str]]:
        """The formats of records, by the names of games."""
        catalogue = self._reading.catalogue
        return {each["name"]: formats_for(catalogue.game(each["name"])) for each in catalogue.games}

    async def offer(self, _request: Request) -> Response:
        """Return the games, the models, the levels and what this server can do."""
        catalogue, settings = self._reading.catalogue, self._reading.settings
        models = await asyncio.to_thread(catalogue.models)
        return JSONResponse(
            {
                "games": await asyncio.to_thread(lambda: catalogue.games),
                "formats": await asyncio.to_thread(lambda: self._formats),
                "models": [each.as_json() for each in models],
                "levels": [{"name": each.name, "seconds": each.seconds} for each in LEVELS],
                "players": sorted(settings.players),
                "public": settings.public,
                "training": settings.runs is not None and not settings.public,
                "max_seconds": settings.limits.seconds,
            }
        )

    async def picture(self, request: Request) -> Response:
        """Return the picture of a game for the gallery."""
        name = str(request.path_params["name"])
        packed = await asyncio.to_thread(self._reading.catalogue.picture, name)
        headers = DAY | {"vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
        else:
            packed = gzip.decompress(packed)
        return Response(packed, media_type="image/svg+xml", headers=headers)

    async def position(self, request: Request) -> Response:
        """Return a position of a line: its picture and its moves."""
        states, moves = self._reading.line(await message_of(request))
        return JSONResponse(view_of(states, moves))

    async def create(self, request: Request) -> Response:
        """Begin a match; the answer has a key for each person's seat."""
        message, reading = await message_of(request), self._reading
        states, moves = reading.line(message)
        await asyncio.to_thread(reading.catalogue.models)
        game, wished = states[-1].game, message.get("seats")
        longest = reading.limits.seconds
        seats = await asyncio.to_thread(seats_of, wished, game, reading.catalogue, longest)
        if any(seat.thinker.model for seat in seats):
            threading.Thread(target=_load_torch, daemon=True).start()
        clock = RunningClock.of(message.get("clock"))
        owner = request.client.host if request.client else ""
        match = Match(states, moves, seats, clock, owner)
        self._hall.add(match)
        keys = [seat.key if seat.is_person else None for seat in seats]
        return JSONResponse({"id": match.id, "keys": keys}, 201)

    async def match(self, request: Request) -> Response:
        """Return how a match stands."""
        return JSONResponse(self._hall.match(request.path_params["id"]).as_json())

    async def record(self, request: Request) -> Response:
        """Return the record of a match, as a file in one of the formats."""
        match, form = (
            self._hall.match(request.path_params["id"]),
            request.query_params.get("format"),
        )
        suffix, game = form or LINES, match.state.game
        text = await asyncio.to_thread(write_record, match.record, suffix, game)
        name = f'attachment; filename="{game.name}-{match.id}{suffix}"'
        return PlainTextResponse(text, headers={"content-disposition": name})

    async def read(self, request: Request) -> Response:
        """Read a record, or moves of a game, from a text; return the line that it describes."""
        message = await message_of(request)
        text = message.text("text", max_length=self._reading.limits.body_bytes)
        line = await asyncio.to_thread(read_record, text, message.get("game"), self._reading)
        return JSONResponse(line)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            route("/api/offer", self.offer),
            route("/api/games/{name:path}/picture.svg", self.picture),
            route("/api/position", self.position, "POST"),
            route("/api/matches", self.create, "POST"),
            route("/api/matches/{id}", self.match),
            route("/api/matches/{id}/record", self.record),
            route("/api/records", self.read, "POST"),
        ]


def _load_torch() -> None:
    """Load torch, which takes seconds, while a person still looks at the board."""
    with suppress(ImportError):
        importlib.import_module("torch")


def route(path: str, handler: Handler, method: str = "GET") -> Route:
    """Return a route whose handler may refuse by an Error: one sentence, status 400."""

    async def polite(request: Request) -> Response:
        try:
            return await handler(request)
        except Error as mistake:
            return refusal(" ".join(str(mistake).split()))
        except TooLongError:
            return refusal("the request is too long", 413)
        except ClientDisconnect:
            return Response(status_code=400)

    return Route(path, polite, methods=[method])


def refusal(sentence: str, status: int = 400) -> JSONResponse:
    """Return one sentence that says what was wrong."""
    return JSONResponse({"error": sentence}, status)


async def message_of(request: Request) -> Message:
    """Read the body of a request; only JSON can come from no form of another site."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Error("send application/json")
    return Message.of_text(await request.body())
