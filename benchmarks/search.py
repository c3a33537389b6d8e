"""How fast the searches are: one run, one table, ratios against bounds and peers.

The tree with a fake evaluator: expansions/s and children/s per core, encoding included; the share
of the time that is neither rules nor encoding; base MCTS against open_spiel's MCTSBot; the scaling
of a pool over threads. Rates are per second of CPU time of the measured thread, so that other load
on the machine does not distort them; the scaling of the pool is measured in wall time.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import time
from collections.abc import Callable

import athenan
import numpy as np
from athenan import _core
from rich.console import Console
from rich.table import Table

TREES = [
    ("hex:size=11", "descent:expansions=3000"),
    ("hex:size=11", "ubfm:expansions=3000"),
    ("othello", "descent:expansions=10000"),
    ("amazons", "descent:expansions=5000"),
    ("arimaa", "descent:expansions=10000"),
]
ROLLOUTS = [
    ("tic_tac_toe", "tic_tac_toe"),
    ("connect_four", "connect_four"),
    ("hex:size=11,swap=false", "hex(board_size=11)"),
    ("othello", "othello"),
    ("breakthrough", "breakthrough"),
    ("lines_of_action", "lines_of_action"),
]


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def median_rate(amount: float, work: Callable[[], object], repeats: int = 5) -> float:
    return amount / statistics.median(cpu_seconds(work) for _ in range(repeats))


def run_search(game: athenan.Game, algorithm: str, seed: int) -> _core.Search:
    search = _core.Search(game, algorithm, 1)
    search.begin(game.initial_state())
    search.run_fake(seed)
    return search


def tree_row(game_id: str, algorithm: str) -> list[str]:
    """One algorithm on one game: rates, and where the time goes."""
    game = athenan.make_game(game_id)
    search = _core.Search(game, algorithm, 1)

    def think() -> None:
        search.new_match(1)
        search.begin(game.initial_state())
        search.run_fake(1)

    think()  # memory is there from now on, as in a training run
    total = statistics.median(cpu_seconds(think) for _ in range(5))
    expansions, children = search.spent.expansions, search.spent.evaluations
    states = visited_states(game, 2000)
    moves = game.count_children(states)
    rules = (
        statistics.median(cpu_seconds(lambda: game.count_children(states)) for _ in range(5))
        / moves
    )
    encoding = statistics.median(
        cpu_seconds(lambda: game.encode(states, 1)) for _ in range(5)
    ) / len(states)
    outside = max(0.0, 1 - (rules + encoding) * children / total)
    return [
        game_id,
        algorithm.partition(":")[0],
        f"{expansions / total / 1e3:,.0f} k",
        f"{children / total / 1e6:.2f} M",
        f"{children / expansions:.1f}",
        f"{outside:.0%}",
        f"{search.tree_bytes / max(1, search.node_count):.0f}",
    ]


def visited_states(game: athenan.Game, count: int) -> list[athenan.State]:
    random = athenan.Random(1)
    states: list[athenan.State] = []
    while len(states) < count:
        state = game.initial_state()
        while not state.is_terminal and len(states) < count:
            states.append(state)
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves))])
    return states


def mcts_row(game_id: str, peer: str, simulations: int) -> list[str]:
    """Base MCTS against open_spiel's, the same number of simulations from the start."""
    import pyspiel

    game = athenan.make_game(game_id)
    state = pyspiel.load_game(peer).new_initial_state()
    fewer = max(50, simulations // 20)

    def theirs() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        bot = pyspiel.MCTSBot(state.get_game(), evaluator, 2**0.5, fewer, 1000, False, 1, False)
        bot.mcts_search(state)

    ours = median_rate(
        simulations, lambda: run_search(game, f"mcts:iterations={simulations}", 0), 3
    )
    peer_rate = median_rate(fewer, theirs, 3)
    ratio = ours / peer_rate
    return [
        game_id,
        f"{ours:,.0f}",
        f"{peer_rate:,.0f}",
        f"{ratio:.1f}",
        "" if ratio >= 10 else "below 10",
    ]


def pool_row(game_id: str, threads: int, base: float | None) -> tuple[list[str], float]:
    """Children per second of wall time of a pool with values that cost nothing."""
    game = athenan.make_game(game_id)
    pool = _core.Pool(game, [_core.Mind("descent:expansions=50", "ordinal")], "none", 256, threads)
    for index in range(100_000):
        pool.add(index, index)
    zeros = np.random.default_rng(1).standard_normal(1_000_000).astype(np.float32)
    start, children = time.perf_counter(), 0
    while time.perf_counter() - start < 3:
        count = pool.collect()
        children += count
        pool.resume(0, zeros[:count])
    rate = children / (time.perf_counter() - start)
    speed_up = f"{rate / base:.2f}" if base else "1.00"
    return [game_id, str(threads), f"{rate / 1e6:.2f} M", speed_up], rate


def table(title: str, columns: list[str]) -> Table:
    out = Table(title=title)
    for index, column in enumerate(columns):
        out.add_column(column, justify="left" if index == 0 else "right")
    return out


def peer_table(simulations: int) -> Table:
    columns = ["game", "athenan", "open_spiel", "ratio", "goal 10"]
    rollouts = table("Base MCTS, simulations/s, one core", columns)
    for game_id, peer in ROLLOUTS:
        rollouts.add_row(*mcts_row(game_id, peer, simulations))
    return rollouts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count() or 1, help="most threads of the pool"
    )
    options = parser.parse_args()
    console = Console(width=110)

    trees = table(
        "Trees with a hash evaluator, one core",
        [
            "game",
            "search",
            "expansions/s",
            "children/s",
            "children/expansion",
            "outside rules+encoding",
            "bytes/node",
        ],
    )
    for game_id, algorithm in TREES:
        trees.add_row(*tree_row(game_id, algorithm))
    console.print(trees)

    if importlib.util.find_spec("pyspiel") is None:
        console.print("open_spiel is not installed: base MCTS is not compared")
    else:
        console.print(peer_table(options.simulations))

    scaling = table(
        "A pool of 256 matches, wall time", ["game", "threads", "children/s", "speed-up"]
    )
    for game_id in ("hex:size=11", "othello", "arimaa"):
        base = None
        for threads in dict.fromkeys([1, 2, options.threads // 2, options.threads]):
            row, rate = pool_row(game_id, threads, base)
            base = base or rate
            scaling.add_row(*row)
    console.print(scaling)


if __name__ == "__main__":
    main()
