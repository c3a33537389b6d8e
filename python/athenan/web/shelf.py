"""The trees of all searches of the server together: bounded, so that no visitor fills the memory.

A search keeps its tree between its slices, and after its end for whoever wants to look into it.
When all together grow too large, trees of searches that have ended are given up, the oldest first;
if that is not enough, the search that is at work ends.
"""

from __future__ import annotations

import ctypes
import threading
import time
from contextlib import suppress
from typing import Protocol
from weakref import WeakKeyDictionary

TIDYING = 10.0  # seconds between two times that freed memory is given back to the system


class Grown(Protocol):
    """What has a tree."""

    @property
    def tree_bytes(self) -> int:
        """Its size."""

    def give_up_tree(self) -> None:
        """Forget it."""


class Shelf:
    """Knows every tree for as long as anybody holds its search. Threads share it."""

    def __init__(self, max_bytes: int) -> None:
        self._max = max_bytes
        self._lock = threading.Lock()
        self._sizes: WeakKeyDictionary[Grown, int] = WeakKeyDictionary()
        self._ended: WeakKeyDictionary[Grown, None] = WeakKeyDictionary()  # the oldest first
        self._tidied = time.monotonic()

    @property
    def total(self) -> int:
        """The bytes of all trees."""
        with self._lock:
            return sum(self._sizes.values())

    def has_room(self, grown: Grown) -> bool:
        """Note how large a tree has become; make room, and tell whether it may grow further."""
        with self._lock:
            self._sizes[grown] = grown.tree_bytes
            excess = sum(self._sizes.values()) - self._max
            for old in list(self._ended):
                if excess <= 0:
                    break
                if old is not grown:
                    excess -= self._sizes.pop(old, 0)
                    del self._ended[old]
                    old.give_up_tree()
            return excess <= 0

    def ended(self, grown: Grown) -> None:
        """Note that a search has ended: its tree is kept while there is room."""
        with self._lock:
            self._ended[grown] = None
            if time.monotonic() - self._tidied > TIDYING:
                self._tidied = time.monotonic()
                _give_back()


def _give_back() -> None:
    """Give freed memory back to the system; the C library keeps it where trees were otherwise."""
    with suppress(AttributeError, OSError):  # it is glibc that can
        ctypes.CDLL(None).malloc_trim(0)
