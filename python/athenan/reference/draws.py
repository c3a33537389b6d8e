"""Draws of luck: the one interface to randomness, and how a tie is broken.

The paper breaks ties "at random". Here a tie between k > 1 moves costs exactly one draw `below(k)`
in the order of the legal moves, and no tie costs none, so that two implementations with the same
generator make the same choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, log, pi, pow, sqrt
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class RandomSource(Protocol):
    """What `athenan.Random` offers."""

    def below(self, n: int, /) -> int:
        """Return a uniform integer from 0 to n - 1."""

    def uniform(self) -> float:
        """Return a uniform number in [0, 1)."""


def draw_one(equals: Sequence[Item], random: RandomSource) -> Item:
    """Return one of the equals, uniformly; the generator is asked only if there are several."""
    return equals[random.below(len(equals))] if len(equals) > 1 else equals[0]


def shuffled(items: Sequence[Item], random: RandomSource) -> list[Item]:
    """Return the items in a uniformly random order (Fisher and Yates, from the last one down)."""
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = random.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def sample(items: Sequence[Item], count: int, random: RandomSource) -> list[Item]:
    """Return `count` different items, uniformly, in random order."""
    order = list(items)
    for i in range(count):
        j = i + random.below(len(order) - i)
        order[i], order[j] = order[j], order[i]
    return order[:count]


def open_uniform(random: RandomSource) -> float:
    """Return a uniform number in (0, 1)."""
    while (u := random.uniform()) == 0:
        pass
    return u


def gumbel(random: RandomSource) -> float:
    """Return a number of the standard Gumbel distribution."""
    return -log(-log(open_uniform(random)))


def gamma(shape: float, random: RandomSource) -> float:
    """Return a number of the gamma distribution of scale 1 (Marsaglia and Tsang)."""
    if shape < 1:
        more = gamma(shape + 1, random)
        return more * pow(open_uniform(random), 1 / shape)
    d = shape - 1 / 3
    c = 1 / sqrt(9 * d)
    while True:
        radius = sqrt(-2 * log(open_uniform(random)))
        x = radius * cos(2 * pi * random.uniform())
        v = pow(1 + c * x, 3)
        if v > 0 and log(open_uniform(random)) < 0.5 * x * x + d - d * v + d * log(v):
            return d * v


def dirichlet(alpha: float, count: int, random: RandomSource) -> list[float]:
    """Return shares of the symmetric Dirichlet distribution."""
    drawn = [gamma(alpha, random) for _ in range(count)]
    total = 0.0
    for each in drawn:
        total += each
    return [each / total for each in drawn]
