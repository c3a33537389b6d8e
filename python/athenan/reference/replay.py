"""Between a match and the learner: symmetric copies, replay, minibatches.

Algorithms "exp_replay", "sgd" (its splitting) and "smooth-exp_replay" (stratified experience
replay), and the symmetry(D) of the long trainings.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import ceil
from typing import Literal

from athenan.reference.draws import Item, RandomSource, sample, shuffled
from athenan.reference.targets import Data, Pair


def symmetry(data: Data, random: RandomSource) -> Data:
    """Return D with one copy of each state under a random symmetry other than the identity."""
    copies = []
    for state, value in data:
        others = state.game.symmetries - 1
        if others:
            copies.append((state.transform(1 + random.below(others)), value))
    return data + copies


@dataclass
class ReplayMemory:
    """The memory M of experience replay.

    With the unit "pairs" it keeps μ pairs and a phase learns σμ of them. With the unit "matches" it
    keeps the pairs of μ matches, as in the trainings of Hex, and a phase learns σ|M| pairs.
    """

    mu: int
    sigma: float
    unit: Literal["pairs", "matches"] = "pairs"
    stored: deque[Data] = field(default_factory=deque)

    def pairs(self) -> Data:
        """Return M, oldest first."""
        return [pair for part in self.stored for pair in part]


def experience_replay(data: Data, memory: ReplayMemory, random: RandomSource) -> Data:
    """Add D to M, forget the oldest, and return what the learning phase learns."""
    if memory.unit == "matches":
        memory.stored.append(data)
    else:
        memory.stored.extend([pair] for pair in data)
    while len(memory.stored) > memory.mu:
        memory.stored.popleft()
    pairs = memory.pairs()
    size = round(memory.sigma * (memory.mu if memory.unit == "pairs" else len(pairs)))
    if len(pairs) <= size:
        return pairs
    return sample(pairs, size, random)


def minibatches(data: Data, batch_size: int, random: RandomSource) -> list[Data]:
    """Split D at random into sets of B pairs; the last one may be smaller."""
    order = shuffled(data, random)
    return [order[i : i + batch_size] for i in range(0, len(order), batch_size)]


@dataclass
class MatchData:
    """The pairs of one match: D still to be learned in this round, D' learned already."""

    to_learn: list[Pair]
    learned: list[Pair] = field(default_factory=list)


@dataclass
class StratifiedMemory:
    """The memory M of stratified replay: the last μ matches; δ is the duplication factor."""

    mu: int
    delta: float
    stored: deque[MatchData] = field(default_factory=deque)

    def quota(self, match: MatchData) -> int:
        """Return how many pairs of a match a phase learns: ⌈δ/μ (|D| + |D'|)⌉."""
        return ceil(self.delta * (len(match.to_learn) + len(match.learned)) / self.mu)


def stratified_experience_replay(
    data: Data, memory: StratifiedMemory, batch_size: int, random: RandomSource
) -> list[Data]:
    """Return the minibatches S_1, ..., S_g of a learning phase."""
    memory.stored.append(MatchData(list(data)))
    while len(memory.stored) > memory.mu:
        memory.stored.popleft()
    n = sum(memory.quota(match) for match in memory.stored)
    g = number_of_minibatches(n, batch_size)
    batches: list[Data] = [[] for _ in range(g)]
    groups = list(range(g))
    for match in memory.stored:
        for _ in range(memory.quota(match)):
            pair = take(match.to_learn, random)
            match.learned.append(pair)
            if not match.to_learn:
                match.to_learn, match.learned = match.learned, []
            j = take(groups, random)
            if not groups:
                groups = list(range(g))
            batches[j].append(pair)
    return batches


def take(items: list[Item], random: RandomSource) -> Item:
    """Remove a uniformly chosen item and return it."""
    return items.pop(random.below(len(items)))


def number_of_minibatches(n: int, batch_size: int) -> int:
    """Return g: the number of minibatches whose size is nearest to B."""
    g = max(1, n // batch_size)
    if abs(n // g - batch_size) > abs(n // (g + 1) - batch_size):
        g += 1
    return g
