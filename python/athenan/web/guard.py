"""What every request passes first: who may ask, how much, how often.

A page of another site can send requests to a server on this machine, and with a name that resolves
to 127.0.0.1 it can even read the answers. So the Host must be one of the server's own names, and
whatever changes something must come from a page of this very server.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from athenan.web.settings import Limits, Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
SAFE = frozenset({"GET", "HEAD"})
BURST_SECONDS = 10
LONG = 2_048
"""Bytes for which a request counts once more: what is long takes long to read."""
MAX_ADDRESSES = 10_000
POLICY_VIOLATION = 1008
MAX_DIGITS = 20  # of a content-length


class Bucket:
    """Lets so many things pass per second; after a pause ten seconds' worth at once."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left, self._seen = BURST_SECONDS * rate, clock()

    def take(self, size: int = 0) -> bool:
        """Tell whether one more, of so many bytes, may pass: a long one counts as several."""
        now = self._clock()
        full = BURST_SECONDS * self._rate
        self._left = min(full, self._left + (now - self._seen) * self._rate)
        self._seen = now
        weight = min(1 + size // LONG, full)
        if self._left < weight:
            return False
        self._left -= weight
        return True


class Guard:
    """Refuses what no page of this server would send; adds the headers that protect the page."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._names = LOOPBACK | settings.hosts | {settings.host}
        self._limits: Limits = settings.limits
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, _bounded(receive, self._limits.body_bytes), _protected(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": refusal[1]})
        else:
            code, sentence = refusal
            await JSONResponse({"error": sentence}, code)(scope, receive, _protected(send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self._names:
            return 421, "this server does not answer under that host name: start it with --name"
        origin = headers.get("origin")
        writes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if writes and origin is not None and _place(origin) != host:
            return 403, "requests from pages of other sites are refused"
        if writes and origin is None and headers.get("sec-fetch-site", "none") not in OWN_SITE:
            return 403, "requests from pages of other sites are refused"
        length = headers.get("content-length", "0")
        if not _is_number(length) or int(length) > self._limits.body_bytes:
            return 413, f"a request may have at most {self._limits.body_bytes} bytes"
        size = self._limits.body_bytes if "transfer-encoding" in headers else int(length)
        if not self._bucket(scope).take(size):
            return 429, "too many requests: wait a moment"
        return None

    def _bucket(self, scope: Scope) -> Bucket:
        address = str((scope.get("client") or ("",))[0])
        bucket = self._buckets.pop(address, None) or Bucket(self._limits.requests_per_second)
        self._buckets[address] = bucket
        while len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket


OWN_SITE = frozenset({"same-origin", "none"})


class TooLongError(Exception):
    """A body is longer than it may be."""


def _name(host: str) -> str:
    """Return a Host header without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _place(origin: str) -> str | None:
    """Return the host and port of an Origin header; None if it is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < MAX_DIGITS


def _bounded(receive: Receive, max_bytes: int) -> Receive:
    """Count the bytes of a body that does not say how long it is."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > max_bytes:
                raise TooLongError
        return message

    return counted


def _protected(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return with_headers
