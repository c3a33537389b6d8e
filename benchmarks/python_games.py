"""What a game written in Python costs: Dots and Boxes, three times.

    python benchmarks/python_games.py

The same game of 2×2 boxes as `SimpleRules` (states are Python values), as `Rules` (bytes, one state
at a time) and as `BatchRules` (arrays of states). Each rate is the best of several rounds in which
they take turns; ratios are those to `Rules` in this run.
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

EXAMPLES = Path(__file__).parents[1] / "examples"
WALLS = ((0, 2, 3, 5), (1, 3, 4, 6), (5, 7, 8, 10), (6, 8, 9, 11))  # edges around each box
EDGES, BOXES, SIDE = 12, 4, 5


class Plain(Rules):
    """The game as an author writes it without thinking of speed: NumPy, one state at a time."""

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Dots and Boxes",
            rows=SIDE,
            columns=SIDE,
            planes=["edges", "first", "second", "player"],
            move_count=EDGES,
            max_length=EDGES,
            has_draws=True,
        )

    def initial(self) -> StateBytes:
        return np.zeros(EDGES + BOXES + 1, np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state[-1])

    def result(self, state: StateBytes) -> int | None:
        if not state[:EDGES].all():
            return None
        owners = state[EDGES:-1]
        return int(np.sign(np.sum(owners == 1) - np.sum(owners == 2)))

    def moves(self, state: StateBytes) -> Iterable[int]:
        return [int(edge) for edge in np.flatnonzero(state[:EDGES] == 0)]

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        child = state.copy()
        child[move] = 1
        closed = False
        for box, walls in enumerate(WALLS):
            if not child[EDGES + box] and all(child[wall] for wall in walls):
                child[EDGES + box] = 1 + state[-1]
                closed = True
        child[-1] ^= not closed
        return child

    def encode(self, state: StateBytes) -> Any:
        planes = np.zeros((4, SIDE * SIDE), np.int8)
        planes[0, 1::2] = state[:EDGES]
        for owner in (1, 2):
            planes[owner, [6, 8, 16, 18]] = state[EDGES:-1] == owner
        planes[3] = state[-1]
        return planes.reshape(4, SIDE, SIDE)


def leaves(game: Game, depth: int) -> float:
    """Return leaves of perft a second."""
    start = time.perf_counter()
    found = game.perft(depth, threads=1)
    return found / (time.perf_counter() - start)


def expansions(game: Game, count: int) -> float:
    """Return expansions of a search a second, its evaluator next to free."""
    search = Search(game, f"descent:expansions={count},completion=false", 1)
    start = time.perf_counter()
    drive(search, game.initial_state(), hash_evaluator())
    return search.spent.expansions / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--expansions", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    games = {
        "SimpleRules": make_game(str(EXAMPLES / "dots_and_boxes.py")),
        "Rules": game_from_rules(Plain()),
        "BatchRules": make_game(str(EXAMPLES / "batch_dots_and_boxes.py")),
    }
    counts = {name: game.perft(4) for name, game in games.items()}
    assert len(set(counts.values())) == 1, counts
    measures: dict[str, Callable[[Game], float]] = {
        f"perft leaves/s, depth {given.depth}": lambda game: leaves(game, given.depth),
        "expansions/s in a search": lambda game: expansions(game, given.expansions),
    }
    for title, measure in measures.items():
        best = dict.fromkeys(games, 0.0)
        for _ in range(given.rounds):
            for name, game in games.items():
                best[name] = max(best[name], measure(game))
        print(title)
        for name, rate in best.items():
            print(f"  {name:12} {rate:12,.0f}   {rate / best['Rules']:6.1f} times Rules")


if __name__ == "__main__":
    main()
