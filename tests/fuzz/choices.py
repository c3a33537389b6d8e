"""Choices made by the bytes of an input, and damage done by such choices."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from math import inf, nan
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

BYTE = 256
INTEGERS = (0, 1, 2, 3, 5, -1, 7, 100, 255, 65536, 2**31 - 1, 2**31, 2**63, 2**64, -(2**63), 10**30)
REALS = (0.0, 1.0, -1.0, 0.5, 1e-310, 3e38, 1e308, -1e308, inf, -inf, nan)
TEXTS = ("", "x", "true", "0", ",", ":", "=", "a=b", "\0", "é", "\ud800", "x" * 5000, "../x", "[[")


class Choices:
    """Reads choices from the front of an input; one that has ended chooses 0."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    @property
    def left(self) -> bool:
        """Whether there are bytes left."""
        return self._place < len(self._data)

    def below(self, count: int) -> int:
        """Return a number from 0 to count - 1."""
        size = 1 if count <= BYTE else 2
        taken = self._data[self._place : self._place + size]
        self._place += size
        return int.from_bytes(taken) % count

    def one_in(self, count: int) -> bool:
        """Return whether something rare happens; never once the input has ended."""
        return self.below(count) == count - 1

    def among(self, things: Sequence[T]) -> T:
        """Return one of some things."""
        return things[self.below(len(things))]

    def oddity(self) -> Any:
        """Return a value that hardly anything expects."""
        nested: list[Any] = []
        for _ in range(300):
            nested = [nested]
        kinds: list[Sequence[Any]] = [INTEGERS, REALS, TEXTS]
        kinds.append((None, True, False, [], {}, [[]], [nan], {"": {}}, nested))
        return self.among(self.among(kinds))

    def rest(self) -> bytes:
        """Return the bytes that are left."""
        return self._data[self._place :]


def damaged(tree: Any, choices: Choices) -> Any:
    """Return values such as JSON holds, with up to three of them replaced, removed or repeated.

    The whole remains a dictionary or a list.
    """
    tree = deepcopy(tree)
    for _ in range(choices.below(4)):
        found = _damaged_once(tree, choices)
        tree = found if type(found) is type(tree) else tree
    return tree


def _damaged_once(tree: Any, choices: Choices) -> Any:
    if isinstance(tree, dict) and tree and not choices.one_in(8):
        name = choices.among(list(tree))
        if choices.one_in(8):
            del tree[name]
        else:
            tree[name] = _damaged_once(tree[name], choices)
    elif isinstance(tree, list) and tree and not choices.one_in(4):
        place = choices.below(len(tree))
        tree[place] = _damaged_once(tree[place], choices)
        if choices.one_in(4):
            tree.append(tree[place])
    else:
        return choices.oddity()
    return tree


def damaged_arrays(arrays: dict[str, NDArray[Any]], choices: Choices) -> dict[str, NDArray[Any]]:
    """Return arrays with up to three of them changed, removed, renamed or added."""
    out = dict(arrays)
    for _ in range(choices.below(4)):
        name = choices.among(sorted(out) or [""])
        array = out.pop(name, np.zeros(3, np.float32))
        dtypes = ["int8", "int64", "float16", "uint8", "bool"]
        match choices.below(6):
            case 0:
                out[choices.among([name, "x", f"{name}.x"])] = array
            case 1:
                out[name] = array.astype(choices.among(dtypes))
            case 2:
                out[name] = array.reshape(-1)[: choices.below(256)]
            case 3:
                out[name] = array[None]
            case 4:
                filling = choices.among([0, 1, -1, 127, 2**31 - 1, nan, inf])
                with np.errstate(invalid="ignore"):
                    out[name] = np.full(array.shape, filling).astype(array.dtype)
            case _:
                flat = np.array(array).reshape(-1)
                raw = flat.view(np.uint8)
                if len(raw):
                    raw[choices.below(len(raw))] = choices.below(256)
                out[name] = flat.reshape(array.shape)
    return out
