"""What a server offers, and the bounds that keep one visitor from harming another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from athenan._core import Game
from athenan.arena.draft import Draft


@dataclass(frozen=True)
class Limits:
    """Bounds on what all visitors together, and each of them, may use."""

    body_bytes: int = 1 << 18
    """Of one request or message."""
    matches: int = 2_000
    """Kept at a time; the one that nobody touched for longest makes room."""
    moves: int = 200_000
    """Of all matches together; likewise."""
    connections: int = 500
    connections_per_address: int = 300
    asking_seconds: float = 15.0
    """Within which a client must have sent his request."""
    answering_seconds: float = 60.0
    """Within which it must be answered, and the answer be read."""
    requests_per_second: float = 100.0
    """Per address, on average; ten seconds' worth may come at once."""
    messages_per_second: float = 30.0
    """Per connection, likewise."""
    messages_per_address: float = 300.0
    """Of all its connections together, likewise."""
    unread_bytes: int = 1 << 20
    """Of messages that a slow visitor may be behind."""
    searches: int = 1_000
    """Waiting at a time, of all visitors."""
    searches_per_address: int = 500
    """Likewise, of one address: nobody fills the whole queue."""
    searches_per_visitor: int = 4
    seconds: float = 20.0
    """The longest that one search may think."""
    memory_mb: int = 256
    """Of the tree of one search."""
    trees_mb: int = 1024
    """Of the trees of all searches together, those that have ended included; never more than half
    of the memory that is free when the server starts."""
    plies: int = 4_000
    """The longest list of moves that a request may have."""
    idle_seconds: float = 24 * 3600.0
    """A match that nobody touched for so long is forgotten."""


@dataclass(frozen=True)
class Settings:
    """What `athenan serve` was told."""

    host: str = "127.0.0.1"
    port: int = 8000
    hosts: frozenset[str] = frozenset()
    """Names, beside its own address, under which browsers may ask for it."""
    models: tuple[Path, ...] = ()
    """Model files, and directories of them."""
    named: tuple[Path, ...] = ()
    """Folders of the models that every command finds by name; the first that has one wins."""
    runs: Path | None = None
    """The directory whose runs are shown."""
    games: Mapping[str, Game] = field(default_factory=dict)
    """Games written in Python, by name."""
    players: Mapping[str, Draft] = field(default_factory=dict)
    """Further opponents, such as engines, by name: never from the network."""
    public: bool = False
    """Without training, series and files."""
    workers: int = 1
    """Searches at a time."""
    limits: Limits = Limits()
