"""What travels between the learner and the self-play workers.

A message to a worker is an `Order`, and each is answered by an `Answer`. Matches that ended travel
as the bytes of their records, targets included, compressed.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from athenan._core import Game, MatchRecord
from athenan.files import Arrays
from athenan.learning.settings import Config
from athenan.networks.network import Network
from athenan.programs import Program
from athenan.selfplay.work import Work

LEVEL = 1  # of zlib: the fastest; higher ones make records little smaller

Proven = tuple[NDArray[np.uint64], NDArray[np.float32], NDArray[np.int8]]
"""Keys, values and completions of resolved states."""


@dataclass(frozen=True)
class Setup:
    """What a worker needs to know before it plays."""

    config: Config
    """Its hardware settings are the worker's."""
    programs: tuple[Program, ...]
    """The files of a game and a network of the user's own."""
    slots: int
    """Matches at a time; 0: what the worker's machine likes, by measurement."""


@dataclass(frozen=True)
class Ready:
    """A worker has begun to live."""

    life: str
    """Another one after each restart."""
    node: str
    pid: int
    device: str
    threads: int
    first: int
    """Matches at a time to begin with."""
    slots: int


@dataclass(frozen=True)
class Task:
    """A match to be played."""

    index: int
    seed: int
    progress: float
    opening: tuple[int, ...]


@dataclass(frozen=True)
class Order:
    """Play these matches too, for so long."""

    life: str
    """Whose order it is: another life of the same worker refuses it."""
    seconds: float
    tasks: tuple[Task, ...] = ()
    stage: int = 0
    """How many matches had been learned when the stage of the training began."""
    version: int = 0
    """Of the weights that come with the order; 0 if none come."""
    forget: bool = False
    """The resolved states, before the following are learned."""
    proven: tuple[Proven, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a worker did."""

    life: str
    records: tuple[bytes, ...] = ()
    """Matches that ended, packed."""
    work: Work = field(default_factory=Work)
    """Since the answer before."""
    weights_seconds: float = 0.0
    """For taking new weights."""
    cpu_seconds: float = 0.0
    """Of the processor, for the order."""


def packed(record: MatchRecord) -> bytes:
    """Return a record as it travels."""
    return zlib.compress(record.as_bytes(), LEVEL)


def unpacked(game: Game, data: bytes) -> MatchRecord:
    """Return what was packed."""
    return MatchRecord.from_bytes(game, zlib.decompress(data))


def weights_of(network: Network) -> Arrays:
    """Return a copy of a network's weights, as they travel."""
    state = network.state_dict().items()
    return {name: value.detach().cpu().numpy().copy() for name, value in state}


def take_weights(network: Network, arrays: Arrays) -> None:
    """Give a network the weights that travelled."""
    import torch

    network.load_state_dict({name: torch.from_numpy(np.array(a)) for name, a in arrays.items()})


def proven_in(records: Iterable[MatchRecord]) -> Proven:
    """Return the states that matches have proven."""
    found: list[Any] = [each for record in records for each in record.resolved]
    return (
        np.array([each.key for each in found], np.uint64),
        np.array([each.value for each in found], np.float32),
        np.array([each.completion for each in found], np.int8),
    )
