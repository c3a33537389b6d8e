"""What a game written in Python costs: Dots and Boxes, three times.

    python benchmarks/python_games.py [--size 4]

The same game as `SimpleRules` (states are Python values), as `Rules` (bytes, one state at a time)
and as `BatchRules` (arrays of states). Each rate is the best of several rounds in which they take
turns, per second of this process's CPU time; ratios are those to `Rules` in this run. Last, where
the time of an expansion of `BatchRules` goes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from athenan import Datasheet, Game, Rules, game_from_rules, hash_evaluator, make_game
from athenan._core import Search
from athenan.games import StateBytes
from athenan.searches import drive

HEADER = 16  # bytes of the engine before those of the rules
EXAMPLES = Path(__file__).parents[1] / "examples"
MANY = 1000  # states in one call


class Plain(Rules):
    """The game as an author writes it without thinking of speed: NumPy, one state at a time."""

    def __init__(self, size: int = 2) -> None:
        self.side, self.boxes, self.edges = 2 * size + 1, size**2, 2 * size * (size + 1)
        self.walls = [
            (
                above := row * (2 * size + 1) + column,
                above + size,
                above + size + 1,
                above + self.side,
            )
            for row in range(size)
            for column in range(size)
        ]
        self.centres = [
            (2 * row + 1) * self.side + 2 * column + 1
            for row in range(size)
            for column in range(size)
        ]

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Dots and Boxes",
            rows=self.side,
            columns=self.side,
            planes=["edges", "first", "second", "player"],
            move_count=self.edges,
            max_length=self.edges,
            has_draws=True,
        )

    def initial(self) -> StateBytes:
        return np.zeros(self.edges + self.boxes + 1, np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state[-1])

    def result(self, state: StateBytes) -> int | None:
        if not state[: self.edges].all():
            return None
        owners = state[self.edges : -1]
        return int(np.sign(np.sum(owners == 1) - np.sum(owners == 2)))

    def moves(self, state: StateBytes) -> Iterable[int]:
        return [int(edge) for edge in np.flatnonzero(state[: self.edges] == 0)]

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        child = state.copy()
        child[move] = 1
        closed = False
        for box, walls in enumerate(self.walls):
            if not child[self.edges + box] and all(child[wall] for wall in walls):
                child[self.edges + box] = 1 + state[-1]
                closed = True
        child[-1] ^= not closed
        return child

    def encode(self, state: StateBytes) -> Any:
        planes = np.zeros((4, self.side * self.side), np.int8)
        planes[0, 1::2] = state[: self.edges]
        for owner in (1, 2):
            planes[owner, self.centres] = state[self.edges : -1] == owner
        planes[3] = state[-1]
        return planes.reshape(4, self.side, self.side)


def leaves(game: Game, depth: int) -> float:
    """Return leaves of perft a second."""
    start = time.process_time()
    found = game.perft(depth, threads=1)
    return found / (time.process_time() - start)


def expansions(game: Game, count: int) -> float:
    """Return expansions of a search a second, its evaluator next to free."""
    search = Search(game, f"descent:expansions={count},completion=false", 1)
    start = time.process_time()
    drive(search, game.initial_state(), hash_evaluator())
    return search.spent.expansions / (time.process_time() - start)


def cost(work: Callable[[], object], turns: int = 1000) -> float:
    """Return the microseconds of some work."""
    work()
    start = time.process_time()
    for _ in range(turns):
        work()
    return (time.process_time() - start) / turns * 1e6


def explain(game: Game, whole: float) -> None:
    """Print where the time of an expansion of BatchRules goes."""
    rules: Any = game.__reduce__()[1][1]  # type: ignore[index]
    state = game.initial_state()
    for _ in range(3):
        state = state.play(state.legal_moves()[-1])
    one = np.frombuffer(bytes(state)[HEADER:], np.uint8)[None, : len(rules.initial())]
    many = one.repeat(MANY, 0)
    children = rules.expand_many(one).children
    alone = cost(lambda: rules.expand_many(one)) + cost(lambda: rules.encode_many(children))
    batch = cost(lambda: rules.expand_many(many), 20) / MANY
    batch += cost(lambda: rules.encode_many(children.repeat(MANY, 0)), 20) / MANY
    print("an expansion of BatchRules, in microseconds")
    print(f"  in a search                          {whole:8.1f}")
    print(f"  of that expand_many and encode_many  {alone:8.1f}   of one state and its children")
    print(f"  the same per state                   {batch:8.1f}   of {MANY} states in one call")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=2, help="boxes in a row")
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--expansions", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    games = {
        "SimpleRules": make_game(f"{EXAMPLES / 'dots_and_boxes.py'}:size={given.size}"),
        "Rules": game_from_rules(Plain(given.size)),
        "BatchRules": make_game(f"{EXAMPLES / 'batch_dots_and_boxes.py'}:size={given.size}"),
    }
    counts = {name: game.perft(3) for name, game in games.items()}
    assert len(set(counts.values())) == 1, counts
    measures: dict[str, Callable[[Game], float]] = {
        f"perft leaves/s, depth {given.depth}": lambda game: leaves(game, given.depth),
        "expansions/s in a search": lambda game: expansions(game, given.expansions),
    }
    best = dict.fromkeys(games, 0.0)
    for title, measure in measures.items():
        best = dict.fromkeys(games, 0.0)
        for _ in range(given.rounds):
            for name, game in games.items():
                best[name] = max(best[name], measure(game))
        print(title)
        for name, rate in best.items():
            print(f"  {name:12} {rate:12,.0f}   {rate / best['Rules']:6.1f} times Rules")
    explain(games["BatchRules"], 1e6 / best["BatchRules"])


if __name__ == "__main__":
    main()
