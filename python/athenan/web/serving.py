"""The server itself: how the application meets the network.

uvicorn waits for ever for a client who opens a connection and says nothing, or says it byte by
byte, or never reads what he asked for. Here such a client is given up, so that nobody can hold all
connections that a process may have.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from athenan.web.app import make_app
from athenan.web.settings import Limits, Settings

GRACE = 3  # seconds for connections to end when the server does


class Patient(H11Protocol):
    """Gives up clients who take too long to ask, or to read the answer. It bounds headers too."""

    def __init__(self, *arguments: Any, limits: Limits, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._limits = limits
        self._alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, but not for ever."""
        super().connection_made(transport)
        self._expect(self._limits.asking_seconds)

    def data_received(self, data: bytes) -> None:
        """Take what has come of a request; the time that it may take begins with its first byte."""
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            self._rest()  # it is a live connection by now, which has pings of its own
        elif self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._expect(self._limits.answering_seconds)
        elif self._alarm is None:
            self._expect(self._limits.asking_seconds)

    def on_response_complete(self) -> None:
        """Rest until the next request, unless it is here or the answer is still to be read."""
        super().on_response_complete()
        if self.conn.their_state is not h11.IDLE:
            self._expect(self._limits.answering_seconds)
        elif not self.transport.get_write_buffer_size():
            self._rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self._rest()
        super().connection_lost(exc)

    def _expect(self, seconds: float) -> None:
        self._rest()
        self._alarm = self.loop.call_later(seconds, self.transport.abort)

    def _rest(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None


def config_of(settings: Settings) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    return uvicorn.Config(
        make_app(settings),
        http=partial(Patient, limits=settings.limits),  # type: ignore[arg-type]
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE,
        ws_max_size=settings.limits.body_bytes,
        ws_per_message_deflate=False,  # would cost memory per connection, and time per message
        server_header=False,
    )
