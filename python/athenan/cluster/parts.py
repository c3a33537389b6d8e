"""Parts of series, which travel to whoever plays them."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from athenan.arena.matches import described
from athenan.arena.record import Match
from athenan.arena.series import SeriesSpec
from athenan.cluster.connection import Cluster
from athenan.cluster.reasons import own_version, refuse_another_version
from athenan.machine import available_cores, megabytes_per_tree
from athenan.programs import Program, name_programs, programs_in

MAX_PART = 32  # matches of a part: what shares a pool
PARTS = 2  # for each place that plays, if there are enough matches: some take longer than others

Travelling = tuple[str, bytes, tuple[Program, ...]]
"""The version of athenan, a pickled series, and the files of the user's own that it is made of."""


@dataclass(frozen=True)
class Part:
    """Some matches of a series."""

    number: int
    """Of the series."""
    series: Any
    """The reference to a `Travelling` series in the store."""
    indices: frozenset[int]
    threads: int

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What `play_part` takes."""
        return self.series, self.indices, self.threads


def play_part(travelling: Travelling, indices: Collection[int], threads: int) -> list[Match]:
    """Play some matches of a series, in whichever process."""
    version, data, programs = travelling
    refuse_another_version(version)
    name_programs(programs)
    series: SeriesSpec = pickle.loads(data)
    others = frozenset(range(series.matches)) - frozenset(indices)
    beside = max(1, available_cores() // threads)  # parts that may be played on this machine
    memory = megabytes_per_tree(2 * len(indices) * beside)
    players = series.a.within(memory), series.b.within(memory)
    part = replace(series, a=players[0], b=players[1], played=others)
    return list(described(part.play(workers=threads), series.a, series.b))


def parts_of(
    cluster: Cluster, series: Iterable[SeriesSpec], places: int, threads: int
) -> Iterator[Part]:
    """Cut series into parts; the matches of an opening stay together."""
    for number, each in enumerate(series):
        if not (missing := each.missing):
            continue
        data = cluster.ray.cloudpickle.dumps(each)
        reference = cluster.ray.put((own_version(), data, programs_in(data)))
        size = min(MAX_PART, -(-len(missing) // (PARTS * max(1, places))))
        size += size % 2
        for first in range(0, len(missing), size):
            yield Part(number, reference, frozenset(missing[first : first + size]), threads)
