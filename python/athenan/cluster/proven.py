"""Resolved states on a cluster: what one worker has proven, the others are told."""

from __future__ import annotations

from collections.abc import Iterable

from athenan._core import MatchRecord, ResolvedMemory
from athenan.cluster.messages import Proven, proven_in

Parts = tuple[Proven, ...]
KEPT = 1000
"""Parts of matches that may not be in the learner's memory yet."""


class ProvenStates:
    """The learner's memory of resolved states, and what was added to it since it was shared.

    A worker that was told nothing forgets everything and is told the whole memory; from then on
    it is told what the matches of all workers add.
    """

    def __init__(self) -> None:
        self._memory: ResolvedMemory | None = None
        self._first = 1
        self._parts: list[Proven] = []

    def begin(self, memory: ResolvedMemory) -> None:
        """Share a memory, from whatever it holds now."""
        self._memory = memory
        self._first += len(self._parts)
        self._parts = []

    def add(self, record: MatchRecord) -> None:
        """Note what a match has proven."""
        if self._memory is not None:
            self._parts.append(proven_in([record]))

    def news(self, told: int) -> tuple[bool, Parts, int]:
        """Return what a worker is to hear: whether to forget first, what, and what it knows then.

        `told` is the last of these, 0 for a worker that knows nothing.
        """
        if self._memory is None:
            return False, (), told
        if told < self._first:
            pending = self._parts  # of matches that may not be in the memory yet
            return True, (self._memory.arrays(), *pending), self._end
        return False, tuple(self._parts[told - self._first :]), self._end

    @property
    def _end(self) -> int:
        return self._first + len(self._parts)

    def trim(self, told: Iterable[int]) -> None:
        """Drop what all of these workers were told, if it is in the memory by now.

        The latest are not. A worker that was left out is told the whole memory anew.
        """
        if (surplus := min(told, default=self._end) - self._first - KEPT) > 0:
            self._first += surplus
            del self._parts[:surplus]
