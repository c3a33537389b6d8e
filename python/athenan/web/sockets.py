"""The socket that a server listens on."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from athenan._core import Error


@contextmanager
def listening(host: str, port: int) -> Iterator[tuple[socket.socket, str]]:
    """Open a socket; give it and the address of the page."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except (OSError, UnicodeError):
        raise Error(f"there is no address {host!r} to listen on") from None
    with socket.socket(family, socket.SOCK_STREAM) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((host, port))
        except OSError as problem:
            raise Error(f"cannot listen on {host}, port {port}: {problem.strerror}") from None
        opened.listen(1024)
        shown = f"[{host}]" if family == socket.AF_INET6 else host
        yield opened, f"http://{shown}:{opened.getsockname()[1]}/"
