"""The application: everything put together."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope
from starlette.websockets import WebSocket

from athenan.machine import available_memory
from athenan.web.bench import Bench
from athenan.web.catalogue import Catalogue
from athenan.web.guard import Bucket, Guard
from athenan.web.hall import Hall
from athenan.web.house import House
from athenan.web.live import TRY_LATER, Connection
from athenan.web.queue import SearchQueue
from athenan.web.requests import Reading
from athenan.web.routes import Api, refusal
from athenan.web.series import Tournaments
from athenan.web.settings import Limits, Settings
from athenan.web.shelf import Shelf
from athenan.web.training import Trainings

PAGE = Path(__file__).parent / "page"
LOG = logging.getLogger(__name__)


class Crowd:
    """How many connections there are, of each address and in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._counts: dict[str, int] = {}
        self._buckets: dict[str, Bucket] = {}

    def enter(self, address: str) -> bool:
        """Let one more in, unless that is too many."""
        own = self._counts.get(address, 0)
        full = sum(self._counts.values()) >= self._limits.connections
        if full or own >= self._limits.connections_per_address:
            return False
        self._counts[address] = own + 1
        return True

    def bucket(self, address: str) -> Bucket:
        """Return what bounds the messages of an address that has a connection."""
        return self._buckets.setdefault(address, Bucket(self._limits.messages_per_address))

    def leave(self, address: str) -> None:
        """Let one out."""
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]
            self._buckets.pop(address, None)


class Page(StaticFiles):
    """The files of the page; browsers ask each time whether they are still the same."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def _light(app: ASGIApp) -> ASGIApp:
    """Compress what is the same for everybody: answers that hold a secret are never compressed."""
    return GZipMiddleware(app, compresslevel=6)


class _House:
    """The routes for the owner of the machine, if there are any, and what must be closed."""

    def __init__(self, settings: Settings, catalogue: Catalogue, reading: Reading) -> None:
        self.routes: list[Route] = []
        self._opened: list[Trainings | Tournaments] = []
        if settings.runs is not None and not settings.public:
            trainings, tournaments = Trainings(settings.runs), Tournaments(catalogue)
            self._opened = [trainings, tournaments]
            self.routes = House(trainings, tournaments, reading).routes()

    def close(self) -> None:
        """Stop what they started."""
        for each in self._opened:
            each.close()


def make_app(settings: Settings) -> Starlette:
    """Make the application; its searches begin and end with it."""
    catalogue = Catalogue(settings)
    reading = Reading(catalogue, settings)
    limits = settings.limits
    memory = available_memory() or sys.maxsize  # 0: it is unknown
    shelf = Shelf(min(limits.trees_mb << 20, memory // 2))
    queue: SearchQueue[Bench] = SearchQueue(
        lambda: closing(Bench(catalogue, settings, shelf)),
        settings.workers,
        limits.searches,
        limits.searches_per_visitor,
        limits.searches_per_address,
    )
    hall, crowd = Hall(queue, limits), Crowd(limits)
    house = _House(settings, catalogue, reading)

    async def live(socket: WebSocket) -> None:
        address = socket.client.host if socket.client else ""
        if not crowd.enter(address):
            await socket.close(TRY_LATER)
            return
        try:
            await socket.accept()
            bucket = crowd.bucket(address)
            await Connection(socket, hall, queue, reading, address, bucket).run()
        finally:
            crowd.leave(address)

    async def index(_request: Request) -> Response:
        return FileResponse(PAGE / "index.html", headers={"cache-control": "no-cache"})

    async def failed(_request: Request, problem: Exception) -> Response:
        LOG.error("a request failed", exc_info=problem)
        return refusal("the server made a mistake; its log says more", 500)

    async def missing(_request: Request, _problem: Exception) -> Response:
        return refusal("there is nothing here", 404)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await asyncio.to_thread(house.close)
            queue.close()

    return Starlette(
        routes=[
            *Api(hall, reading).routes(),
            *house.routes,
            WebSocketRoute("/api/live", live),
            Route("/", index),
            Mount("/page", _light(Page(directory=PAGE))),
        ],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={404: missing, 500: failed},
        lifespan=lifespan,
    )
