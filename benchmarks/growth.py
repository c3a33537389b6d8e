"""How the cost of a search grows with the board and with the tree: one table, one picture.

    python benchmarks/growth.py --picture growth.png

The evaluator costs nothing, so the rules, the tree and the encoding are measured. Microseconds are
processor time of the one thread. The best of several runs is taken: other load on the machine only
ever adds. Boards are measured with Descent, trees also with unbounded minimax: one descent through
Hex 11 already makes seven thousand nodes.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from athenan import make_game
from athenan._core import Search, SearchSpec

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZES = (5, 7, 9, 11, 13, 15, 17, 19)
NODES = (10**3, 10**4, 10**5, 10**6)
SEARCHES = ("descent", "ubfm")
REPEATS = 3


def cost(game_id: str, algorithm: str, expansions: int) -> tuple[float, float, int]:
    """Microseconds per expansion and per child, and the nodes of the tree."""
    game = make_game(game_id)
    best = float("inf")
    for repeat in range(REPEATS):
        search = Search(game, SearchSpec(f"{algorithm}:expansions={expansions}"), repeat)
        search.begin(game.initial_state())
        start = time.process_time()
        search.run_fake(1)
        best = min(best, (time.process_time() - start) / search.spent.expansions)
    per_child = best * search.spent.expansions / search.spent.evaluations
    return 1e6 * best, 1e6 * per_child, search.node_count


def by_board() -> list[tuple[int, float, float]]:
    """For each board: its size, microseconds per expansion and per child."""
    rows = []
    print("board      µs/expansion   µs/child")
    for size in SIZES:
        expansion, child, _ = cost(f"hex:size={size}", "descent", 2000)
        rows.append((size, expansion, child))
        print(f"Hex {size:<6} {expansion:>12.1f} {child:>10.3f}", flush=True)
    return rows


def by_tree(algorithm: str) -> list[tuple[int, float, float]]:
    """For each tree: its nodes, microseconds per expansion and per child."""
    rows: list[tuple[int, float, float]] = []
    print(f"nodes      µs/expansion   µs/child   (Hex 11, {algorithm})")
    for nodes in NODES:
        expansion, child, found = cost("hex:size=11", algorithm, max(10, nodes // 75))
        if not rows or found > rows[-1][0]:
            rows.append((found, expansion, child))
            print(f"{found:<10,} {expansion:>12.1f} {child:>10.3f}", flush=True)
    return rows


def draw(left: Axes, right: Axes) -> None:
    """Measure, print, and draw both curves."""
    boards = by_board()
    left.plot([b[0] for b in boards], [b[2] for b in boards], marker="o")
    left.set(title="cost of a child, by board", xlabel="size of the Hex board", ylabel="µs")
    for algorithm in SEARCHES:
        trees = by_tree(algorithm)
        right.semilogx([t[0] for t in trees], [t[2] for t in trees], marker="o", label=algorithm)
    right.set(title="cost of a child, by tree (Hex 11)", xlabel="nodes", ylabel="µs")
    right.legend()
    for panel in (left, right):
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", type=Path, default=Path("growth.png"))
    given = parser.parse_args()
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    draw(left, right)
    figure.savefig(given.picture, dpi=110)
    print(f"drawn in {given.picture}")


if __name__ == "__main__":
    main()
