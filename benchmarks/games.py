"""The speed of the games: against open_spiel, per core, and over the cores.

Each comparison is made in one run on one thread, the two sides taking turns; medians are shown.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import athenan
import numpy as np
import pyspiel
from athenan.games.measure import random_turns
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

GOAL = 10  # times as many random playouts per second as open_spiel
REPEATS = 5
PEERS = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "hex:size=11,swap=false": "hex(board_size=11)",
    "othello": "othello",
    "clobber:rows=10,columns=10": "clobber(rows=10,columns=10)",
    "breakthrough": "breakthrough",
    "lines_of_action": "lines_of_action",
    "amazons": "amazons",
    "xiangqi": "xiangqi",
    "go:size=9": "go(board_size=9)",
    "go:size=19": "go(board_size=19)",
    "outer_open_gomoku": "gomoku(size=15)",  # which may begin anywhere
    "havannah:size=8,swap=false": "havannah(board_size=8)",
    "havannah:size=10,swap=false": "havannah(board_size=10)",
}

Work = Callable[[int], object]  # does something so many times
Clock = Callable[[], float]
Row = dict[str, Any]


def seconds_of(work: Work, times: int, clock: Clock) -> float:
    start = clock()
    work(times)
    return clock() - start


def times_that_take(work: Work, seconds: float, clock: Clock) -> int:
    """Find how many times the work must be done to take about so long."""
    times = 1
    while (taken := seconds_of(work, times, clock)) < seconds / 8:
        times *= 2
    return max(1, round(times * seconds / taken))


def rates(works: list[Work], seconds: float, clock: Clock = time.perf_counter) -> list[float]:
    """Measure how many times per second each work is done: medians, the works taking turns."""
    times = [times_that_take(work, seconds, clock) for work in works]
    taken = [
        [seconds_of(work, n, clock) for work, n in zip(works, times, strict=True)]
        for _ in range(REPEATS)
    ]
    medians = [statistics.median(column) for column in zip(*taken, strict=True)]
    return [n / median for n, median in zip(times, medians, strict=True)]


def our_playouts(game: athenan.Game, threads: int = 1) -> Work:
    start = game.initial_state()
    return lambda times: start.playouts(times, seed=1, threads=threads)


def open_spiel_playouts(name: str) -> Work:
    """Random rollouts in C++: one search of one simulation evaluates its root by all of them."""
    game = pyspiel.load_game(name)
    start = game.new_initial_state()

    def work(times: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=times, seed=1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
        assert bot.mcts_search(start).explore_count == 1

    return work


def compare_playouts(seconds: float) -> list[Row]:
    rows = []
    for name, peer in PEERS.items():
        if name.partition(":")[0] not in athenan.game_names():
            continue
        game = athenan.make_game(name)
        works = [our_playouts(game), open_spiel_playouts(peer)]
        ours, theirs = rates(works, seconds, clock=time.process_time)
        rows.append({"game": game.id, "ours": ours, "open_spiel": theirs, "ratio": ours / theirs})
    return rows


def sampled_states(game: athenan.Game, count: int) -> NDArray[np.uint8]:
    """Draw states uniformly from random matches."""
    states = game.pack([turn.state for turn in random_turns(game, 32)])
    return states[np.random.default_rng(0).integers(len(states), size=count)]


def perft_work(game: athenan.Game, threads: int, seconds: float) -> tuple[Work, int]:
    """Return a perft that takes about a tenth of the time or more, and its leaves."""
    depth, leaves, taken = 0, 1, 0.0
    while taken < seconds / 10 and depth < game.datasheet.max_length:
        depth += 1
        start = time.perf_counter()
        leaves = game.perft(depth, threads)
        taken = time.perf_counter() - start

    def work(times: int) -> None:
        for _ in range(times):
            game.perft(depth, threads)

    return work, leaves


def measure_game(game: athenan.Game, threads: int, seconds: float) -> Row:
    states = sampled_states(game, 2048)
    children = len(game.expand(states)[1])
    perft, leaves = perft_work(game, threads, seconds)

    def expand(times: int) -> None:
        for _ in range(times):
            game.expand(states, threads)

    def encode(times: int) -> None:
        for _ in range(times):
            game.encode(states, threads)

    per_second = rates([expand, encode, perft, our_playouts(game, threads)], seconds)
    return {
        "game": game.id,
        "threads": threads,
        "expansions": per_second[0] * len(states),
        "children": per_second[0] * children,
        "encoded states": per_second[1] * len(states),
        "perft leaves": per_second[2] * leaves,
        "playouts": per_second[3],
    }


def thread_counts() -> list[int]:
    cores = os.cpu_count() or 1
    return sorted({cores, *(2**k for k in range(cores.bit_length()) if 2**k <= cores)})


def measure_games(seconds: float) -> list[Row]:
    return [
        measure_game(athenan.make_game(name), threads, seconds)
        for name in athenan.game_names()
        for threads in thread_counts()
    ]


def short(rate: float) -> str:
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if rate >= limit:
            return f"{rate / limit:.3g} {unit}"
    return f"{rate:.3g}"


def comparison_table(rows: list[Row]) -> Table:
    table = Table(title="random playouts per CPU-second, one thread")
    table.add_column("game")
    for heading in ("athenan", "open_spiel", "ratio", f"goal {GOAL}×"):
        table.add_column(heading, justify="right")
    for row in rows:
        verdict = "met" if row["ratio"] >= GOAL else "[bold red]missed[/]"
        ratio = f"{row['ratio']:.1f}×"
        table.add_row(row["game"], short(row["ours"]), short(row["open_spiel"]), ratio, verdict)
    return table


def engine_table(rows: list[Row]) -> Table:
    table = Table(
        title="per second on one thread, and times that on more",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("game", no_wrap=True)
    measures = [key for key in rows[0] if key not in ("game", "threads")]
    for heading in ("threads", *measures):
        table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=True)
    for row in rows:
        single = next(each for each in rows if each["game"] == row["game"])
        if row == single:
            name = row["game"].partition(":")[0]
            cells = [short(row[measure]) for measure in measures]
        else:
            name = ""
            cells = [f"{row[measure] / single[measure]:.2f}×" for measure in measures]
        table.add_row(name, str(row["threads"]), *cells)
    return table


SECTIONS: dict[str, tuple[Callable[[float], list[Row]], Callable[[list[Row]], Table]]] = {
    "playouts": (compare_playouts, comparison_table),
    "engine": (measure_games, engine_table),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=SECTIONS, help="measure this and nothing else")
    parser.add_argument("--seconds", type=float, default=0.5, help="per measurement (0.5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    arguments = parser.parse_args()
    if not arguments.seconds > 0:
        parser.error("--seconds must be above 0")
    found = {}
    for section in [arguments.only] if arguments.only else SECTIONS:
        measure, table = SECTIONS[section]
        found[section] = measure(arguments.seconds)
        Console().print(table(found[section]))
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
