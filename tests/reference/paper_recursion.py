"""The pseudo-code of the paper, line by line and recursive: an oracle for the unrolled searches.

It keeps its labels in dictionaries by (state, move) and shares no code with athenan.reference.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import athenan

Label = tuple[int, int, float]


@dataclass
class PaperSearch:
    evaluate: Callable[[athenan.State], float]
    evaluate_end: Callable[[athenan.State], float]
    luck: athenan.Random
    completed: bool
    descent: bool
    reuse: bool
    S: set[int] = field(default_factory=set)
    v: dict[object, float] = field(default_factory=dict)
    c: dict[object, int] = field(default_factory=dict)
    r: dict[object, int] = field(default_factory=dict)
    n: dict[object, int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)

    def iteration(self, s: athenan.State) -> Label:
        k = s.key
        if s.is_terminal:
            return self.end(s)
        fresh = k not in self.S
        if fresh:
            self.expand(s)
        if self.r[k] == 0 and (self.descent or not fresh):
            moves = [a for a in s.legal_moves() if self.r[k, a] == 0]
            a = self.completed_best_action_dual(s, moves)
            self.n[k, a] = self.n.get((k, a), 0) + 1
            self.r[k, a], self.c[k, a], self.v[k, a] = self.iteration(s.play(a))
            self.label(s)
        return self.r[k], self.c[k], self.v[k]

    def end(self, s: athenan.State) -> Label:
        self.S.add(s.key)
        assert s.outcome is not None
        outcome = s.outcome if self.completed else 0
        self.r[s.key], self.c[s.key] = int(self.completed), outcome
        self.v[s.key] = self.evaluate_end(s)
        return self.r[s.key], outcome, self.v[s.key]

    def expand(self, s: athenan.State) -> None:
        k = s.key
        self.S.add(k)
        self.order.append(k)
        for a in s.legal_moves():
            child = s.play(a)
            if child.is_terminal:
                label = self.end(child)
            elif self.reuse and child.key in self.S:
                label = self.r[child.key], self.c[child.key], self.v[child.key]
            else:
                label = 0, 0, self.evaluate(child)
            self.r[k, a], self.c[k, a], self.v[k, a] = label
        self.label(s)

    def label(self, s: athenan.State) -> None:
        k = s.key
        pairs = [(self.c[k, a], self.v[k, a]) for a in s.legal_moves()]
        self.c[k], self.v[k] = max(pairs) if s.to_move == 0 else min(pairs)
        if abs(self.c[k]) == 1:
            self.r[k] = 1
        else:
            self.r[k] = min(self.r[k, a] for a in s.legal_moves())

    def completed_best_action_dual(self, s: athenan.State, moves: list[int]) -> int:
        def rank(a: int) -> tuple[int, float, int]:
            n = self.n.get((s.key, a), 0)
            return (
                self.c[s.key, a],
                self.v[s.key, a],
                0 if not self.completed else -n if s.to_move == 0 else n,
            )

        best = max(map(rank, moves)) if s.to_move == 0 else min(map(rank, moves))
        equals = [a for a in moves if rank(a) == best]
        return equals[self.luck.below(len(equals))] if len(equals) > 1 else equals[0]

    def rows(self, s: athenan.State) -> list[tuple[int, float, int, int, int]]:
        k = s.key
        return [
            (a, self.v[k, a], self.c[k, a], self.r[k, a], self.n.get((k, a), 0))
            for a in s.legal_moves()
        ]
