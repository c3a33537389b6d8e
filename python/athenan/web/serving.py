"""The server itself: how the application meets the network.

uvicorn waits for ever for a client who opens a connection and says nothing, or says it byte by
byte, or never reads what he asked for. Here such a client is given up, so that nobody can hold all
connections that a process may have.

A `Patient` stands between each connection and uvicorn, and `Patience` between uvicorn and the
application. The one sees bytes, the other what they mean; both know the connection at hand.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from functools import partial
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from athenan.web.app import make_app
from athenan.web.settings import Limits, Settings

GRACE = 3  # seconds for connections to end when the server does


class Patient(asyncio.Protocol):
    """Gives up a client who takes too long to ask, or to read the answer."""

    def __init__(self, *, limits: Limits, **options: Any) -> None:
        self._inner = H11Protocol(**options)  # it bounds headers too
        self._limits = limits
        self._alarm: asyncio.TimerHandle | None = None
        self._asks = False
        """Whether a part of the request at hand is still to come."""

    # What the network says.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first request, but not for ever."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._inner.connection_made(transport)
        self._expect(self._limits.asking_seconds)

    def data_received(self, data: bytes) -> None:
        """Hand over a part of a request; the time that it may take begins with its first byte."""
        at_hand = AT_HAND.set(self)
        try:
            self._inner.data_received(data)
        finally:
            AT_HAND.reset(at_hand)
        if self._transport.get_protocol() is not self:
            self._rest()  # it is a live connection by now, which has pings of its own
        elif self._alarm is None:
            self._expect(self._limits.asking_seconds)

    def eof_received(self) -> bool | None:
        """Hand it over."""
        self._inner.eof_received()
        return None

    def pause_writing(self) -> None:
        """Hand it over."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Hand it over."""
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self._rest()
        self._inner.connection_lost(exc)

    # What the application says.

    def begins(self, *, has_body: bool) -> None:
        """Hear that the headers of a request are here."""
        self._asks = has_body
        if not has_body:
            self._expect(self._limits.answering_seconds)

    def has_asked(self) -> None:
        """Hear that the whole request is here."""
        if self._asks:
            self.begins(has_body=False)

    def is_answered(self) -> None:
        """Rest until the next request, unless this one or its answer is still on its way."""
        if self._asks:
            self._expect(self._limits.answering_seconds)
        elif not self._transport.get_write_buffer_size():
            self._rest()

    def _expect(self, seconds: float) -> None:
        self._rest()
        loop = asyncio.get_running_loop()
        self._alarm = loop.call_later(seconds, self._transport.abort)

    def _rest(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None


AT_HAND: ContextVar[Patient] = ContextVar("athenan_connection")
"""The connection of a request: what uvicorn begins for it inherits this."""


class Patience:
    """Tells the connection of each request how far this has come."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        connection = AT_HAND.get(None)
        if scope["type"] != "http" or connection is None:
            await self._app(scope, receive, send)
            return
        connection.begins(has_body=any(name in WITH_BODY for name, _ in scope["headers"]))

        async def received() -> Message:
            message = await receive()
            if not message.get("more_body", False):
                connection.has_asked()
            return message

        async def sent(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                connection.is_answered()

        await self._app(scope, received, sent)


WITH_BODY = (b"content-length", b"transfer-encoding")


def config_of(settings: Settings) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    return uvicorn.Config(
        Patience(make_app(settings)),
        http=partial(Patient, limits=settings.limits),  # type: ignore[arg-type]
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE,
        ws_max_size=settings.limits.body_bytes,
        ws_per_message_deflate=False,  # would cost memory per connection, and time per message
        server_header=False,
    )
