"""The partial game tree: the labels T of the paper and the set S of its states.

Table "Index of symbols": the labels v(s,a), c(s,a), r(s,a), n(s,a) live on the edges; v(s), c(s),
r(s) are read off them. S holds the states that are expanded or terminal, in the order in which they
entered. All values are from the first player's point of view.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from athenan._core import State

Key = Hashable
LabelRow = tuple[int, float, int, int, int]
"""An edge for comparison with other implementations: (move, v, c, r, n)."""


@dataclass(slots=True, eq=False)
class Edge:
    """A move a of a state s, the child a(s) and the labels of (s, a)."""

    move: int
    child: State
    key: Key
    v: float = 0.0
    c: int = 0
    r: int = 0
    n: int = 0
    guess: bool = False
    """v is what the network says of the move, q(s, a), and nothing is known of the child."""


@dataclass(slots=True, eq=False)
class Node:
    """A state of S; a terminal one has no edges."""

    state: State
    key: Key
    edges: list[Edge] = field(default_factory=list)
    v: float = 0.0
    c: int = 0
    r: int = 0

    @property
    def label(self) -> tuple[int, int, float]:
        """(r(s), c(s), v(s))."""
        return self.r, self.c, self.v


def float32(value: float) -> float:
    """Round a value as every implementation stores it."""
    return float(np.float32(value))


def added(values: Iterable[float]) -> float:
    """Add numbers from left to right, each sum rounded (Python's own `sum` compensates)."""
    return reduce(add, values, 0.0)


def first_player(state: State) -> bool:
    """Return whether the first player is to move."""
    return state.to_move == 0


def argmax(edges: Sequence[Edge], label: Callable[[Edge], Any]) -> list[Edge]:
    """Return the edges of the greatest label, in the order given."""
    best = max(map(label, edges))
    return [edge for edge in edges if label(edge) == best]


def argmin(edges: Sequence[Edge], label: Callable[[Edge], Any]) -> list[Edge]:
    """Return the edges of the least label, in the order given."""
    best = min(map(label, edges))
    return [edge for edge in edges if label(edge) == best]


def best_by_value(state: State, edges: Sequence[Edge]) -> list[Edge]:
    """Return the best edges for the player to move, by (c, v): those that give s its label."""
    choose = argmax if first_player(state) else argmin
    return choose(edges, lambda a: (a.c, a.v))


def label_rows(nodes: Iterable[Node]) -> dict[Key, list[LabelRow]]:
    """Return the labels of all expanded states, moves in the order of the legal moves."""
    return {
        node.key: [(a.move, a.v, a.c, a.r, a.n) for a in node.edges] for node in nodes if node.edges
    }
